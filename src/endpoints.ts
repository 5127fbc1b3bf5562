import { authEndpoints } from '#auth/endpoints'
import { catalogEndpoints } from '#catalog/endpoints'
import { historyEndpoints } from '#catalog/history/endpoints'
import { uploadEndpoints } from '#catalog/uploads/endpoints'
import { documentEndpoints } from '#documents/endpoints'
import type { Endpoint } from '#http/endpoint/endpoint'
import { loginEndpoints } from '#login/endpoints'
import { platformEndpoints } from '#platform/endpoints'
import { registrationEndpoints } from '#registration/endpoints'
import { searchEndpoints } from '#search/endpoints'
import { syncEndpoints } from '#sync/endpoints'
import { webhookEndpoints } from '#webhooks/endpoints'
import { settingsEndpoints, workspaceEndpoints } from '#workspace/endpoints'

const typed = [
  ...catalogEndpoints,
  ...historyEndpoints,
  ...syncEndpoints,
  ...uploadEndpoints,
  ...searchEndpoints,
  ...documentEndpoints,
  ...registrationEndpoints,
  ...authEndpoints,
  ...loginEndpoints,
  ...workspaceEndpoints,
  ...settingsEndpoints,
  ...webhookEndpoints,
  ...platformEndpoints,
] as const

export type ApiEndpoint = (typeof typed)[number]

/** Every endpoint of the API, in the order of its description. */
export const endpoints: readonly Endpoint[] = typed
