import { type SQL, sql } from 'drizzle-orm'
import { invalidField } from '#shared/errors/errors'
import { LruMap } from '#shared/lru-map'
import { FIELD_FILTERS, type FieldFilterName, fieldFiltersIn, matcherOf } from '#shared/records/filters'
import { type Field, fieldNamed, isStored, type RecordType, type StoredField } from '#shared/records/record-type'
import { foldText, wordsOf } from '#shared/records/search-text'
import type { Catalog } from '#worker/catalog/catalog'
import { catalogRows, storedValue } from '#worker/catalog/read/sql/scan'
import { int } from '#worker/storage/database'
import { readTag, tagOf, tagStatement } from './entity-tag'
import { asksEverywhere, type ListFilter } from './filter'

/**
 * Different manufacturers with letters beyond ASCII that a list with `match=all` folds. With 200 letters of four bytes
 * each they fit into one value.
 */
const MAX_FOLDED_VALUES = 1000

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

/** The fields besides the names in which `match=all` looks, by kind. */
const searchedFields = ({ fields }: RecordType, kind: Field['searchedAs']) =>
  fields.filter(isStored).filter(({ searchedAs }) => searchedAs === kind)

/** A text that `match=all` searches. */
interface SearchedText {
  slot: number
  /** Its different values with letters beyond ASCII. */
  foreign: readonly string[]
}

interface FieldConditions {
  /** Begins with `and`; empty if there are none. */
  conditions: SQL
  /** The entity tag of the catalog when its values were read; null if none had to be. */
  tag: string | null
}

/** @throws ApiError 400 if a field has too many different values for its filter */
export async function fieldConditions(catalog: Catalog, filter: ListFilter): Promise<FieldConditions> {
  const { type } = catalog
  const filters = fieldFiltersIn(filter)
  const fields = asksEverywhere(filter) ? searchedFields(type, 'text') : []
  const tag = fields.length > 0 || filters.some(needsValues) ? await readTag(catalog) : null
  const parts: SQL[] = []
  for (const name of filters) parts.push(await filterCondition(catalog, name, filter, tag))
  if (asksEverywhere(filter)) {
    parts.push(everywhereCondition(type, filter.q, tag === null ? [] : await readTexts(catalog, tag, fields)))
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
  const values = await differentValues(catalog, tag, { slot, foreign: false, most: MAX_FILTERED_VALUES })
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

function readTexts(catalog: Catalog, tag: string, fields: readonly StoredField[]): Promise<SearchedText[]> {
  return Promise.all(
    fields.map(async ({ slot }) => {
      const request = { slot, foreign: true, most: MAX_FOLDED_VALUES }
      return { slot, foreign: await differentValues(catalog, tag, request) }
    }),
  )
}

/** What SQLite's `lower` makes of a text: it knows ASCII only. */
const asciiLower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** A word as a name holds it, and as `lower` leaves it in a code, which may be written in capitals. */
const spellings = (folded: string, typed = folded): Spellings => {
  const others = new Set([asciiLower(typed.toLowerCase()), asciiLower(typed.toUpperCase())])
  others.delete(folded)
  return [folded, ...others]
}

/** Spellings of one word, the folded one first. */
type Spellings = readonly [string, ...string[]]

/** Every word occurs in a name, an alias, the id, a code or a text such as the manufacturer. */
function everywhereCondition(type: RecordType, q: string, texts: readonly SearchedText[]): SQL {
  const typedWords = q.trim().split(/\s+/u)
  const foldedWords = wordsOf(q)
  const words = foldedWords
    .map((word, n) => spellings(word, foldedWords.length === typedWords.length ? typedWords[n] : undefined))
    .sort(([a], [b]) => b.length - a.length)
  const mostSpellings = Math.max(...words.map(({ length }) => length))
  const fields = [...searchedFields(type, 'code'), ...searchedFields(type, 'plain'), ...texts].map(({ slot }) =>
    storedText(storedValue(slot)),
  )
  const values = sql`lower(${sql.join(fields, sql` || char(10) || `)})`
  // Searching the stored form first is much faster than taking the values out of it.
  const isPlain = !words.flat().some((word) => ESCAPED.test(word))
  /** Condition: the id or a value contains the word. */
  const valuesContain = (word: SQL): SQL =>
    sql`instr(lower(record_id), ${word}) > 0
      or (${isPlain ? sql`instr(lower(data), ${word}) > 0 and ` : sql.empty()}instr(${values}, ${word}) > 0)`
  /** Condition: the record contains the word in one of its spellings. @param at place of the word in `words` */
  const contains = (word: (spelling: number) => SQL, at: SQL): SQL =>
    sql`(${sql.join(
      [
        sql`instr(search_text, ${word(0)}) > 0`,
        ...Array.from({ length: mostSpellings }, (_, spelling) => valuesContain(word(spelling))),
        ...texts.map(({ slot, foreign }) => holdsForeign(storedValue(slot), at, words, foreign)),
      ],
      sql` or `,
    )})`
  // The longest word first, by itself: it leaves few records for the others.
  const first = contains((spelling) => sql`${words[0]![spelling] ?? words[0]![0]}`, sql`0`)
  if (words.length === 1) return first
  const wordAt = (spelling: number) => sql`coalesce(word.value ->> ${sql.raw(String(spelling))}, word.value ->> 0)`
  return sql`${first} and not exists (select 1 from json_each(${JSON.stringify(words)}) as word
    where not ${contains(wordAt, sql`word.key`)})`
}

/** Absent values are 0 or null. A `refid` may be a number. */
const storedText = (value: SQL): SQL => sql`coalesce(nullif(${value}, 0), '')`

/** Characters that JSON writes as escapes: such a word is in a value, but not in its stored form. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them.
const ESCAPED = /["\\\u0000-\u001f]/

/** Words of a query that are compared with folded texts, the longest ones. */
const FOLDED_WORDS = 20

/**
 * Condition: the text, which has letters beyond ASCII, holds the word once both are folded.
 *
 * @param at place of the word among `words`, as an expression
 */
function holdsForeign(value: SQL, at: SQL, words: readonly Spellings[], foreign: readonly string[]): SQL {
  const places = foreign.slice(0, MAX_FOLDED_VALUES).flatMap((text) => {
    const foldedText = foldText(text)
    const wordPlaces = words.slice(0, FOLDED_WORDS).flatMap(([word], n) => (foldedText.includes(word) ? [n] : []))
    return wordPlaces.length === 0 ? [] : [[text, wordPlaces]]
  })
  if (places.length === 0) return sql`false`
  // An absent value must not make the condition null.
  return sql`(${at}, coalesce(${value}, 0)) in (select place.value, text.value ->> 0
    from json_each(${JSON.stringify(places)}) as text, json_each(text.value, '$[1]') as place)`
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
  /** Whether only texts with letters beyond ASCII count. */
  foreign: boolean
  /** How many at the most; one more is read, so that the caller sees that there are more. */
  most: number
}

/** The values, by catalog and entity tag: after a write nobody asks for them again. Each isolate has its own. */
const valueCache = new LruMap<string, readonly string[]>(MAX_CACHED_VALUE_LISTS)

/** The different texts in one field. `tag` is the entity tag of the catalog as it was just read. */
async function differentValues(
  { db, catalogKey }: Catalog,
  tag: string,
  { slot, foreign, most }: ValuesRequest,
): Promise<readonly string[]> {
  const keyAt = (at: string) => JSON.stringify([catalogKey.workspaceId, catalogKey.type, slot, foreign, at])
  const cachedValues = valueCache.get(keyAt(tag))
  if (cachedValues !== undefined) return cachedValues
  // The length of a text in bytes and in characters is known faster than its values.
  const condition = foreign ? sql` and octet_length(data) <> length(data)` : sql.empty()
  const [[tagRow], rows] = await db.batch([
    tagStatement(catalogKey),
    sql<{ value: string }>`select distinct value
      from (select ${storedValue(slot)} as value from ${catalogRows(catalogKey)}${condition})
      where typeof(value) = 'text'${foreign ? sql` and octet_length(value) <> length(value)` : sql.empty()}
      limit ${int(most + 1)}`,
  ])
  const values = rows.map(({ value }) => value)
  const characters = values.reduce((sum, value) => sum + value.length, 0)
  if (characters <= MAX_CACHED_VALUE_CHARACTERS) valueCache.set(keyAt(tagOf(tagRow)), values)
  return values
}
