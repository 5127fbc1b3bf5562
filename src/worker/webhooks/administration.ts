import { MAX_WEBHOOK_TESTS, WORKSPACE_LIMITS } from '#shared/limits'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { configOf } from '#worker/env'
import { json } from '#worker/http/body/request-body'
import type { AppContext } from '#worker/http/context'
import { controlDatabaseOf } from '#worker/http/databases'
import { enveloped, envelopedAs } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { listQuerySchema, pageOf } from '#worker/http/endpoint/parameters'
import { deletedSchema } from '#worker/http/endpoint/values'
import type { Database } from '#worker/storage/database'
import { provenKeys } from '#worker/storage/lookup-keys'
import type { Administration } from '#worker/workspace/administrator'
import { requireAuthority } from '#worker/workspace/authority'
import type { Sender } from './receivers'
import { newWebhookSchema, rotatedSchema, testedSchema, webhookSchema, webhookSecretSchema } from './schemas'
import { testWebhook } from './test-message'
import { createWebhook, deleteWebhook, enableWebhook, listWebhooks, rotateSecret, type WebhookAdmin } from './webhooks'

/** Who manages webhooks: the operator or an admin. */
interface WebhookAdministration<Base extends string, Prefix extends string>
  extends Omit<Administration<Base, Prefix>, 'keepsAdmin'> {
  /** The workspace's own database. */
  databaseOf: (c: AppContext, workspaceId: string) => Promise<Database>
}

const senderOf = async (c: AppContext): Promise<Sender> => ({
  masterKeys: await provenKeys(controlDatabaseOf(c), await masterKeysOf(c.env)),
  issuer: configOf(c.env).issuer,
})

/** What the endpoints have in common. */
function webhookDefaults<const Base extends string, const Prefix extends string>({
  tag,
  access,
  authorityOf,
  databaseOf,
}: WebhookAdministration<Base, Prefix>) {
  const common = { tag, access } as const
  return {
    common,
    change: { ...common, method: 'post', errors: ['not_found'], writes: true } as const,
    /** Checks first that the authority still holds: webhooks are in another database than members. */
    webhookAdminOf: async (c: AppContext, now: Date): Promise<WebhookAdmin> => {
      const authority = authorityOf(c)
      await requireAuthority(authority, now)
      const { workspaceId, actor } = authority
      return { database: await databaseOf(c, workspaceId), control: authority.database, workspaceId, actor }
    },
  }
}

/** Which webhooks there are. */
function webhookListEndpoints<const Base extends string, const Prefix extends string>(
  administration: WebhookAdministration<Base, Prefix>,
) {
  const { base, prefix } = administration
  const { common, change, webhookAdminOf } = webhookDefaults(administration)
  return [
    endpoint(
      {
        ...change,
        path: `${base}/webhooks`,
        operationId: `create${prefix}Webhook`,
        summary: 'Create a webhook: messages of events are sent to an address',
        description:
          'The secret that signs messages (Standard Webhooks 1.0) is shown once, in this answer. 409 for more than ' +
          `${WORKSPACE_LIMITS.webhooks} in a workspace.`,
        body: json(newWebhookSchema),
        answer: envelopedAs('Webhook created. Its secret is not shown again.', webhookSecretSchema),
        errors: ['conflict'],
      },
      async ({ c, body, now }) => createWebhook(await webhookAdminOf(c, now), await senderOf(c), body, now),
    ),
    endpoint(
      {
        ...common,
        method: 'get',
        path: `${base}/webhooks`,
        operationId: `list${prefix}Webhooks`,
        summary: 'List the webhooks of the workspace, oldest first',
        description: 'With the outcome of the last attempt, without their secrets.',
        query: listQuerySchema,
        answer: envelopedAs('Webhooks.', pageOf(webhookSchema)),
      },
      async ({ c, query, now }) => listWebhooks(await webhookAdminOf(c, now), query),
    ),
    endpoint(
      {
        ...change,
        method: 'delete',
        path: `${base}/webhooks/{webhook_id}`,
        operationId: `delete${prefix}Webhook`,
        summary: 'Delete a webhook',
        description: 'With the messages that wait for it.',
        answer: envelopedAs('Webhook deleted.', deletedSchema),
      },
      async ({ c, params, now }) => deleteWebhook(await webhookAdminOf(c, now), params.webhook_id),
    ),
  ] as const
}

/** What can be done with one webhook. */
function webhookUseEndpoints<const Base extends string, const Prefix extends string>(
  administration: WebhookAdministration<Base, Prefix>,
) {
  const { base, prefix } = administration
  const { change, webhookAdminOf } = webhookDefaults(administration)
  return [
    endpoint(
      {
        ...change,
        path: `${base}/webhooks/{webhook_id}/test`,
        operationId: `test${prefix}Webhook`,
        summary: 'Send a test to a webhook now',
        description:
          'The event `test`, also to one that is disabled. Answers with the status of the receiver. One ' +
          `at a time for a webhook, and ${MAX_WEBHOOK_TESTS} a minute for a workspace: 429.`,
        answer: enveloped(testedSchema),
        errors: ['not_found', 'rate_limited'],
      },
      async ({ c, params, now }) => {
        const { status, delivered } = await testWebhook(
          await webhookAdminOf(c, now),
          await senderOf(c),
          params.webhook_id,
          now,
        )
        const answered = status === null ? 'The receiver did not answer' : `The receiver answered ${status}`
        return { message: `${answered}: the test was ${delivered ? '' : 'not '}delivered`, data: { status } }
      },
    ),
    endpoint(
      {
        ...change,
        path: `${base}/webhooks/{webhook_id}/rotate`,
        operationId: `rotate${prefix}Webhook`,
        summary: 'Give a webhook a new secret',
        description:
          'Shown once, in this answer. For a day messages carry the signatures of both secrets. A second ' +
          'rotation within the day ends the first secret at once.',
        answer: envelopedAs('Secret replaced. It is not shown again.', rotatedSchema),
        errors: ['not_found', 'conflict'],
      },
      async ({ c, params, now }) =>
        rotateSecret(await webhookAdminOf(c, now), await senderOf(c), params.webhook_id, now),
    ),
    endpoint(
      {
        ...change,
        path: `${base}/webhooks/{webhook_id}/enable`,
        operationId: `enable${prefix}Webhook`,
        summary: 'Enable a webhook that was disabled',
        description: 'Messages of events from now on are sent again. Enabling it twice changes nothing.',
        answer: envelopedAs('Webhook enabled.', webhookSchema),
      },
      async ({ c, params, now }) => enableWebhook(await webhookAdminOf(c, now), params.webhook_id),
    ),
  ] as const
}

/** The endpoints for the webhooks of a workspace, for the operator and for the workspace's own admins. */
export const webhookAdministration = <const Base extends string, const Prefix extends string>(
  administration: WebhookAdministration<Base, Prefix>,
) => [...webhookListEndpoints(administration), ...webhookUseEndpoints(administration)] as const
