import { authEndpoints } from '#auth/endpoints'
import { catalogEndpoints } from '#catalog/endpoints'
import { historyEndpoints } from '#catalog/history-endpoints'
import { documentEndpoints } from '#documents/endpoints'
import { loginEndpoints } from '#login/endpoints'
import { platformEndpoints } from '#platform/endpoints'
import { registrationEndpoints } from '#registration/endpoints'
import { searchEndpoints } from '#search/endpoints'
import { workspaceEndpoints } from '#workspace/endpoints'

/** Every endpoint of the API, in the order of its description. */
export const endpoints = [
  ...catalogEndpoints,
  ...historyEndpoints,
  ...searchEndpoints,
  ...documentEndpoints,
  ...registrationEndpoints,
  ...authEndpoints,
  ...loginEndpoints,
  ...workspaceEndpoints,
  ...platformEndpoints,
] as const
