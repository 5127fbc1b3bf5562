import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { runScheduled } from '../../../../src/worker/scheduled'
import { settleBackground } from '../../../support/background'
import { catalogOfEachTest } from '../../../support/catalog'
import { moveToTheEnd, rowsIn, several } from '../../../support/databases'
import { eventually } from '../../../support/eventually'
import { TestHistory } from '../../../support/history'
import { answering, receiving } from '../../../support/receivers'
import { setWatch } from '../../../support/watches'
import { newWebhook, runLater, waiting, webhooksOf } from '../../../support/webhooks'

const TABLES = ['webhooks', 'webhook_messages', 'watches'] as const
const DAY_MS = 24 * 3600 * 1000

const rowsOf = (binding: 'DB' | 'DB_2') => Promise.all(TABLES.map((table) => rowsIn(binding, table)))

describe('the webhooks and watches of a workspace that is moved', () => {
  const catalog = catalogOfEachTest()
  let id: string

  beforeEach(async () => {
    id = catalog.workspace.workspaceId
    await newWebhook(id)
    await setWatch(catalog, { every_hours: 24 })
    receiving(answering(500))
    await catalog.write([catalog.record('a')])
    await settleBackground()
  })

  it('are the same in the new database, with the messages that wait, which are sent from there', async () => {
    const before = [await webhooksOf(id), (await new TestHistory(catalog).status()).sync]
    const message = await waiting()
    await moveToTheEnd(id, 'DB_2')
    expect(await waiting(env.DB_2)).toEqual(message)
    expect([await webhooksOf(id), (await new TestHistory(catalog).status()).sync]).toEqual(before)
    const received = receiving()
    await runLater(11, several)
    expect(received).toHaveLength(1)
    expect(await rowsOf('DB_2')).toEqual([1, 0, 1])
    // The old copy stays as it is for a day.
    expect(await rowsOf('DB')).toEqual([1, 1, 1])
    await runScheduled(several, new Date(Date.now() + DAY_MS + 60_000))
    expect(await rowsOf('DB')).toEqual([0, 0, 0])
  })

  it('move back over what was left there, without rows that were deleted meanwhile', async () => {
    await moveToTheEnd(id, 'DB_2')
    const received = receiving()
    await runLater(11, several)
    await newWebhook(id, { url: 'https://hooks.example/second' })
    await moveToTheEnd(id, 'DB')
    expect(await rowsOf('DB')).toEqual([2, 0, 1])
    expect(received).toHaveLength(1)
  })

  it('get the outcome of an attempt that was under way during the move', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const received = receiving(() => promise)
    const run = runLater(11, several)
    await eventually(() => expect(received).toHaveLength(1))
    await moveToTheEnd(id, 'DB_2')
    resolve(new Response())
    await run
    expect(await rowsOf('DB_2')).toEqual([1, 0, 1])
    expect(await webhooksOf(id)).toMatchObject([{ last_status: 200 }])
  })
})
