import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { catalogOfEachTest } from '../../support/catalog'
import { execute } from '../../support/databases'
import { TestHistory } from '../../support/history'
import { type DatabaseCall, serviceWith } from '../storage/faulty-database'

const catalog = catalogOfEachTest()

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it('a write that waits for the database gets the time of its execution, so that updated_since finds it', async () => {
  const sent = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const waits = async ({ writes, run }: DatabaseCall) => {
    if (writes) sent.resolve()
    if (writes) await released.promise
    return run()
  }
  const written = catalog.through(serviceWith(waits)).write([catalog.record('late')])
  await sent.promise
  await pause(5)
  const lookedAt = new Date().toISOString()
  expect(await catalog.list({ show_inactive: 1 })).toMatchObject({ total: 0 })
  await pause(5)
  released.resolve()
  await written
  expect(await catalog.ids({ updated_since: lookedAt })).toEqual(['late'])
  const { updated_at, last_write } = await new TestHistory(catalog).status()
  expect(updated_at! > lookedAt).toBe(true)
  expect(last_write!.created_at < lookedAt).toBe(true)
})

it('after a clock was set back, a write is later than earlier ones, also for the same records', async () => {
  await catalog.write([catalog.record('a')])
  const ahead = Date.now() + 3_600_000
  // The clock of the previous write was an hour ahead.
  await env.DB.batch([
    env.DB.prepare('update records set written_at = ?').bind(ahead),
    env.DB.prepare('update catalogs set written_at = ?').bind(ahead),
    env.DB.prepare('update uploads set written_at = ?').bind(ahead),
  ])
  for (const n of [1, 2, 3]) {
    await catalog.write([catalog.record('a', { strength: `${n} mg` })])
    expect((await catalog.get('a')).updated_at).toBe(new Date(ahead + n).toISOString())
  }
  const { items } = await new TestHistory(catalog).changes({ since_revision: 1 })
  expect(items).toMatchObject([{ revision: 4, change: 'updated' }])
})

it('a write is later than the previous one, even if its clock was ahead', async () => {
  await catalog.write([catalog.record('a'), catalog.record('b')])
  await catalog.write([catalog.record('a')])
  // The machine that handled the second write was a minute ahead.
  await execute('update uploads set written_at = written_at + 60000 where revision = revision_before')
  await catalog.write([catalog.record('b', { strength: '5 mg' })])
  const history = new TestHistory(catalog)
  const { items } = await history.changes({ since_revision: 1 })
  expect(items).toMatchObject([{ revision: 2, change: 'updated' }])
  await history.restore(1)
  expect(await catalog.get('b')).toMatchObject({ strength: null })
})
