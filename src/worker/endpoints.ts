import { authEndpoints } from '#worker/auth/endpoints'
import { catalogEndpoints } from '#worker/catalog/endpoints'
import { historyEndpoints } from '#worker/catalog/history/endpoints'
import { qualityEndpoints } from '#worker/catalog/quality/endpoints'
import { uploadEndpoints } from '#worker/catalog/uploads/endpoints'
import { documentEndpoints } from '#worker/documents/endpoints'
import type { Endpoint } from '#worker/http/endpoint/endpoint'
import { loginEndpoints } from '#worker/login/endpoints'
import { platformEndpoints } from '#worker/platform/endpoints'
import { registrationEndpoints } from '#worker/registration/endpoints'
import { searchEndpoints } from '#worker/search/endpoints'
import { statusEndpoints, syncEndpoints } from '#worker/sync/endpoints'
import { webhookEndpoints } from '#worker/webhooks/endpoints'
import { programEndpoints, workspaceEndpoints } from '#worker/workspace/endpoints'

export const endpoints: readonly Endpoint[] = [
  ...catalogEndpoints,
  ...statusEndpoints,
  ...historyEndpoints,
  ...qualityEndpoints,
  ...syncEndpoints,
  ...uploadEndpoints,
  ...searchEndpoints,
  ...documentEndpoints,
  ...registrationEndpoints,
  ...authEndpoints,
  ...loginEndpoints,
  ...workspaceEndpoints,
  ...programEndpoints,
  ...webhookEndpoints,
  ...platformEndpoints,
]
