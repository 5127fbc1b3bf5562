import { MAX_WEBHOOK_TESTS, WORKSPACE_LIMITS } from '#shared/limits'
import { scope } from '#worker/auth/access'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { configOf } from '#worker/env'
import type { AppContext } from '#worker/http/context'
import { catalogDatabaseOf, controlDatabaseOf } from '#worker/http/databases'
import { enveloped, envelopedAs } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { deletedSchema } from '#worker/http/endpoint/values'
import type { Database } from '#worker/storage/database'
import { requireMasterKeys } from '#worker/storage/lookup-keys'
import { type AdminContext, requireAdmin } from '#worker/workspace/admin-context'
import { type Administration, collectionEndpoints } from '#worker/workspace/collection-endpoints'
import { adminOf } from '#worker/workspace/endpoints'
import type { Sender } from './make-attempt'
import { newSecretSchema, newWebhookSchema, testResultSchema, webhookSchema, webhookSecretSchema } from './schemas'
import { testWebhook } from './send-test'
import { createWebhook, deleteWebhook, enableWebhook, listWebhooks, rotateSecret, type WebhookAdmin } from './webhooks'

const senderOf = async (c: AppContext): Promise<Sender> => ({
  masterKeys: await requireMasterKeys(controlDatabaseOf(c), await masterKeysOf(c.env)),
  issuer: configOf(c.env).issuer,
})

/** Who manages webhooks. First checks that the caller still is an admin: members are in a different database. */
export const webhookAdminOf =
  (adminOf: (c: AppContext) => AdminContext, databaseOf: (c: AppContext) => Database | Promise<Database>) =>
  async (c: AppContext, now: Date): Promise<WebhookAdmin> => {
    const admin = adminOf(c)
    await requireAdmin(admin, now)
    const { workspaceId, actor, database: control } = admin
    return { database: await databaseOf(c), control, workspaceId, actor }
  }

const webhookListEndpoints = <const Base extends string>(administration: Administration<Base, WebhookAdmin>) =>
  collectionEndpoints(administration, {
    segment: 'webhooks',
    idParameter: 'webhook_id',
    noun: 'Webhook',
    create: {
      summary: 'Create a webhook: messages of events are sent to an address',
      description:
        'The secret that signs messages (Standard Webhooks 1.0) is shown once, in this response. If the workspace ' +
        `already has ${WORKSPACE_LIMITS.webhooks} webhooks, the response is 409.`,
      body: newWebhookSchema,
      answer: envelopedAs('Webhook created. Its secret is not shown again.', webhookSecretSchema),
      run: async (admin, input, now, c) => createWebhook(admin, await senderOf(c), input, now),
    },
    list: {
      summary: 'List the webhooks of the workspace, oldest first',
      description: 'Includes their last attempts, but not their secrets.',
      message: 'Webhooks.',
      itemSchema: webhookSchema,
      run: listWebhooks,
    },
    remove: {
      verb: 'delete',
      summary: 'Delete a webhook',
      description: 'Also deletes its undelivered messages.',
      answer: envelopedAs('Webhook deleted.', deletedSchema),
      run: deleteWebhook,
    },
  })

export function webhookAdministration<const Base extends string>(administration: Administration<Base, WebhookAdmin>) {
  const { tag, access, base, prefix, adminOf } = administration
  const change = { tag, access, method: 'post', errors: ['not_found'], writes: true } as const
  return [
    ...webhookListEndpoints(administration),
    endpoint(
      {
        ...change,
        path: `${base}/webhooks/{webhook_id}/test`,
        operationId: `test${prefix}Webhook`,
        summary: 'Send a test to a webhook now',
        description:
          'Sends the event `test`, even if the webhook is disabled, and returns the status of the receiver. Tests ' +
          `are limited to one at a time per webhook and ${MAX_WEBHOOK_TESTS} per minute in a workspace; others ` +
          'return 429.',
        answer: enveloped(testResultSchema),
        errors: ['not_found', 'rate_limited'],
      },
      async ({ c, params, now }) => {
        const { status, delivered } = await testWebhook(
          await adminOf(c, now),
          await senderOf(c),
          params.webhook_id,
          now,
        )
        const answerText = status === null ? 'The receiver did not respond' : `The receiver returned ${status}`
        return { message: `${answerText}: the test was ${delivered ? '' : 'not '}delivered`, data: { status } }
      },
    ),
    endpoint(
      {
        ...change,
        path: `${base}/webhooks/{webhook_id}/rotate`,
        operationId: `rotate${prefix}Webhook`,
        summary: 'Give a webhook a new secret',
        description:
          'The new secret is shown once, in this response. For a day, messages carry the signatures of both ' +
          'secrets. A second ' +
          'rotation within the day revokes the first secret immediately.',
        answer: envelopedAs('Secret replaced. It is not shown again.', newSecretSchema),
        errors: ['not_found', 'conflict'],
      },
      async ({ c, params, now }) => rotateSecret(await adminOf(c, now), await senderOf(c), params.webhook_id, now),
    ),
    endpoint(
      {
        ...change,
        path: `${base}/webhooks/{webhook_id}/enable`,
        operationId: `enable${prefix}Webhook`,
        summary: 'Enable a webhook that was disabled',
        description: 'Events from now on are sent again. Enabling a webhook twice changes nothing.',
        answer: envelopedAs('Webhook enabled.', webhookSchema),
      },
      async ({ c, params, now }) => enableWebhook(await adminOf(c, now), params.webhook_id),
    ),
  ] as const
}

export const webhookEndpoints = webhookAdministration({
  tag: 'Workspace',
  access: scope('workspace:admin'),
  base: '/admin/workspace/v1',
  prefix: 'Workspace',
  adminOf: webhookAdminOf(adminOf, catalogDatabaseOf),
})
