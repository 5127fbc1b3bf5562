import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newWebhookSecret, signatureHeaders } from '#worker/webhooks/signing'

const BODY = JSON.stringify({
  type: 'test',
  timestamp: '2026-11-20T18:00:00.000Z',
  data: { name: 'Ünïcode \u{1F48A}' },
})

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000)

describe('the signature of a message', () => {
  it('is one that the reference library makes and takes', async () => {
    const secret = newWebhookSecret()
    const sentAt = new Date()
    const headers = await signatureHeaders([secret], 'msg_1', sentAt, BODY)
    expect(headers['webhook-signature']).toBe(new Webhook(secret).sign('msg_1', sentAt, BODY))
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY))
  })

  it('is refused with another secret, another body or another id', async () => {
    const secret = newWebhookSecret()
    const headers = await signatureHeaders([secret], 'msg_1', new Date(), BODY)
    expect(() => new Webhook(newWebhookSecret()).verify(BODY, headers)).toThrow()
    expect(() => new Webhook(secret).verify(`${BODY} `, headers)).toThrow()
    expect(() => new Webhook(secret).verify(BODY, { ...headers, 'webhook-id': 'msg_2' })).toThrow()
  })

  it.each([
    ['too old', -6],
    ['too new', 6],
  ])('is of the time of the attempt: the library refuses one that is %s', async (fault, minutes) => {
    const secret = newWebhookSecret()
    const headers = await signatureHeaders([secret], 'msg_1', minutesFromNow(minutes), BODY)
    expect(() => new Webhook(secret).verify(BODY, headers)).toThrow(fault)
  })

  it.each([-4, 4])('is taken by the library when clocks differ by %s minutes', async (minutes) => {
    const secret = newWebhookSecret()
    const headers = await signatureHeaders([secret], 'msg_1', minutesFromNow(minutes), BODY)
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY))
  })

  it('is there for each of two secrets, and either receiver takes the message', async () => {
    const [after, before] = [newWebhookSecret(), newWebhookSecret()]
    const headers = await signatureHeaders([after, before], 'msg_1', new Date(), BODY)
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const secret of [after, before]) expect(new Webhook(secret).verify(BODY, headers)).toBeTruthy()
  })
})

describe('a secret', () => {
  it('is whsec_ and the base64 of 32 bytes, and never the same twice', () => {
    const secret = newWebhookSecret()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(newWebhookSecret()).not.toBe(secret)
  })
})
