import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { beforeEach, describe, expect, it } from 'vitest'
import { LARGE_BODY_BYTES } from '#shared/limits'
import type { AppEnv } from '#worker/http/context'
import { answerError } from '#worker/http/errors'
import { enforceDeadline } from '#worker/http/middleware'
import type { Deadline } from '#worker/storage/deadline'
import { newContext, settleBackground } from '../../support/background'
import { catalogOfEachTest, type TestCatalog } from '../../support/catalog'
import { jsonBody } from '../../support/service'
import { type DatabaseCall, serviceWith } from '../storage/faulty-database'

const LIMIT_MS = 80

/** A gate at which a request waits until a test opens it. */
function newGate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  return { opened, open }
}

describe('a request that takes too long', () => {
  /** @param work may wait until the response has arrived */
  const answerOf = async (work: (deadline: Deadline, answered: Promise<void>) => Promise<void>) => {
    const answer = newGate()
    const app = new Hono<AppEnv>()
    app.use(enforceDeadline(20))
    app.get('/', async (c) => {
      await work(c.var.deadline, answer.opened)
      return c.text('done')
    })
    app.onError(answerError)
    const response = await app.fetch(new Request('https://catalog.test/'), env, newContext())
    const text = await response.text()
    answer.open()
    await settleBackground()
    return { status: response.status, text }
  }

  it.each<[string, string, (deadline: Deadline, answered: Promise<void>) => Promise<void>]>([
    ['before it writes', 'Nothing was written', (_, answered) => answered],
    ['while it writes', 'may or may not have completed', (deadline, answered) => deadline.whileWriting(() => answered)],
    [
      'after it wrote',
      'The write completed',
      (deadline, answered) => deadline.whileWriting(async () => {}).then(() => answered),
    ],
  ])('returns 504, which explains the consequence for a write: %s', async (_when, message, work) => {
    const { status, text } = await answerOf(work)
    expect(status).toBe(504)
    expect(JSON.parse(text)).toEqual({ success: false, message: expect.stringContaining(message) })
  })
})

describe('a write that takes too long', () => {
  const catalog = catalogOfEachTest()

  beforeEach(() => catalog.write([catalog.record('first')]))

  const through = (fault: (call: DatabaseCall) => Promise<unknown>, deadlineMs = LIMIT_MS) =>
    catalog.through(serviceWith(fault, { deadlineMs }))

  /** The service over a database that delays some calls until it is opened. `reached` resolves at the first of them. */
  const holding = (applies: (call: DatabaseCall) => boolean, deadlineMs = LIMIT_MS) => {
    const [gate, first] = [newGate(), newGate()]
    const held = through(async (call) => {
      if (applies(call)) {
        first.open()
        await gate.opened
      }
      return call.run()
    }, deadlineMs)
    return { held, reached: first.opened, open: gate.open }
  }

  const messageOf = async (answer: ReturnType<TestCatalog['post']>) => (await catalog.refused(504, answer)).message

  it('is not applied later if its body was still arriving', async () => {
    const { opened, open } = newGate()
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await opened
        controller.enqueue(new TextEncoder().encode(JSON.stringify([catalog.record('late')])))
        controller.close()
      },
    })
    const init = { headers: { 'Content-Type': 'application/json' }, body }
    const answer = through(({ run }) => run()).send('POST', '/', {}, init)
    expect(await messageOf(answer)).toContain('Nothing was written')
    open()
    await settleBackground()
    expect(await catalog.ids()).toEqual(['first'])
  })

  it('is reported as unknown if it is in the database, and may be applied', async () => {
    const { held, open } = holding(({ writes }) => writes)
    expect(await messageOf(held.post([catalog.record('late')]))).toContain('It is safe to retry')
    const change = held.send('POST', '/search-status/', {}, jsonBody({ enabled: true }))
    expect(await messageOf(change)).toContain('It is safe to retry')
    open()
    await settleBackground()
    expect(await catalog.write([catalog.record('late')])).toMatchObject({ unchanged: 1 })
  })

  it('is reported as not written if it is a dry run or a read', async () => {
    const { held, open } = holding(({ writes }) => !writes)
    const dry = held.post([catalog.record('x')], { dry_run: true })
    expect(await messageOf(dry)).toContain('Nothing was written')
    expect(await messageOf(held.send('GET', '/'))).toContain('Nothing was written')
    open()
  })

  it('releases its slot if it is large, so that later writes can run', async () => {
    const refid = 'x'.repeat(LARGE_BODY_BYTES / 2)
    const large = (id: string) => [catalog.record(id, { refid }), catalog.record(`${id} too`, { refid })]
    expect(JSON.stringify(large('x')).length).toBeGreaterThan(LARGE_BODY_BYTES)
    // The first call checks whether the file is that of the last write, before it is queued.
    let changes = 0
    const { held, reached, open } = holding(({ writes }) => writes && ++changes > 1, 5 * LIMIT_MS)
    const impatient = through(({ run }) => run(), LIMIT_MS / 2)
    const stuck = held.post(large('first'))
    await reached
    expect(await messageOf(impatient.post(large('waiting')))).toContain('Nothing was written')
    expect(await messageOf(stuck)).toContain('It is safe to retry')
    expect(await catalog.write(large('third'))).toMatchObject({ inserted: 2 })
    open()
    await settleBackground()
    expect(await catalog.write(large('fourth'))).toMatchObject({ inserted: 2 })
    const ids = ['first', 'first too', 'fourth', 'fourth too', 'third', 'third too']
    expect((await catalog.ids()).sort()).toEqual(ids)
  })
})
