import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { AppEnv } from '#http/context'
import { enforceDeadline } from '#http/deadline'
import { answerError } from '#http/errors'
import { LARGE_BODY_BYTES } from '#limits'
import type { Deadline } from '#storage/deadline'
import { type DatabaseCall, serviceWith } from '../storage/faulty-database'
import { newContext } from '../support/background'
import { newCatalog, type TestCatalog } from '../support/catalog'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const LIMIT_MS = 80

describe('a request that takes too long', () => {
  const answerOf = async (work: (deadline: Deadline) => Promise<void>) => {
    const app = new Hono<AppEnv>()
    app.use(enforceDeadline(20))
    app.get('/', async (c) => {
      await work(c.var.deadline)
      return c.text('done')
    })
    app.onError(answerError)
    const response = await app.fetch(new Request('https://catalog.test/'), env, newContext())
    return { status: response.status, text: await response.text() }
  }

  it.each([
    ['before it writes', 'Nothing was written', () => pause(60)],
    ['while it writes', 'not known whether', (deadline: Deadline) => deadline.whileWriting(() => pause(60))],
    [
      'after it wrote',
      'was carried out',
      async (deadline: Deadline) => {
        await deadline.whileWriting(async () => {})
        await pause(60)
      },
    ],
  ] as const)('is answered 504 and told what that means for a write: %s', async (_when, message, work) => {
    const { status, text } = await answerOf(async (deadline) => {
      await work(deadline)
    })
    expect(status).toBe(504)
    expect(JSON.parse(text)).toEqual({ success: false, message: expect.stringContaining(message) })
  })

  it('may not start to write after the answer that nothing was written', async () => {
    const began = vi.fn()
    await answerOf(async (deadline) => {
      await pause(40)
      await deadline.whileWriting(async () => began())
    })
    await pause(40)
    expect(began).not.toHaveBeenCalled()
  })

  it('is answered as usual when it is in time', async () => {
    expect(await answerOf(async () => {})).toEqual({ status: 200, text: 'done' })
  })
})

describe('a write that takes too long', () => {
  let catalog: TestCatalog

  beforeEach(async () => {
    catalog = await newCatalog()
    await catalog.write([catalog.record('first')])
  })

  const slow = (ms: number, applies: (call: DatabaseCall) => boolean) => async (call: DatabaseCall) => {
    if (applies(call)) await pause(ms)
    return call.run()
  }
  const through = (fault: (call: DatabaseCall) => Promise<unknown>) =>
    catalog.through(serviceWith(fault, { deadlineMs: LIMIT_MS }))
  const messageOf = async (answer: ReturnType<TestCatalog['post']>) =>
    (await catalog.refused(504, answer)).message

  it('while its body arrives is not carried out later', async () => {
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await pause(2 * LIMIT_MS)
        controller.enqueue(new TextEncoder().encode(JSON.stringify([catalog.record('late')])))
        controller.close()
      },
    })
    const init = { headers: { 'Content-Type': 'application/json' }, body }
    const answer = through(({ run }) => run()).send('POST', '/', {}, init)
    expect(await messageOf(answer)).toContain('Nothing was written')
    await pause(2 * LIMIT_MS)
    expect(await catalog.ids()).toEqual(['first'])
  })

  it('in the database is reported as unknown, and may be carried out', async () => {
    const delayed = through(slow(2 * LIMIT_MS, ({ writes }) => writes))
    expect(await messageOf(delayed.post([catalog.record('late')]))).toContain('a retry is safe')
    await pause(3 * LIMIT_MS)
    expect(await catalog.write([catalog.record('late')])).toMatchObject({ unchanged: 1 })
    const init = { headers: { 'Content-Type': 'application/json' }, body: '{"enabled":true}' }
    expect(await messageOf(delayed.send('POST', '/search-status/', {}, init))).toContain('a retry is safe')
  })

  it('as a dry run or a read is reported as nothing written', async () => {
    const delayed = through(slow(2 * LIMIT_MS, ({ writes }) => !writes))
    const dry = delayed.post([catalog.record('x')], { dry_run: true })
    expect(await messageOf(dry)).toContain('Nothing was written')
    expect(await messageOf(delayed.send('GET', '/'))).toContain('Nothing was written')
  })

  it('and is large gives up its turn, so that later writes can run', async () => {
    const refid = 'x'.repeat(LARGE_BODY_BYTES / 2)
    const large = (id: string) => [catalog.record(id, { refid }), catalog.record(`${id} too`, { refid })]
    expect(JSON.stringify(large('x')).length).toBeGreaterThan(LARGE_BODY_BYTES)
    const slowly = slow(3 * LIMIT_MS, ({ writes }) => writes)
    const impatient = catalog.through(serviceWith(slowly, { deadlineMs: LIMIT_MS / 2 }))
    const stuck = through(slowly).post(large('first'))
    expect(await messageOf(impatient.post(large('waiting')))).toContain('Nothing was written')
    expect(await messageOf(stuck)).toContain('a retry is safe')
    expect(await catalog.write(large('third'))).toMatchObject({ inserted: 2 })
    await pause(4 * LIMIT_MS)
    expect(await catalog.write(large('fourth'))).toMatchObject({ inserted: 2 })
    const ids = ['first', 'first too', 'fourth', 'fourth too', 'third', 'third too']
    expect((await catalog.ids()).sort()).toEqual(ids)
  })
})
