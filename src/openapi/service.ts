import { endpoints } from '#endpoints'
import type { DescriptionSettings } from '#env'
import { openapiJson } from './document'
import { serviceEndpoints } from './endpoints'

/** The description of the whole service, without the service: for tools that check it or make something of it. */
export const describeService = (settings: DescriptionSettings): string =>
  openapiJson([...endpoints, ...serviceEndpoints(endpoints)], settings)
