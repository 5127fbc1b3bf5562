import * as z from 'zod'
import { LISTED_DELIVERIES, MAX_WEBHOOK_ADDRESS_LENGTH } from '#shared/limits'
import { EVENTS } from '#shared/webhook-events'
import { oneOf, text, timestampSchema } from '#worker/http/endpoint/values'

const eventsSchema = z.array(oneOf(EVENTS), { error: `must be a list of events; the events are ${EVENTS.join(', ')}` })

export const newWebhookSchema = z.strictObject({
  url: text()
    .min(1, { error: 'is required', abort: true })
    .max(MAX_WEBHOOK_ADDRESS_LENGTH, `must have at most ${MAX_WEBHOOK_ADDRESS_LENGTH} characters`)
    .meta({
      description: 'The URL to which messages are sent by POST: HTTPS, with a public host name.',
      format: 'uri',
    }),
  events: eventsSchema
    .min(1, 'must name at least one event')
    .max(EVENTS.length, 'must name each event once')
    .refine((names) => new Set(names).size === names.length, { error: 'must name each event once' })
    .optional()
    .meta({ description: 'The events to send; all by default.' }),
})

const webhook = { webhook_id: z.string(), url: z.string(), events: eventsSchema }

const secretSchema = z.string().meta({
  description: '`whsec_` and the base64 of the key that signs messages (Standard Webhooks 1.0). Shown only once.',
  example: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
})

export const webhookSecretSchema = z.strictObject({ ...webhook, secret: secretSchema })

export const newSecretSchema = z.strictObject({
  webhook_id: z.string(),
  secret: secretSchema,
  previous_until: timestampSchema.meta({
    description: 'Until this time, messages also carry the signature of the earlier secret.',
  }),
})

const deliverySchema = z
  .strictObject({
    message_id: z.string().meta({ description: '`webhook-id` of the message.' }),
    event: z.string().meta({ description: 'One of the events, or `test`.' }),
    attempt: z.int().meta({ description: 'Which attempt at this message it was, from 1.' }),
    at: timestampSchema,
    status: z.int().nullable().meta({ description: 'The status of the response; null without one.' }),
  })
  .meta({ id: 'Delivery', description: 'One attempt to send a message.' })

export const webhookSchema = z
  .strictObject({
    ...webhook,
    created_by: z.string().meta({ description: '`operator`, or `user:` and an email address.', example: 'operator' }),
    created_at: timestampSchema,
    last_status: z.int().nullable().meta({
      description: 'The status of the last response; null without a response, and before the first attempt.',
    }),
    last_attempt_at: timestampSchema.nullable(),
    deliveries: z
      .array(deliverySchema)
      .meta({ description: `The last ${LISTED_DELIVERIES} attempts, including tests, newest first.` }),
    failing_since: timestampSchema
      .nullable()
      .meta({ description: 'When the first attempt since the last delivery failed; null if none has failed.' }),
    disabled: z
      .boolean()
      .meta({ description: 'Whether the webhook is disabled. Nothing is sent until it is enabled.' }),
  })
  .meta({ id: 'Webhook', description: 'An address that is notified of events, without its secret.' })

export const testResultSchema = z.strictObject({
  status: z.int().nullable().meta({ description: 'Status of the response; null if there was none within 15 seconds.' }),
})

export type NewWebhook = z.output<typeof newWebhookSchema>
export type Webhook = z.output<typeof webhookSchema>
export type WebhookSecret = z.output<typeof webhookSecretSchema>
export type NewSecret = z.output<typeof newSecretSchema>
