import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { send } from '#worker/webhooks/send'
import { newWebhookSecret } from '#worker/webhooks/signing'
import { OK, receiving } from '../../support/receivers'
import { HOOK } from '../../support/webhooks'

describe('an attempt', () => {
  const message = {
    url: HOOK,
    secrets: [newWebhookSecret()],
    messageId: 'msg_1',
    event: 'test',
    createdAt: 0,
    data: '{}',
  }

  it('ends when its time is over, without an answer', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(
      (_, init) =>
        new Promise((__, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    )
    expect(await send(message, env.ISSUER, 20)).toEqual({ status: null, fault: 'TimeoutError' })
  })

  it('reads nothing of an answer, however long it is', async () => {
    let pulled = 0
    let cancelled = false
    const endless = new ReadableStream(
      {
        pull: (controller) => {
          pulled++
          controller.enqueue(new Uint8Array(65_536))
        },
        cancel: () => {
          cancelled = true
        },
      },
      { highWaterMark: 0 },
    )
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(endless))
    expect(await send(message, env.ISSUER)).toEqual({ status: 200 })
    expect({ pulled, cancelled }).toEqual({ pulled: 0, cancelled: true })
  })

  it('follows no redirect and sends no cookie or credential', async () => {
    const received = receiving(OK)
    await send(message, env.ISSUER)
    expect(vi.mocked(fetch).mock.lastCall?.[1]).toMatchObject({ method: 'POST', redirect: 'manual' })
    expect(Object.keys(received[0]!.headers).sort()).toEqual([
      'content-type',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ])
  })
})
