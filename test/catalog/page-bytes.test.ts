import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { keptFileName } from '#catalog/write/upload'
import { MAX_FILE_NAME_LENGTH, MAX_PAGE_BYTES } from '#limits'
import { newCatalog, type TestCatalog } from '../support/catalog'

let catalog: TestCatalog

const RECORD_BYTES = 400_000
const COUNT = 25

beforeEach(async () => {
  catalog = await newCatalog()
  for (let first = 0; first < COUNT; first += 5) {
    await catalog.write(
      Array.from({ length: 5 }, (_, n) =>
        catalog.record(`r${first + n}`, { refid: 'x'.repeat(RECORD_BYTES), name: `name ${first + n}` }),
      ),
    )
  }
})

describe('a page of large records', () => {
  it.each([
    {},
    { q: 'name' },
    { q: 'n' },
    { show_inactive: 1 },
    { updated_since: '2020-01-01' },
    { sort: '-name' },
  ])('ends early, and the next one continues where it ended: %o', async (query) => {
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
    expect(pages).toBeGreaterThan(2)
    expect(new Set(found).size).toBe(COUNT)
  })

  it('has at least one record', async () => {
    expect((await catalog.list({ limit: 1 })).count).toBe(1)
  })

  it('leaves nothing out of an export', async () => {
    expect((await catalog.export()).match(/name \d+/g)).toHaveLength(2 * COUNT)
  })

  it('leaves nothing out of the changes as CSV, and limits the first changes too', async () => {
    const changed = Array.from({ length: COUNT }, (_, n) => catalog.record(`r${n}`, { name: `other ${n}` }))
    const init = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(changed) }
    const query = { dry_run: true, include: 'diff' }
    const { text } = await catalog.send('POST', '/', { ...query, format: 'csv' }, init)
    expect(text.match(/,refid,/g)).toHaveLength(COUNT)
    const { diff } = await catalog.write(changed, query)
    expect(diff!.updated.length).toBeGreaterThan(5)
    expect(diff!.updated.length).toBeLessThan(COUNT)
    const { text: left } = await catalog.send(
      'POST',
      '/',
      { ...query, mode: 'reconcile', format: 'csv' },
      {
        ...init,
        body: '[]',
      },
    )
    expect(left.match(/deactivated/g)).toHaveLength(COUNT)
  })
})

describe('the name of an uploaded file', () => {
  it('is stored without characters that are invisible or reorder text, and cut', () => {
    expect(keptFileName('catalog\u202Evsc.exe\u0000\r\n')).toBe('catalogvsc.exe')
    expect(keptFileName('x'.repeat(1_000_000))).toHaveLength(MAX_FILE_NAME_LENGTH)
    expect(keptFileName('Arzneimittel übersicht.csv')).toBe('Arzneimittel übersicht.csv')
    expect(keptFileName('\u200b \u0007')).toBeNull()
  })

  it('is cut in the list of batches if it was stored before the limit', async () => {
    await catalog.upload('id,name\na,A')
    await env.DB.prepare('update batches set file_name = ?').bind('y'.repeat(1_000_000)).run()
    expect((await catalog.batches()).latest!.file_name).toHaveLength(MAX_FILE_NAME_LENGTH)
  })
})
