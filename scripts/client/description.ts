import { ERROR_STATUS } from '#shared/errors/errors'
import { endpoints } from '#worker/endpoints'
import { describeService } from '#worker/openapi/endpoints'

/** The input of the endpoints' types: the same for every service. */
export const description = () => ({
  document: JSON.parse(describeService(['https://catalog.example'])),
  endpoints: endpoints.map(({ method, path }) => ({ method, path })),
  errorCodes: Object.keys(ERROR_STATUS),
})
