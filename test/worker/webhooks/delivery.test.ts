import { beforeEach, describe, expect, it } from 'vitest'
import { settleBackground } from '../../support/background'
import { catalogOfEachTest, newCatalog, TestCatalog } from '../../support/catalog'
import { eventually } from '../../support/eventually'
import { TestHistory } from '../../support/history'
import { answering, type Received, receiving, verified } from '../../support/receivers'
import { enable, HOOK, newWebhook, runLater, waiting, webhooksOf } from '../../support/webhooks'
import { type DatabaseCall, failing, lostAfter, serviceWith } from '../storage/faulty-database'

const catalog = catalogOfEachTest()
let id: string

beforeEach(() => {
  id = catalog.workspace.workspaceId
})

/** Writes one record, and waits for the messages that are sent after the response. */
async function write(name: string, of = catalog) {
  const result = await of.write([of.record('a', { name })])
  await settleBackground()
  return result
}

const revisions = (received: readonly Received[]) => received.map(({ data }) => data.revision)

const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers['webhook-id'])

describe('a write', () => {
  it('that changed something is reported immediately, in a message that the reference library accepts', async () => {
    const { secret } = await newWebhook(id)
    const received = receiving()
    await catalog.upload('id,name\na,Metformin\nb,Aspirin\n')
    await settleBackground()
    const status = await new TestHistory(catalog).status()
    expect(received).toHaveLength(1)
    const write = { type: 'medication', revision: 1, mode: 'upsert', by: catalog.workspace.clientId }
    const counts = { total: 2, inserted: 2, updated: 0, reactivated: 0, unchanged: 0, deactivated: 0 }
    expect(verified(secret, received[0]!)).toEqual({
      type: 'catalog.changed',
      timestamp: status.updated_at,
      data: { ...write, ...counts, batch_id: status.last_write?.batch_id },
    })
    expect(await waiting()).toEqual([])
    expect(await webhooksOf(id)).toMatchObject([{ last_status: 204, failing_since: null }])
  })

  it('that changed nothing, was rejected or was a dry run is not reported', async () => {
    await newWebhook(id)
    const received = receiving()
    await write('one')
    await write('one')
    await catalog.write([catalog.record('b')], { dry_run: true })
    await catalog.refused(409, catalog.post([catalog.record('b')], { expected_revision: 7 }))
    await settleBackground()
    await runLater()
    expect(received).toHaveLength(1)
  })

  it('whose response was lost is reported once, by the scheduled run', async () => {
    await newWebhook(id)
    const received = receiving()
    await write('one', catalog.through(serviceWith(failing([lostAfter()], ({ writes }) => writes))))
    await runLater()
    await runLater(11)
    expect(revisions(received)).toEqual([1])
  })

  it('is reported to each subscribed webhook of its own workspace, and so are a restore and a reconcile', async () => {
    await newWebhook(id, { url: `${HOOK}/1` })
    await newWebhook(id, { url: `${HOOK}/2`, events: ['sync.late'] })
    await newWebhook(id, { url: `${HOOK}/3`, events: ['sync.late', 'catalog.changed'] })
    await newWebhook((await newCatalog()).workspace.workspaceId, { url: `${HOOK}/theirs` })
    const received = receiving()
    await write('one')
    expect(received.map(({ url }) => url).sort()).toEqual([`${HOOK}/1`, `${HOOK}/3`])
    expect(new Set(idsOf(received)).size).toBe(1)
    await catalog.reconcile([catalog.record('b')], { confirm_shrink: true })
    await settleBackground()
    await new TestHistory(catalog).restore(1, { confirm_shrink: true })
    await settleBackground()
    const first = received.filter(({ url }) => url === `${HOOK}/1`)
    expect(first.map(({ data }) => data.mode)).toEqual(['upsert', 'reconcile', 'restore'])
    expect(revisions(first)).toEqual([1, 2, 3])
  })

  it('returns without waiting for a slow receiver', async () => {
    await newWebhook(id)
    const { promise, resolve } = Promise.withResolvers<Response>()
    const received = receiving(() => promise)
    expect(await catalog.write([catalog.record('a')])).toMatchObject({ inserted: 1 })
    await eventually(() => expect(received).toHaveLength(1))
    resolve(new Response())
    await settleBackground()
    expect(await waiting()).toEqual([])
  })
})

describe('an undelivered message', () => {
  const isNote = ({ statements }: DatabaseCall) => statements.some((sql) => sql.startsWith('update webhooks'))

  it('is repeated with the same ID at fixed times', async () => {
    const { secret } = await newWebhook(id)
    const received = receiving(answering(500))
    await write('one')
    const times = [10, 30, 120, 300, 600, 1440]
    for (const [n, minutes] of times.entries()) {
      await runLater(minutes - 1)
      expect(received).toHaveLength(n + 1)
      await runLater(minutes + 0.1)
      expect(received).toHaveLength(n + 2)
    }
    expect(new Set(idsOf(received)).size).toBe(1)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    for (const message of received) expect(verified(secret, message)).toBeTruthy()
    const attempts = [7, 6, 5, 4, 3, 2, 1]
    expect(await webhooksOf(id)).toMatchObject([
      { deliveries: attempts.map((attempt) => ({ event: 'catalog.changed', attempt, status: 500 })) },
    ])
    await runLater(1451)
    expect(await waiting()).toEqual([])
    await runLater(3000)
    expect(received).toHaveLength(7)
  })

  it('after a broken connection is delivered by a later attempt', async () => {
    await newWebhook(id)
    const received = receiving(() => Promise.reject(new TypeError('Network connection lost.')))
    await write('one')
    expect(await webhooksOf(id)).toMatchObject([{ failing_since: expect.any(String), disabled: false }])
    const again = receiving()
    await runLater(11)
    expect(idsOf(again)).toEqual(idsOf(received))
    expect(await webhooksOf(id)).toMatchObject([{ last_status: 204, failing_since: null }])
  })

  it('is replaced by a newer one of the same catalog, which is sent immediately', async () => {
    const symptoms = new TestCatalog(catalog.workspace, 'symptom')
    await newWebhook(id)
    const received = receiving(answering(500))
    await write('one')
    await write('one', symptoms)
    await write('two')
    const told = (messages: readonly Received[]) => messages.map(({ data }) => `${data.type} ${data.revision}`)
    expect(told(received)).toEqual(['medication 1', 'symptom 1', 'medication 2'])
    // A receiver that failed in a run gets no other message of that run.
    const failed = receiving(answering(500))
    for (const [minutes, messages] of [
      [11, ['symptom 1']],
      [22, ['symptom 1', 'medication 2']],
    ] as const) {
      await runLater(minutes)
      expect(told(failed)).toEqual(messages)
    }
    const again = receiving()
    await runLater(45)
    expect(told(again)).toEqual(['symptom 1', 'medication 2'])
  })

  it('is repeated with the same ID if the run dies between sending and recording', async () => {
    await newWebhook(id)
    const received = receiving()
    const dying = (call: DatabaseCall) => (isNote(call) ? Promise.reject(new Error('died')) : call.run())
    await write('one', catalog.through(serviceWith(dying)))
    expect(await waiting()).toEqual([{ event: 'catalog.changed', attempts: 1 }])
    const again = receiving()
    await runLater(5)
    expect(again).toEqual([])
    await runLater(11)
    expect(idsOf(again)).toEqual(idsOf(received))
    expect(await waiting()).toEqual([])
  })

  it('is sent once by two runs at the same time', async () => {
    await newWebhook(id)
    receiving(answering(500))
    await write('one', catalog.through(serviceWith(failing([lostAfter()], isNote))))
    expect((await webhooksOf(id)).map(({ deliveries }) => deliveries.length)).toEqual([1])
    const again = receiving()
    await Promise.all([runLater(11), runLater(11), runLater(11)])
    expect(again).toHaveLength(1)
  })
})

describe('a receiver', () => {
  it('that is gone is disabled immediately, and gets nothing until it is enabled', async () => {
    const { webhook_id } = await newWebhook(id)
    receiving(answering(410))
    await write('one')
    expect(await webhooksOf(id)).toMatchObject([{ disabled: true, last_status: 410 }])
    expect(await waiting()).toEqual([])
    const received = receiving()
    await write('two')
    await runLater(20)
    expect(received).toEqual([])
    expect(await enable(id, webhook_id)).toMatchObject({ disabled: false, failing_since: null })
    await write('three')
    expect(revisions(received)).toEqual([3])
  })

  it('that has accepted nothing for five days is disabled, not earlier', async () => {
    await newWebhook(id)
    receiving(answering(500))
    await write('one')
    const days = 24 * 60
    await runLater(5 * days - 1)
    expect(await webhooksOf(id)).toMatchObject([{ disabled: false }])
    await runLater(5 * days + 1)
    expect(await webhooksOf(id)).toMatchObject([{ disabled: true }])
  })

  it('that is slow does not delay other workspaces in the same run', async () => {
    const others = [await newCatalog(), await newCatalog(), await newCatalog()]
    for (let n = 0; n < 5; n++) await newWebhook(id, { url: `${HOOK}/slow/${n}` })
    for (const other of others) await newWebhook(other.workspace.workspaceId)
    receiving(answering(500))
    for (const each of [catalog, ...others]) await write('one', each)
    const { promise, resolve } = Promise.withResolvers<Response>()
    const received = receiving(({ url }) => (url === HOOK ? new Response() : promise))
    const run = runLater(11)
    await eventually(() => expect(received.filter(({ url }) => url === HOOK)).toHaveLength(3))
    expect(received.filter(({ url }) => url !== HOOK)).toHaveLength(1)
    resolve(new Response())
    await run
    expect(received).toHaveLength(8)
    expect(await waiting()).toEqual([])
  })
})
