import { type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type * as z from 'zod'
import { invalidField } from '#shared/errors/errors'
import { FIELD_FILTERS, type FieldFilterName, fieldFiltersIn, matcherOf } from '#shared/records/filters'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { foldedWords } from '#shared/text/fold'
import type { Catalog } from '#worker/catalog/catalog'
import { matchEverywhere, namesHold } from '#worker/search/query/record-match'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { int, Parameters } from '#worker/storage/database'
import type { PageRequest } from '#worker/storage/list-page'
import { readTag, tagOf, tagStatement } from './entity-tag'
import type { recordsQuerySchema } from './queries'
import { catalogRows, storedValue } from './sql/page'

/** A page without a search is cheap if it has at most so many records, and none of them is further from the start. */
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

/** The conditions that a record must meet, without those of `fieldConditions`. */
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

/** Whether the words of `q` are looked for beyond the names. */
const asksEverywhere = ({ q, match }: ListFilter): boolean => match === 'all' && foldedWords(q).length > 0

/** The order of a list. The best match comes first only if something is looked for. */
export const sortOf = ({ sort = '-updated_at', q }: ListFilter) =>
  sort === 'match' && foldedWords(q).length === 0 ? '-updated_at' : sort

/** Whether `q` has no letter, no digit and no `%`: then it matches nothing. A blank one is no search. */
const findsNothing = ({ q }: ListFilter): boolean => q.trim() !== '' && foldedWords(q).length === 0

/** Whether the filter asks for values that no index has, or for their order: the whole catalog is read then. */
export const needsScan = (filter: ListFilter): boolean =>
  findsNothing(filter) ||
  asksEverywhere(filter) ||
  fieldFiltersIn(filter).length > 0 ||
  !sortOf(filter).endsWith('updated_at')

/** Whether a page takes a few rows of an index and no more. */
export const isCheapPage = (filter: ListFilter, { limit, offset }: PageRequest): boolean =>
  !needsScan(filter) &&
  filter.q.trim() === '' &&
  filter.updated_since === undefined &&
  limit <= CHEAP_PAGE_RECORDS &&
  offset + limit <= CHEAP_LIST_RECORDS

/** Different values of a field that a filter asks JavaScript about; real catalogs have some hundred names of forms. */
const MAX_FILTERED_VALUES = 5000

const slotOf = (type: RecordType, name: string): number => {
  const slot = fieldNamed(type, name)?.slot
  if (slot === undefined || slot === null) throw new Error(`the field ${name} is not in the stored form`)
  return slot
}

/**
 * Conditions that no index knows: on values of the stored form, and those of `match=all`. Some need JavaScript (which
 * names mean a drug form). It runs once per distinct value of the field; a catalog has few.
 *
 * @returns the conditions, each after an `and`, and the entity tag of the catalog when its values were read; null if
 *   none had to be
 * @throws ApiError 400 if a field has too many different values for its filter
 */
export async function fieldConditions(catalog: Catalog, filter: ListFilter) {
  const filters = fieldFiltersIn(filter)
  const needsValues = filters.some((name) => FIELD_FILTERS[name].matches !== undefined)
  const tag = needsValues ? await readTag(catalog) : null
  const parts: SQL[] = []
  for (const name of filters) parts.push(await filterCondition(catalog, name, filter, tag))
  if (findsNothing(filter)) parts.push(sql`false`)
  if (asksEverywhere(filter)) {
    const parameters = new Parameters()
    const { condition } = matchEverywhere(parameters, catalog.catalogKey, filter.q, statesOf(filter))
    parts.push(parameters.sql(condition))
  }
  return { conditions: sql.join(parts.map((part) => sql` and ${part}`)), tag }
}

async function filterCondition(
  catalog: Catalog,
  name: FieldFilterName,
  filter: ListFilter,
  tag: string | null,
): Promise<SQL> {
  const slot = slotOf(catalog.type, FIELD_FILTERS[name].field)
  const value = storedValue(slot)
  const matches = matcherOf(name, filter)
  if (matches === undefined || tag === null) return sql`${value} = ${filter[name]}`
  const values = await differentValues(catalog, tag, slot)
  if (values.length > MAX_FILTERED_VALUES) {
    const msg = `cannot be used: the catalog has more than ${MAX_FILTERED_VALUES} different values of`
    const numbers = { limit: MAX_FILTERED_VALUES }
    throw invalidField(name, 'not_allowed', `${msg} ${FIELD_FILTERS[name].field}`, filter[name], numbers)
  }
  const among = (some: readonly string[]) =>
    sql`coalesce(${value}, 0) in (select value from json_each(${JSON.stringify(some)}))`
  // Many records may have no value. If they match, the list names what does not match, so that they are never listed.
  return matches(null) ? sql`not ${among(values.filter((stored) => !matches(stored)))}` : among(values.filter(matches))
}

/** Characters of a list of values that is remembered: the form names of a large catalog take some 3,000. */
const MAX_CACHED_VALUE_CHARACTERS = 20_000

/** Lists of values, by catalog and entity tag: after a write nobody asks for them again. Each isolate has its own. */
const valueCache = new LRUCache<string, readonly string[]>({ max: 100 })

/**
 * The different texts in one field: one more than `MAX_FILTERED_VALUES` if there are too many.
 *
 * @param tag the entity tag of the catalog as it was just read
 */
async function differentValues({ db, catalogKey }: Catalog, tag: string, slot: number): Promise<readonly string[]> {
  const keyAt = (at: string) => JSON.stringify([catalogKey.workspaceId, catalogKey.type, slot, at])
  const cachedValues = valueCache.get(keyAt(tag))
  if (cachedValues !== undefined) return cachedValues
  const [[tagRow], rows] = await db.batch([
    tagStatement(catalogKey),
    sql<{ value: string }>`select distinct value
      from (select ${storedValue(slot)} as value from ${catalogRows(catalogKey)})
      where typeof(value) = 'text'
      limit ${int(MAX_FILTERED_VALUES + 1)}`,
  ])
  const values = rows.map(({ value }) => value)
  const characters = values.reduce((sum, value) => sum + value.length, 0)
  if (characters <= MAX_CACHED_VALUE_CHARACTERS) valueCache.set(keyAt(tagOf(tagRow)), values)
  return values
}
