import { describe, expect, it } from 'vitest'
import { catalogOfEachTest, newCatalog, type Query } from '../../../support/catalog'
import { bookmark, execute } from '../../../support/databases'
import { TestHistory, taggedReads } from '../../../support/history'
import { Mirror } from '../../../support/mirror'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)

const write = (id: string, strength: string) => catalog.write([catalog.record(id, { strength })])

const startsAgain = async (query: Query, field = 'epoch') => {
  const { errors } = await catalog.refused(400, history.send('GET', '/changes', query))
  expect(errors).toMatchObject([{ field, code: 'start_again' }])
}

it('the epoch of a catalog changes with each write that changes something, and with no other', async () => {
  expect((await history.status()).epoch).toBe('0')
  const first = await write('a', 'first')
  expect(await history.status()).toMatchObject({ revision: 1, epoch: first.epoch })
  expect((await history.changes()).epoch).toBe(first.epoch)
  expect(await write('a', 'first')).toMatchObject({ unchanged: 1, revision: 1, epoch: first.epoch })
  await catalog.setSearch(true)
  expect((await history.status()).epoch).toBe(first.epoch)
  const second = await write('a', 'second')
  expect(second.epoch).not.toBe(first.epoch)
  const dry = await catalog.write([catalog.record('c')], { dry_run: true })
  expect(dry).toMatchObject({ revision: 2, epoch: second.epoch })
  const restored = await history.restore(1)
  expect(restored).toMatchObject({ revision: 3, epoch: (await history.status()).epoch })
  expect(new Set(['0', first.epoch, second.epoch, restored.epoch]).size).toBe(4)
})

describe('after a rollback of the database to an earlier state', () => {
  it('no earlier entity tag returns 304, not even for a revision that is reached again', async () => {
    await write('a', 'first')
    const back = await bookmark()
    const reads = taggedReads(history)
    await write('a', 'lost')
    const tags = await Promise.all(reads.map(async (read) => (await read({})).headers.get('ETag')!))
    await back()
    await write('a', 'instead')
    for (const [n, read] of reads.entries()) expect((await read({ 'If-None-Match': tags[n]! })).status).toBe(200)
  })

  it('a write that expects the earlier state returns 409', async () => {
    await write('a', 'first')
    const back = await bookmark()
    await write('b', 'lost')
    const { revision, epoch } = await history.status()
    await back()
    const { epoch: present } = await write('c', 'instead')
    expect(await history.status()).toMatchObject({ revision, epoch: present })
    expect(present).not.toBe(epoch)
    for (const query of [{ expected_revision: revision, expected_epoch: epoch }, { expected_epoch: epoch }]) {
      for (const more of [{}, { dry_run: true }, { dry_run: true, include: 'diff', format: 'csv' }]) {
        const all = { ...query, ...more }
        const refused = await catalog.refused(409, catalog.post([catalog.record('d')], all))
        expect(refused.message).toContain('expected_epoch')
        await catalog.refused(409, history.send('POST', '/restore', { revision: 1, ...all }))
      }
    }
    // The present epoch is known without its write.
    await execute('delete from uploads')
    const fitting = { expected_revision: revision, expected_epoch: present }
    expect(await catalog.write([catalog.record('d')], fitting)).toMatchObject({ revision: 3 })
    await catalog.refused(409, catalog.post([catalog.record('e')], fitting))
  })

  it('a mirror that is ahead, or has followed another branch, is told to start over', async () => {
    const mirror = new Mirror(history)
    await write('a', 'first')
    const back = await bookmark()
    await write('a', 'lost')
    await mirror.follow()
    await catalog.write([catalog.record('b'), catalog.record('c')])
    const { cursor } = await history.changes({ limit: 1 })
    await back()
    await startsAgain({ limit: 1, cursor: cursor! }, 'cursor')
    const position = { since_revision: mirror.revision, epoch: mirror.epoch }
    await startsAgain(position)
    await write('b', 'instead')
    await startsAgain(position)
    await write('c', 'more')
    await startsAgain(position)
    const anew = new Mirror(history)
    await anew.follow()
    expect(anew.contents()).toEqual(await catalog.contents())
  })

  it('a mirror that saw a lost state on a later page is told to start over, despite its earlier revision', async () => {
    const mirror = new Mirror(history)
    await catalog.write([catalog.record('a', { strength: 'first' }), catalog.record('b', { strength: 'first' })])
    const back = await bookmark()
    await mirror.follow(1, async () => void (await write('b', 'lost')))
    expect([mirror.revision, mirror.records.get('b')?.strength]).toEqual([1, 'lost'])
    await back()
    await startsAgain({ since_revision: mirror.revision, epoch: mirror.epoch })
  })
})

it('the change feed tells a mirror to start over if its write is no longer known', async () => {
  const { epoch } = await write('a', 'first')
  await write('a', 'again')
  await write('b', 'second')
  const other = await newCatalog()
  for (const unknown of [(await other.write([other.record('theirs')])).epoch, crypto.randomUUID()])
    await startsAgain({ since_revision: 1, epoch: unknown })
  await catalog.refused(400, history.send('GET', '/changes', { since_revision: 1, epoch: 'not one' }))
  await execute('delete from uploads where revision = 1')
  await startsAgain({ since_revision: 1, epoch })
  const { items } = await history.changes({ since_revision: 1 })
  expect(items.map(({ revision }) => revision)).toEqual([2, 3])
  // The beginning accepts any epoch, but every cursor needs one.
  const { cursor } = await history.changes({ epoch: crypto.randomUUID(), limit: 1 })
  await catalog.refused(400, history.send('GET', '/changes', { cursor: cursor!.split('.').slice(0, 3).join('.') }))
})
