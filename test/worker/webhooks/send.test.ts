import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { send } from '#worker/webhooks/send'
import { newWebhookSecret } from '#worker/webhooks/signing'
import { OK, receiving, verified } from '../../support/receivers'
import { HOOK } from '../../support/webhooks'

describe('an attempt', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  const message = { url: HOOK, secrets, messageId: 'msg_1', event: 'test', createdAt: 0, data: '{"name":"Ünïcode 💊"}' }

  it('ends when its time is over, without a response', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(
      (_, init) =>
        new Promise((__, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    )
    expect(await send(message, env.ISSUER, 20)).toEqual({ status: null, fault: 'TimeoutError' })
  })

  it('reads nothing of a response, however long it is', async () => {
    const [pull, cancel] = [vi.fn(), vi.fn()]
    const endless = new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(endless))
    expect(await send(message, env.ISSUER)).toEqual({ status: 200 })
    expect([pull.mock.calls.length, cancel.mock.calls.length]).toEqual([0, 1])
  })

  it('has a signature for each of the secrets, and no credential', async () => {
    const received = receiving(OK)
    await send(message, env.ISSUER)
    expect(vi.mocked(fetch).mock.lastCall?.[1]).toMatchObject({ method: 'POST', redirect: 'manual' })
    const { headers } = received[0]!
    const names = ['id', 'signature', 'timestamp'].map((name) => `webhook-${name}`)
    expect(Object.keys(headers).sort()).toEqual(['content-type', 'user-agent', ...names])
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const secret of secrets) expect(verified(secret, received[0]!)).toMatchObject({ data: { name: 'Ünïcode 💊' } })
  })
})
