import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_PAGE_BYTES } from '#shared/limits'
import { catalogOfEachTest } from '../../support/catalog'
import { TestHistory } from '../../support/history'

const catalog = catalogOfEachTest()
const RECORD_BYTES = 490_000
const COUNT = 12

/** A catalog of 5 MB. */
beforeEach(async () => {
  const records = catalog.records(COUNT, (n) => ({ refid: 'x'.repeat(RECORD_BYTES), name: `name ${n}` }))
  await catalog.write(records.slice(0, COUNT / 2))
  await catalog.write(records.slice(COUNT / 2))
})

const QUERIES = [{}, { q: 'n', sort: '-name', updated_since: '2020-01-01' }]

describe('a page of large records', () => {
  it('has at least one record, ends early, and the next one continues where it ended', async () => {
    expect((await catalog.list({ limit: 1 })).count).toBe(1)
    for (const query of QUERIES) {
      const found: string[] = []
      let pages = 0
      for (let more = true; more; pages++) {
        const page = await catalog.list({ ...query, limit: 1000, offset: found.length })
        expect(page.total).toBe(COUNT)
        expect(page.count).toBe(page.items.length)
        expect(JSON.stringify(page.items).length).toBeLessThan(MAX_PAGE_BYTES + 2 * RECORD_BYTES)
        found.push(...page.items.map((item) => item.medication_id as string))
        more = page.has_more
        expect(more).toBe(found.length < COUNT)
      }
      expect(pages, JSON.stringify(query)).toBeGreaterThan(1)
      expect(new Set(found).size).toBe(COUNT)
    }
    // The cursor of a page of changes continues there too.
    const history = new TestHistory(catalog)
    const { items, cursor } = await history.changes()
    expect(items.length).toBeLessThan(MAX_PAGE_BYTES / RECORD_BYTES + 2)
    const rest = await history.changes({ cursor: cursor! })
    expect(rest.items[0]!.record.medication_id).toBe(`r${items.length}`)
  })

  it('leaves nothing out of an export and of the changes as CSV, and limits the first changes too', async () => {
    expect((await catalog.export()).match(/name \d+/g)).toHaveLength(2 * COUNT)
    const changed = Array.from({ length: COUNT }, (_, n) => catalog.record(`r${n}`, { name: `other ${n}` }))
    const query = { dry_run: true, include: 'diff' }
    const { text } = await catalog.post(changed, { ...query, format: 'csv' })
    expect(text.match(/,refid,/g)).toHaveLength(COUNT)
    const { diff } = await catalog.write(changed, query)
    expect(diff!.updated.length).toBeGreaterThan(5)
    expect(diff!.updated.length).toBeLessThan(COUNT)
    const { text: left } = await catalog.post([], { ...query, mode: 'reconcile', format: 'csv' })
    expect(left.match(/deactivated/g)).toHaveLength(COUNT)
  })

  it('limits the diff of a restore too, which has all of them as a file', async () => {
    const history = new TestHistory(catalog)
    await catalog.write(catalog.records(COUNT))
    const preview = { dry_run: true, include: 'diff' }
    const { diff } = await history.restore(2, preview)
    expect(diff!.updated.length).toBeGreaterThan(1)
    expect(diff!.updated.length).toBeLessThanOrEqual(MAX_PAGE_BYTES / RECORD_BYTES + 1)
    const { text } = await history.send('POST', '/restore', { revision: 2, ...preview, format: 'csv' })
    expect(text.match(/,refid,/g)).toHaveLength(COUNT)
  })
})
