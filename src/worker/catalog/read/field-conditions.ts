import { type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { invalidField } from '#shared/errors/errors'
import { FIELD_FILTERS, type FieldFilterName, fieldFiltersIn, matcherOf } from '#shared/records/filters'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import type { Catalog } from '#worker/catalog/catalog'
import { catalogRows, storedValue } from '#worker/catalog/read/sql/scan'
import { matchEverywhere } from '#worker/search/query/record-match'
import { int, Parameters } from '#worker/storage/database'
import { readTag, tagOf, tagStatement } from './entity-tag'
import { asksEverywhere, findsNothing, type ListFilter, statesOf } from './filter'

/** Different values of a field that a filter asks JavaScript about; real catalogs have some hundred names of forms. */
const MAX_FILTERED_VALUES = 5000

/**
 * Conditions on the values of fields. They stand in the stored form of a record, and no index has them. Some
 * need JavaScript (which names mean a drug form, how a text is folded). They run once per distinct value of the field;
 * a catalog has few.
 */

const slotOf = (type: RecordType, name: string): number => {
  const slot = fieldNamed(type, name)?.slot
  if (slot === undefined || slot === null) throw new Error(`the field ${name} is not in the stored form`)
  return slot
}

interface FieldConditions {
  /** Begins with `and`; empty if there are none. */
  conditions: SQL
  /** The entity tag of the catalog when its values were read; null if none had to be. */
  tag: string | null
}

/** @throws ApiError 400 if a field has too many different values for its filter */
export async function fieldConditions(catalog: Catalog, filter: ListFilter): Promise<FieldConditions> {
  const filters = fieldFiltersIn(filter)
  const tag = filters.some(needsValues) ? await readTag(catalog) : null
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

/** Whether a filter asks JavaScript about the different values of its field. */
const needsValues = (name: FieldFilterName): boolean => FIELD_FILTERS[name].matches !== undefined

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
  const values = await differentValues(catalog, tag, { slot, most: MAX_FILTERED_VALUES })
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

/**
 * Lists of different values that one isolate remembers, and characters of one of them: the form names of a large
 * catalog take some 3,000.
 */
const MAX_CACHED_VALUE_LISTS = 100
const MAX_CACHED_VALUE_CHARACTERS = 20_000

interface ValuesRequest {
  /** Of the field in the stored form. */
  slot: number
  /** How many at the most; one more is read, so that the caller sees that there are more. */
  most: number
}

/** The values, by catalog and entity tag: after a write nobody asks for them again. Each isolate has its own. */
const valueCache = new LRUCache<string, readonly string[]>({ max: MAX_CACHED_VALUE_LISTS })

/** The different texts in one field. `tag` is the entity tag of the catalog as it was just read. */
async function differentValues(
  { db, catalogKey }: Catalog,
  tag: string,
  { slot, most }: ValuesRequest,
): Promise<readonly string[]> {
  const keyAt = (at: string) => JSON.stringify([catalogKey.workspaceId, catalogKey.type, slot, at])
  const cachedValues = valueCache.get(keyAt(tag))
  if (cachedValues !== undefined) return cachedValues
  const [[tagRow], rows] = await db.batch([
    tagStatement(catalogKey),
    sql<{ value: string }>`select distinct value
      from (select ${storedValue(slot)} as value from ${catalogRows(catalogKey)})
      where typeof(value) = 'text'
      limit ${int(most + 1)}`,
  ])
  const values = rows.map(({ value }) => value)
  const characters = values.reduce((sum, value) => sum + value.length, 0)
  if (characters <= MAX_CACHED_VALUE_CHARACTERS) valueCache.set(keyAt(tagOf(tagRow)), values)
  return values
}
