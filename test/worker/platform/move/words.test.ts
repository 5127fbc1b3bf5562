import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { runScheduled } from '../../../../src/worker/scheduled'
import { newCatalog } from '../../../support/catalog'
import { moveToTheEnd, rowsIn, several } from '../../../support/databases'
import { idsFound, wordsIn } from '../../../support/searches'

const DAY_MS = 24 * 60 * 60 * 1000

const NAMES = Array.from({ length: 2500 }, (_, n) => `Medicine${n} common`)
const WORDS = [...NAMES.map((name) => name.split(' ')[0]!.toLowerCase()), 'common'].sort()

/** A catalog with the first of these names. */
async function namedCatalog(count: number) {
  const catalog = await newCatalog()
  await catalog.write(catalog.records(count, (n) => ({ name: NAMES[n], sku: `Sku ${n} Ä` })))
  return catalog
}

it('the words and codes of a workspace move with it, and leave nothing behind but those of others', async () => {
  const [moved] = [await namedCatalog(NAMES.length), await namedCatalog(3)]
  await moveToTheEnd(moved.workspace.workspaceId, 'DB_2')
  expect(await wordsIn(env.DB_2)).toEqual(WORDS)
  expect(await moved.ids({ q: 'edicine2042 common' })).toEqual(['r2042'])
  expect(await idsFound(moved, 'SKU 2042 ä')).toEqual(['r2042'])
  await runScheduled(several, new Date(Date.now() + DAY_MS + 60_000))
  expect(await wordsIn(env.DB)).toEqual(['common', 'medicine0', 'medicine1', 'medicine2'])
  expect(await rowsIn('DB', 'records_search_docsize')).toBe(3)
  expect(await wordsIn(env.DB_2)).toEqual(WORDS)
})
