import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { catalogOfEachTest, type WriteResult } from '../../support/catalog'
import { execute, rowsIn } from '../../support/databases'

const catalog = catalogOfEachTest()
const { record } = catalog

const resultOf = (body: unknown): WriteResult => (body as { data: WriteResult }).data

/** Compares the counters and the full-text index with the records, and finds each record by its name. */
async function expectConsistent(): Promise<void> {
  const counted = await env.DB.prepare(
    'select catalog_id, count(*) as total_records, sum(is_active) as active_records from records group by catalog_id',
  ).all()
  const kept = await env.DB.prepare(
    'select catalog_id, total_records, active_records from catalogs where total_records > 0 order by catalog_id',
  ).all()
  expect(kept.results).toEqual(counted.results)
  const searched = await env.DB.prepare('select rowid from records_search order by rowid').raw()
  const recorded = await env.DB.prepare('select row_id from records order by row_id').raw()
  expect(searched).toEqual(recorded)
  for (const [id, { name }] of await catalog.contents())
    expect(await catalog.ids({ q: String(name), show_inactive: 1 }), String(name)).toContain(id)
}

describe('concurrent writes of one catalog', () => {
  it('are applied completely and one after another', async () => {
    await catalog.write(catalog.records(10))
    const writes = Array.from({ length: 24 }, (_, n) => {
      const shared = record('shared', { name: `shared by ${n}` })
      const own = Array.from({ length: 5 }, (_, i) => record(`own ${n}-${i}`, { name: `own${n}x${i}` }))
      if (n % 4 === 0) {
        const query = { mode: 'reconcile', confirm_shrink: true }
        return catalog.post([shared, ...own, ...catalog.records(10)], query)
      }
      return n % 4 === 1 ? catalog.post(catalog.records(10)) : catalog.post([shared, ...own])
    })
    const answers = await Promise.all(writes)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const results = answers.map(({ body }) => resultOf(body))
    const sum = (count: (result: WriteResult) => number) => results.reduce((total, result) => total + count(result), 0)

    const contents = await catalog.contents()
    expect(10 + sum(({ inserted }) => inserted)).toBe(contents.size)
    const active = [...contents.values()].filter(({ is_active }) => is_active).length
    expect(10 + sum(({ active_before, active_after }) => active_after - active_before)).toBe(active)
    expect((await catalog.list()).total).toBe(active)

    const changing = results.filter(({ total, unchanged, deactivated }) => total > unchanged || deactivated > 0)
    const revisions = changing.map(({ revision }) => revision).sort((a, b) => a - b)
    expect(revisions).toEqual(changing.map((_, n) => n + 2))
    expect(await catalog.write([])).toMatchObject({ revision: changing.length + 1 })

    // In the order of their revisions, each begins with the state that the previous one left.
    const ordered = changing.sort((a, b) => a.revision - b.revision)
    for (const [n, result] of ordered.entries()) {
      expect(result.active_before).toBe(n === 0 ? 10 : ordered[n - 1]!.active_after)
    }
    await expectConsistent()
  })

  it('with expected_revision succeed for exactly one of five', async () => {
    await catalog.write([record('a')])
    const write = (n: number) => catalog.post([record('a', { name: `writer ${n}` })], { expected_revision: 1 })
    const answers = await Promise.all([0, 1, 2, 3, 4].map(write))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await catalog.get('a')).toMatchObject({ name: `writer ${winner}` })
    expect(await catalog.write([])).toMatchObject({ revision: 2 })
  })

  it('to a catalog that does not exist yet create it once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => catalog.post([record(`r${n}`)])))
    expect(answers.map(({ body }) => resultOf(body).revision).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(await rowsIn('DB', 'catalogs')).toBe(1)
    await expectConsistent()
  })

  it('cannot together exceed the shrink guard if each of them alone passes it', async () => {
    const names = catalog.records(10)
    await catalog.write(names)
    const halves = [names.slice(0, 5), names.slice(5).map((item) => ({ ...item, strength: 'changed' }))]
    for (const half of halves)
      expect(await catalog.reconcile(half, { dry_run: true })).not.toHaveProperty('shrink_guard')
    const answers = await Promise.all(halves.map((half) => catalog.post(half, { mode: 'reconcile' })))
    // The first leaves 5 of 10. The second lacks all these 5, and is blocked with exactly these numbers.
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const errors = [{ code: 'shrink_guard', active_before: 5, would_deactivate: 5 }]
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ errors })
    expect((await catalog.list()).total).toBe(5)
    await expectConsistent()
  })

  it('leave the records of one of them, never a mixture, if they are confirmed reconciles', async () => {
    const sets = ['x', 'y'].map((letter) => Array.from({ length: 20 }, (_, n) => record(`${letter}${n}`)))
    await Promise.all(sets.map((set) => catalog.reconcile(set, { confirm_shrink: true })))
    const ids = await catalog.ids()
    expect([ids.length, new Set(ids.map((id) => id[0])).size]).toEqual([20, 1])
    await expectConsistent()
  })
})

describe('a failing statement inside a write', () => {
  const tables = ['insert on records', 'update on uploads', 'update on catalogs']

  it.each(tables)('leaves no effect of the write: %s', async (event) => {
    await catalog.write([record('kept'), record('changed')])
    const before = await env.DB.prepare('select * from records order by row_id').raw()
    await execute(
      `create trigger fault after ${event} begin select raise(abort, 'the inside') where new.rowid is not null; end`,
    )
    onTestFinished(async () => void (await execute('drop trigger if exists fault')))
    const sent = [record('changed', { name: 'new name' }), record('new')]
    const { message } = await catalog.refused(500, catalog.post(sent, { mode: 'reconcile' }))
    expect(message).not.toContain('inside')
    expect(await env.DB.prepare('select * from records order by row_id').raw()).toEqual(before)
    expect(await env.DB.prepare('select count(*) as n from uploads where written_at is not null').first('n')).toBe(1)
    await execute('drop trigger fault')
    await expectConsistent()
    expect(await catalog.reconcile(sent)).toMatchObject({ inserted: 1, updated: 1, deactivated: 1, revision: 2 })
  })
})
