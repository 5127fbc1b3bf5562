import { answered, CREATED_AT, type Example, pageWith, sending } from './example'

const WEBHOOK_ID = 'dcs_webhook_example'

const WEBHOOK = {
  webhook_id: WEBHOOK_ID,
  url: 'https://hooks.clinic.example/catalog',
  events: ['catalog.changed', 'sync.late', 'sync.refused', 'sync.recovered'],
}

const LISTED_WEBHOOK = {
  ...WEBHOOK,
  created_by: 'operator',
  created_at: CREATED_AT,
  last_status: 204,
  last_attempt_at: CREATED_AT,
  deliveries: [{ message_id: 'msg_example', event: 'catalog.changed', attempt: 1, at: CREATED_AT, status: 204 }],
  failing_since: null,
  disabled: false,
}

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

/** Examples of the endpoints for webhooks, below either path. */
export const webhookExamples = (prefix: string, path: Record<string, string>): Record<string, Example> => {
  const one = { path: { ...path, webhook_id: WEBHOOK_ID } }
  return {
    [`create${prefix}Webhook`]: {
      path,
      ...sending({ url: WEBHOOK.url }),
      ...answered('Webhook created. Its secret is not shown again.', { ...WEBHOOK, secret: SECRET }),
    },
    [`list${prefix}Webhooks`]: { path, ...answered('Webhooks.', pageWith(LISTED_WEBHOOK)) },
    [`delete${prefix}Webhook`]: { ...one, ...answered('Webhook deleted.', { deleted: true }) },
    [`test${prefix}Webhook`]: {
      ...one,
      ...answered('The receiver answered 204: the test was delivered', { status: 204 }),
    },
    [`rotate${prefix}Webhook`]: {
      ...one,
      ...answered('Secret replaced. It is not shown again.', {
        webhook_id: WEBHOOK_ID,
        secret: SECRET,
        previous_until: '2026-11-21T18:00:00.000Z',
      }),
    },
    [`enable${prefix}Webhook`]: { ...one, ...answered('Webhook enabled.', LISTED_WEBHOOK) },
  }
}
