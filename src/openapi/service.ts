import { endpoints } from '#endpoints'
import type { DescriptionSettings } from '#env'
import { openapiJson } from './document'
import { serviceEndpoints } from './endpoints'

/** The description of the whole service, for tools that work without a running service. */
export const describeService = (settings: DescriptionSettings): string =>
  openapiJson([...endpoints, ...serviceEndpoints(endpoints)], settings)
