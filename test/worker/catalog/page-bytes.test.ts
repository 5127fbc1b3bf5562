import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_PAGE_BYTES } from '#shared/limits'
import type { Diff } from '#worker/catalog/schemas'
import { catalogOfEachTest } from '../../support/catalog'
import { TestHistory } from '../../support/history'

const catalog = catalogOfEachTest()
const RECORD_BYTES = 490_000
const COUNT = 12

const history = new TestHistory(catalog)

describe('large records', () => {
  beforeEach(async () => {
    const records = catalog.records(COUNT, (n) => ({ refid: 'x'.repeat(RECORD_BYTES), name: `name ${n}` }))
    await catalog.write(records.slice(0, COUNT / 2))
    await catalog.write(records.slice(COUNT / 2))
  })

  it.each([{}, { q: 'n', sort: '-name', updated_since: '2020-01-01' }])('fill shorter pages: %j', async (query) => {
    const found: string[] = []
    let pages = 0
    for (let more = true; more; pages++) {
      const page = await catalog.list({ ...query, limit: 1000, offset: found.length })
      expect(page).toMatchObject({ total: COUNT, count: page.items.length })
      expect(JSON.stringify(page.items).length).toBeLessThan(MAX_PAGE_BYTES + 2 * RECORD_BYTES)
      found.push(...page.items.map((item) => item.medication_id as string))
      more = page.has_more
      expect(more).toBe(found.length < COUNT)
    }
    expect(pages).toBeGreaterThan(1)
    expect(new Set(found).size).toBe(COUNT)
  })

  it('fill shorter pages of changes', async () => {
    const { items, cursor } = await history.changes()
    expect(items.length).toBeLessThan(MAX_PAGE_BYTES / RECORD_BYTES + 2)
    const rest = await history.changes({ cursor: cursor! })
    expect(rest.items[0]!.record.medication_id).toBe(`r${items.length}`)
  })

  it('shorten the lists of a preview', async () => {
    const isLimited = (diff: Diff | undefined) => {
      expect(diff!.updated.length).toBeGreaterThan(1)
      expect(diff!.updated.length).toBeLessThanOrEqual(MAX_PAGE_BYTES / RECORD_BYTES + 1)
    }
    const preview = { dry_run: true, include: 'diff' }
    isLimited((await catalog.write(catalog.records(COUNT), preview)).diff)
    await catalog.write(catalog.records(COUNT))
    isLimited((await history.restore(2, preview)).diff)
  })

  it('are complete in files', async () => {
    const preview = { dry_run: true, include: 'diff', format: 'csv' }
    const changed = catalog.records(COUNT)
    expect((await catalog.export()).match(/name \d+/g)).toHaveLength(2 * COUNT)
    expect((await catalog.post(changed, preview)).text.match(/,refid,/g)).toHaveLength(COUNT)
    const { text: left } = await catalog.post([], { ...preview, mode: 'reconcile' })
    expect(left.match(/deactivated/g)).toHaveLength(COUNT)
    await catalog.write(changed)
    const { text: restored } = await history.send('POST', '/restore', { revision: 2, ...preview })
    expect(restored.match(/,refid,/g)).toHaveLength(COUNT)
  })
})
