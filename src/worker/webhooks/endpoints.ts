import { scope } from '#worker/auth/access'
import { catalogDatabaseOf } from '#worker/http/databases'
import { adminOf } from '#worker/workspace/endpoints'
import { webhookAdministration, webhookAdminOf } from './administration'

/** Admins manage the webhooks of their workspace with the same calls as the operator. */
export const webhookEndpoints = webhookAdministration({
  tag: 'Workspace',
  access: scope('workspace:admin'),
  base: '/admin/workspace/v1',
  prefix: 'Workspace',
  adminOf: webhookAdminOf(adminOf, catalogDatabaseOf),
})
