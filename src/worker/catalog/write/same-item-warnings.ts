import { type SQL, sql } from 'drizzle-orm'
import type { RecordType } from '#shared/records/record-type'
import { SameItems } from '#shared/records/same-items'
import { ReadTexts } from '#shared/records/search/read-texts'
import { storedValues, writtenData, writtenName } from '#shared/records/stored-form'
import { countText, namedValues, type Warning, type WarningExample } from '#shared/records/warnings'
import type { Catalog } from '#worker/catalog/catalog'
import { catalogRows } from '#worker/catalog/read/sql/page'
import { pause } from '#worker/http/steps'
import type { CatalogKey } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import type { CheckedRequest } from './check-request'
import type { Chunk } from './sql/sent-records'
import { sentIds } from './sql/sent-records'

/** Records compared between two pauses: a few milliseconds. */
const RECORDS_PER_STEP = 250

/** With more records, which are very small, nothing is compared, because it would use too much memory. */
const MOST_RECORDS = 50_000

/** Most stored records with the name of a sent one that are compared. */
const MOST_STORED = 20_000

/** Names per bound value: at most a megabyte. */
const NAMES_PER_VALUE = 5000

/** A record that a write would store, and the key that it shares with other entries of the same item. */
interface SentItem {
  id: string
  position: number
  name: string
  key: string
}

/** The active records of the request, except those known to be stored as sent. */
async function sentItems(type: RecordType, chunks: readonly Chunk[], items: SameItems): Promise<SentItem[]> {
  const sent: SentItem[] = []
  for (const { json } of chunks) {
    const elements: (readonly unknown[])[] = JSON.parse(json)
    for (const [n, element] of elements.entries()) {
      if (n % RECORDS_PER_STEP === 0) await pause()
      if (element[1] !== 1) continue
      const record = storedValues(type, writtenData(element))
      sent.push({
        id: String(element[0]),
        position: Number(element[5]),
        name: writtenName(element),
        key: items.keyOf(record),
      })
    }
  }
  return sent
}

/** Active records of the catalog with one of these folded names. */
const storedWithNames = (catalogKey: CatalogKey, names: readonly string[]): SQL<{ id: string; data: string }> => {
  const lists = Array.from({ length: Math.ceil(names.length / NAMES_PER_VALUE) }, (_, n) =>
    JSON.stringify(names.slice(n * NAMES_PER_VALUE, (n + 1) * NAMES_PER_VALUE)),
  )
  return sql`select record_id as id, data from ${catalogRows(catalogKey)} and is_active = 1
      and substr(search_text, 2, name_length) in (${sentIds(lists)})
    order by row_id limit ${int(MOST_STORED + 1)}`
}

/** The warning that there may be identical items that were not looked for. */
const notCompared = (why: string): Warning => ({
  field: 'name',
  msg: `not all records were compared to find identical items (same_item): ${why}`,
  code: 'not_compared',
})

/**
 * New and changed records that are the same item as another active record, in the catalog or in the request
 * (docs/contract.md#warnings). Only for dry runs, because it reads the names of the catalog.
 *
 * @param examples the most that are listed
 */
export async function sameItemWarnings(
  { db, catalogKey, type }: Catalog,
  { chunks, indexes, idLists, total }: Pick<CheckedRequest, 'chunks' | 'indexes' | 'idLists' | 'total'>,
  mode: 'upsert' | 'reconcile',
  examples: number,
): Promise<Warning[]> {
  if (chunks.length === 0) return []
  if (total > MOST_RECORDS) return [notCompared(`the request has more than ${MOST_RECORDS} records`)]
  const texts = new ReadTexts()
  const items = new SameItems(type, texts)
  const sent = await sentItems(type, chunks, items)
  if (sent.length === 0) return []
  const names = [...new Set(sent.map(({ name }) => texts.of(name).line))]
  const changed = new Set(sent.map(({ id }) => id))
  const kept = mode === 'reconcile' ? new Set(idLists.flatMap((json): string[] => JSON.parse(json))) : undefined
  const stored = await db.all(storedWithNames(catalogKey, names))
  for (const { id, data } of stored.slice(0, MOST_STORED)) {
    if (!changed.has(id) && kept?.has(id) !== false) items.add(id, storedValues(type, data))
  }
  const listed: WarningExample[] = []
  let count = 0
  for (const { id, position, name, key } of sent) {
    const similarTo = items.addKey(id, key)
    if (similarTo === undefined || count++ >= examples) continue
    listed.push({ index: indexes[position] ?? position, value: name, similar_to: similarTo })
  }
  const cutOff =
    stored.length > MOST_STORED
      ? [notCompared(`more than ${MOST_STORED} stored records have names of the request, the others were left out`)]
      : []
  if (count === 0) return cutOff
  const msg =
    `${countText(count, 'record')} with another record that is identical except for the ID, sku, refid and aliases: ` +
    namedValues(listed, count)
  return [{ field: 'name', msg, code: 'same_item', count, examples: listed }, ...cutOff]
}
