import { ERROR_STATUS } from '#shared/errors/errors'
import { endpoints } from '#worker/endpoints'
import { describeService } from '#worker/openapi/endpoints'

/** What the types of the client's package are made of; the package itself is for every service. */
export const described = () => ({
  document: JSON.parse(
    describeService({
      servers: ['https://catalog.example'],
      license: { name: '', url: 'https://catalog.example' },
    }),
  ),
  endpoints: endpoints.map(({ method, path }) => ({ method, path })),
  errorCodes: Object.keys(ERROR_STATUS),
})
