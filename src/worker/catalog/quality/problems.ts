import { type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { EXPORT_PAGE_ROWS } from '#shared/limits'
import type { ProblemCode } from '#shared/records/problem-codes'
import { problemsOf, type RecordProblem } from '#shared/records/problems'
import { SameItems } from '#shared/records/same-items'
import { ReadTexts } from '#shared/records/search/read-texts'
import { type RecordRow, returnedForm, storedValues } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import { noSuchRecord } from '#worker/catalog/read/list'
import { returnedBytes, withinPageBytes } from '#worker/catalog/read/sql/page'
import { stateStatement } from '#worker/catalog/write/sql/state'
import { pause } from '#worker/http/steps'
import { type CatalogKey, catalogIdOf, firstRowId, numberColumn, withinCatalog } from '#worker/storage/catalog-key'
import { firstOf, int, type WithSlot } from '#worker/storage/database'
import { asPage, type PageRequest } from '#worker/storage/list-page'

/** Possible problems of stored records (docs/contract.md#possible-problems). */

interface Problem extends Omit<RecordProblem, 'code'> {
  code: ProblemCode
  /** Number of the record within its catalog; see `records.row_id`. */
  number: number
  id: string
  similar_to?: string
}

interface StoredRow {
  number: number
  record_id: string
  data: string
}

/** Records checked between two pauses: a few milliseconds. */
const RECORDS_PER_STEP = 250

/** Problems in the cache, of about 300 bytes each: a few megabytes. */
const MOST_CACHED_PROBLEMS = 20_000

/** The problems of a catalog, accepted or not. */
interface FoundProblems {
  epoch: string | null
  problems: readonly Problem[]
}

const cache = new LRUCache<string, FoundProblems>({
  maxSize: MOST_CACHED_PROBLEMS,
  sizeCalculation: ({ problems }) => problems.length + 1,
})

/** Active records after a number, in the order of the table. */
const activeRows = (catalogKey: CatalogKey, after: number): SQL<StoredRow> =>
  sql`select ${numberColumn} as number, record_id, data from records where row_id in (
      select row_id from (${withinPageBytes(
        sql`select row_id, ${returnedBytes} as bytes from records not indexed
          where ${withinCatalog(sql`row_id`, catalogKey, after + 1)} and catalog_id = ${catalogIdOf(catalogKey)}
            and is_active = 1
          order by row_id limit ${int(EXPORT_PAGE_ROWS)}`,
        sql`row_id`,
      )}))
    order by row_id`

/** Compares two texts by code units, as IDs are compared. */
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Checks all active records of the catalog, with one slot per page, and with pauses.
 *
 * @returns the problems and their epoch, which is null if the catalog has changed in the meantime
 */
async function findProblems({ db, catalogKey, type }: Catalog, withSlot: WithSlot): Promise<FoundProblems> {
  const problems: Problem[] = []
  const texts = new ReadTexts()
  const sameItems = new SameItems(type, texts)
  const epochs = new Set<string>()
  let after = -1
  for (;;) {
    const from = after
    const [states, rows] = await withSlot(() => db.batch([stateStatement(catalogKey), activeRows(catalogKey, from)]))
    epochs.add(firstOf(states).epoch)
    for (const [n, { number, record_id: id, data }] of rows.entries()) {
      if (n % RECORDS_PER_STEP === 0) await pause()
      const record = storedValues(type, data)
      for (const problem of problemsOf(type, record, texts)) problems.push({ ...problem, number, id })
      const similar_to = sameItems.add(id, record)
      if (similar_to !== undefined)
        problems.push({ code: 'same_item', field: 'name', value: String(record.name), similar_to, number, id })
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.number
  }
  problems.sort((a, b) => byText(a.code, b.code) || byText(a.id, b.id))
  const [epoch = null, ...others] = epochs
  return { problems, epoch: others.length === 0 ? epoch : null }
}

/** The current problems of the catalog, cached by its epoch. */
async function knownProblems(catalog: Catalog, withSlot: WithSlot): Promise<readonly Problem[]> {
  const { db, catalogKey } = catalog
  const key = JSON.stringify([catalogKey.workspaceId, catalogKey.type])
  const known = cache.get(key)
  if (known !== undefined) {
    const { epoch } = firstOf(await withSlot(() => db.all(stateStatement(catalogKey))))
    if (known.epoch === epoch) return known.problems
  }
  const found = await findProblems(catalog, withSlot)
  cache.set(key, found)
  return found.problems
}

const acceptedKey = (number: number, code: string): string => `${number} ${code}`

/** Accepted problems whose records have not changed since. */
const acceptedProblems = (catalogKey: CatalogKey): SQL<{ number: number; code: ProblemCode }> =>
  sql`select ${numberColumn} as number, code from accepted_problems cross join records using (row_id)
    where accepted_problems.catalog_id = ${catalogIdOf(catalogKey)}
      and records.catalog_id = accepted_problems.catalog_id and records.written_at = accepted_problems.written_at`

const recordsNumbered = (catalogKey: CatalogKey, numbers: readonly number[]): SQL<RecordRow & { number: number }> => {
  const catalog = catalogIdOf(catalogKey)
  return sql`select ${numberColumn} as number, record_id, is_active, written_at, data, added_names
    from json_each(${JSON.stringify(numbers)}) as wanted
      cross join records on row_id = ${firstRowId(catalog)} + wanted.value and catalog_id = ${catalog}`
}

/** A page of the possible problems of a catalog, by code and ID, without accepted ones. */
export async function listProblems(
  catalog: Catalog,
  { limit, offset, code }: PageRequest & { code?: ProblemCode | undefined },
  withSlot: WithSlot,
) {
  const { db, catalogKey, type } = catalog
  const all = await knownProblems(catalog, withSlot)
  const rows = all.length === 0 ? [] : await withSlot(() => db.all(acceptedProblems(catalogKey)))
  const accepted = new Set(rows.map((row) => acceptedKey(row.number, row.code)))
  const open = all.filter((problem) => !accepted.has(acceptedKey(problem.number, problem.code)))
  const by_code = { check_digit: 0, same_item: 0, strength_conflict: 0 }
  for (const problem of open) by_code[problem.code]++
  const listed = code === undefined ? open : open.filter((problem) => problem.code === code)
  const page = listed.slice(offset, offset + limit)
  const numbers = page.map(({ number }) => number)
  const records = page.length === 0 ? [] : await withSlot(() => db.all(recordsNumbered(catalogKey, numbers)))
  const byNumber = new Map(records.map((row) => [row.number, row]))
  const items = page.flatMap(({ number, id, ...problem }) => {
    const row = byNumber.get(number)
    return row === undefined ? [] : [{ record: returnedForm(type, row), ...problem }]
  })
  // A record may have disappeared by now. The next page starts after it anyway.
  const has_more = offset + page.length < listed.length
  return { ...asPage(items, listed.length, { limit, offset }), has_more, by_code }
}

/** Accepts a possible problem of an active record until the record changes. @throws ApiError 404 */
export async function acceptProblem({ db, catalogKey, type }: Catalog, id: string, code: ProblemCode): Promise<void> {
  const rows = await db.retry(() =>
    db.all(
      sql`insert into accepted_problems (catalog_id, row_id, code, written_at)
        select catalog_id, row_id, ${code}, written_at from records
        where catalog_id = ${catalogIdOf(catalogKey)} and record_id = ${id} and is_active = 1
        on conflict do update set written_at = excluded.written_at
        returning 1 as one`,
    ),
  )
  if (rows.length === 0) throw noSuchRecord(type, id)
}
