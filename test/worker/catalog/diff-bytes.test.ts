import { expect, it } from 'vitest'
import { MAX_PAGE_BYTES } from '#shared/limits'
import { newCatalog, type TestCatalog } from '../../support/catalog'
import { TestHistory } from '../../support/history'

const LARGE = 400_000
const COUNT = 14
const DIFF = { dry_run: true, include: 'diff' }

/** Records. The first ones are very large. */
const records = (catalog: TestCatalog, letter: string) =>
  catalog.records(COUNT, () => ({ refid: letter.repeat(LARGE) }))

const changesIn = (csv: string) => csv.match(/^(updated|inserted|deactivated),/gm) ?? []

it('a diff as a file has every change, also between very large ones and others', async () => {
  const catalog = await newCatalog()
  await catalog.write(records(catalog, 'x'))
  // Small ones in their place: all of them are in one request to the database.
  const after = [...catalog.records(COUNT), catalog.record('new')]
  const { text } = await catalog.post(after, { ...DIFF, format: 'csv' })
  expect(changesIn(text).filter((line) => line === 'updated,')).toHaveLength(COUNT)
}, 60_000)

it('the diff of a restore shows of very large records what fits into a page, and all of them as a file', async () => {
  const catalog = await newCatalog()
  const history = new TestHistory(catalog)
  await catalog.write(records(catalog, 'x'))
  await catalog.write([...records(catalog, 'y'), catalog.record('new')])
  const { diff } = await history.restore(1, DIFF)
  expect(diff!.updated.length).toBeGreaterThan(1)
  expect(diff!.updated.length).toBeLessThanOrEqual(MAX_PAGE_BYTES / LARGE / 2 + 1)
  expect(diff!.deactivated).toHaveLength(1)
  const { text } = await history.send('POST', '/restore', { revision: 1, ...DIFF, format: 'csv' })
  expect(changesIn(text).filter((line) => line === 'updated,')).toHaveLength(COUNT)
}, 60_000)
