import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newWebhookSecret, signatureHeaders } from '#worker/webhooks/signing'

const BODY = JSON.stringify({
  type: 'test',
  timestamp: '2026-11-20T18:00:00.000Z',
  data: { name: 'Ünïcode \u{1F48A}' },
})

describe('the signature of a message', () => {
  it('is one that the reference library makes and takes', async () => {
    const secret = newWebhookSecret()
    const sentAt = new Date()
    const headers = await signatureHeaders([secret], 'msg_1', sentAt, BODY)
    expect(headers['webhook-signature']).toBe(new Webhook(secret).sign('msg_1', sentAt, BODY))
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY))
  })

  it('is there for each of two secrets, and either receiver takes the message', async () => {
    const [after, before] = [newWebhookSecret(), newWebhookSecret()]
    const headers = await signatureHeaders([after, before], 'msg_1', new Date(), BODY)
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const secret of [after, before]) expect(new Webhook(secret).verify(BODY, headers)).toBeTruthy()
  })
})

it('a secret is whsec_ and the base64 of 32 bytes, and never the same twice', () => {
  const secret = newWebhookSecret()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(newWebhookSecret()).not.toBe(secret)
})
