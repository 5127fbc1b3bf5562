import { type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type * as z from 'zod'
import { invalidField } from '#shared/errors/errors'
import { formIdOf } from '#shared/records/drug-forms'
import type { RecordType } from '#shared/records/record-type'
import { foldedWords } from '#shared/text/fold'
import type { Catalog } from '#worker/catalog/catalog'
import { matchEverywhere, namesHold } from '#worker/search/query/record-match'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { int, Parameters } from '#worker/storage/database'
import type { PageRequest } from '#worker/storage/list-page'
import { readTag, tagOf, tagStatement } from './entity-tag'
import type { recordsQuerySchema } from './queries'
import { catalogRows } from './sql/page'

/** A page without a search is cheap up to this many records, and up to this offset of its end. */
const CHEAP_PAGE_RECORDS = 100
export const CHEAP_LIST_RECORDS = 10_100

export type States = 'active' | 'inactive' | 'all'

/** Which records of a catalog are listed or exported, and in which order: the parameters of the query. */
export type ListFilter = Omit<z.output<typeof recordsQuerySchema>, 'type' | 'limit' | 'offset' | 'format' | 'safe'>

export function statesOf({ active, show_inactive }: ListFilter): States {
  if (active !== undefined) return active ? 'active' : 'inactive'
  return show_inactive === '1' ? 'all' : 'active'
}

const IN_STATES: Readonly<Record<States, SQL>> = {
  active: sql`is_active = 1`,
  inactive: sql`is_active = 0`,
  all: sql`is_active in (0, 1)`,
}

/** The conditions on a record, except those of `fieldConditions`. */
export function isMatch(catalogKey: CatalogKey, filter: ListFilter, states = statesOf(filter)): SQL {
  const { q, updated_since } = filter
  const conditions = [sql`catalog_id = ${catalogIdOf(catalogKey)}`, IN_STATES[states]]
  if (updated_since !== undefined) conditions.push(sql`written_at > ${int(updated_since)}`)
  const words = asksEverywhere(filter) ? [] : foldedWords(q)
  if (words.length > 0) {
    const parameters = new Parameters()
    conditions.push(parameters.sql(namesHold(parameters, words)))
  }
  return sql.join(conditions, sql` and `)
}

/** Whether to look for the words of `q` in more than names. */
const asksEverywhere = ({ q, match }: ListFilter): boolean => match === 'all' && foldedWords(q).length > 0

/** The order of a list. Best match first only applies to a search. */
export const sortOf = ({ sort = '-updated_at', q }: ListFilter) =>
  sort === 'match' && foldedWords(q).length === 0 ? '-updated_at' : sort

/** Whether `q` has no letter, digit or `%`, and so matches nothing. A blank `q` is not a search. */
const findsNothing = ({ q }: ListFilter): boolean => q.trim() !== '' && foldedWords(q).length === 0

export const asksFields = ({ form_id, linked, kind }: ListFilter): boolean =>
  form_id !== undefined || linked !== undefined || kind !== undefined

/** Whether the filter or the order uses values without an index, so that the whole catalog is read. */
export const needsScan = (filter: ListFilter): boolean =>
  findsNothing(filter) || asksEverywhere(filter) || asksFields(filter) || !sortOf(filter).endsWith('updated_at')

/** Whether a page only reads a few rows of an index. */
export const isCheapPage = (filter: ListFilter, { limit, offset }: PageRequest): boolean =>
  !needsScan(filter) &&
  filter.q.trim() === '' &&
  filter.updated_since === undefined &&
  limit <= CHEAP_PAGE_RECORDS &&
  offset + limit <= CHEAP_LIST_RECORDS

/** Most distinct names of forms for a filter. Real catalogs have a few hundred. */
const MAX_FORM_NAMES = 5000

/** The stored value of a field. Absent ones are the number 0, or null. */
const storedValue = ({ slotByName }: RecordType, field: string): SQL =>
  sql`(data ->> ${sql.raw(String(slotByName.get(field)))})`

/**
 * Conditions without an index, on values of the stored form and for `match=all`: SQL that begins with `and`.
 *
 * @returns also the entity tag of the catalog at the time when its names of forms were read; null if they were not
 * @throws ApiError 400 if there are too many of them
 */
export async function fieldConditions(catalog: Catalog, filter: ListFilter) {
  const { form_id, linked, kind } = filter
  const parts: SQL[] = []
  let tag: string | null = null
  if (kind !== undefined) parts.push(sql`${storedValue(catalog.type, 'kind')} = ${kind}`)
  if (form_id !== undefined || linked !== undefined) {
    tag = await readTag(catalog)
    parts.push(formCondition(catalog.type, filter, await formNames(catalog, tag)))
  }
  if (findsNothing(filter)) parts.push(sql`false`)
  if (asksEverywhere(filter)) {
    const parameters = new Parameters()
    const { condition } = matchEverywhere(parameters, catalog.catalogKey, filter.q, statesOf(filter))
    parts.push(parameters.sql(condition))
  }
  return { conditions: sql.join(parts.map((part) => sql` and ${part}`)), tag }
}

/** Only JavaScript knows which names mean a dosage form. It checks each distinct name in the catalog. */
function formCondition(type: RecordType, { form_id, linked }: ListFilter, names: readonly string[]): SQL {
  if (names.length > MAX_FORM_NAMES) {
    const msg = `cannot be used: the catalog has more than ${MAX_FORM_NAMES} different values of form_name`
    const [name, value] = form_id === undefined ? ['linked', linked] : ['form_id', form_id]
    throw invalidField(name, 'not_allowed', msg, value, { limit: MAX_FORM_NAMES })
  }
  const isWanted = (id: string | null) =>
    (form_id === undefined || id === form_id) && (linked === undefined || (id !== null) === linked)
  const isAmong = (some: readonly string[]) =>
    sql`coalesce(${storedValue(type, 'form_name')}, 0) in (select value from json_each(${JSON.stringify(some)}))`
  // Many records may have no form. If they match, the list contains the names that do not match, so it stays short.
  return isWanted(null)
    ? sql`not ${isAmong(names.filter((name) => !isWanted(formIdOf(name))))}`
    : isAmong(names.filter((name) => isWanted(formIdOf(name))))
}

/** Most characters of a cached list of names. That of a large catalog has about 3,000. */
const MAX_CACHED_CHARACTERS = 20_000

/** Cache of names of forms, by catalog and entity tag, so a write makes an entry obsolete. Each isolate has its own. */
const nameCache = new LRUCache<string, readonly string[]>({ max: 100 })

/** The distinct names of forms: one more than `MAX_FORM_NAMES` if there are too many. @param tag just read */
async function formNames({ db, catalogKey, type }: Catalog, tag: string): Promise<readonly string[]> {
  const keyAt = (at: string) => JSON.stringify([catalogKey.workspaceId, at])
  const cachedNames = nameCache.get(keyAt(tag))
  if (cachedNames !== undefined) return cachedNames
  const [[tagRow], rows] = await db.batch([
    tagStatement(catalogKey),
    sql<{ value: string }>`select distinct value
      from (select ${storedValue(type, 'form_name')} as value from ${catalogRows(catalogKey)})
      where typeof(value) = 'text'
      limit ${int(MAX_FORM_NAMES + 1)}`,
  ])
  const names = rows.map(({ value }) => value)
  if (names.join('').length <= MAX_CACHED_CHARACTERS) nameCache.set(keyAt(tagOf(tagRow)), names)
  return names
}
