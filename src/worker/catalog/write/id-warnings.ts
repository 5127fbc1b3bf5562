import { type SQL, sql } from 'drizzle-orm'
import { ALIASES_SLOT, DISPLAY_NAME_SLOT, NAME_SLOT } from '#shared/records/record-type'
import { formWordNamed, isSalt, otherNameOf, releaseNamed } from '#shared/records/search/word-meanings'
import { KEPT_BY_APOSTROPHE } from '#shared/records/spreadsheet-damage'
import { writtenName, writtenNames } from '#shared/records/stored-form'
import type { WarningCode } from '#shared/records/warning-codes'
import { countText, namedValues, type Warning, type WarningExample } from '#shared/records/warnings'
import { foldedWords, isNumber, isUnspaced } from '#shared/text/fold'
import { unitNamed } from '#shared/text/units'
import type { Catalog } from '#worker/catalog/catalog'
import type { CommittedWrite } from '#worker/catalog/schemas'
import { pause } from '#worker/http/steps'
import { type CatalogKey, catalogIdOf, numberColumn, withinCatalog } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import type { CheckedRequest } from './check-request'
import type { DryRunRow } from './sql/dry-run'
import { MAX_COMPARED_POSITIONS } from './sql/fragments'
import { type Chunk, elementsAt, type SentElement, sentIds } from './sql/sent-records'

/** Warnings about similar IDs, and about unexpected name changes. Dry runs have both, writes only the second. */

/** The records that a warning is about: the first ones, and their number. */
class Examples {
  readonly #positions: readonly number[]
  readonly #most: number
  readonly #listed: WarningExample[] = []
  #count = 0

  /** @param positions the compared positions @param most most examples to list */
  constructor(positions: readonly number[], most: number) {
    this.#positions = positions
    this.#most = most
  }

  add(example: WarningExample): void {
    if (this.#count++ < this.#most) this.#listed.push(example)
  }

  warnings(field: string, code: WarningCode, noun: string, what: string): Warning[] {
    const count = this.#count
    if (count === 0) return []
    const atLeast = this.#positions.length === MAX_COMPARED_POSITIONS ? 'at least ' : ''
    const msg = `${atLeast}${countText(count, noun)} ${what}: ${namedValues(this.#listed, count)}`
    return [{ field, msg, code, count, examples: this.#listed }]
  }
}

/** IDs compared between two pauses, and rows per query. */
const IDS_PER_STEP = 5000

const NAME_CHARACTERS = 200

/** Ignored in every ID: white space, invisible characters, dashes and other separators. */
const IGNORED_CLASS = String.raw`[\s\p{Cc}\p{Cf}\p{Variation_Selector}\p{Pd}\u2212_./]`
const IGNORED_CHARACTERS = new RegExp(IGNORED_CLASS, 'gu')
const IGNORED_BETWEEN_DIGITS = new RegExp(String.raw`(?<=\d)${IGNORED_CLASS}+(?=\d)`, 'gu')

/** The suffix that programs append if they read an ID of digits as a number. */
const DECIMAL = /(?<=^\s*\d+)\.0\s*$/

const withoutZeros = (text: string): string => text.replace(/(?<!\d)0+(?=\d)/g, '')

interface ComparedId {
  id: string
  /**
   * Similar IDs share a key. The first key has no separators and then no leading zeros (`12-05` equals `1205`). The
   * second separates digits where the ID has a separator (`12-05` equals `12-5`).
   */
  keys: [string, string]
  /** Shared by IDs that only differ in zeros. */
  plain: string
  /** Folded. */
  name: string
}

function comparedId(id: string, name: string): ComparedId {
  const text = id.replace(KEPT_BY_APOSTROPHE, '').normalize('NFKC').toLowerCase().replace(DECIMAL, '')
  const apart = text.replace(IGNORED_BETWEEN_DIGITS, '\uffff').replace(IGNORED_CHARACTERS, '')
  return {
    id,
    keys: [withoutZeros(apart.replaceAll('\uffff', '')), withoutZeros(apart)],
    plain: withoutZeros(id),
    name,
  }
}

/** Finds the ID to which a new one is similar, in constant time, however many IDs are similar to each other. */
class ResembledIds {
  /** At most two IDs per key. Two differ in more than zeros. */
  readonly #byKey = new Map<string, ComparedId[]>()
  /** An ID that only differs in zeros is similar only if the name is the same. */
  readonly #byName = new Map<string, string>()

  add(id: ComparedId): void {
    for (const key of id.keys) {
      const ids = this.#byKey.get(key)
      if (ids === undefined) this.#byKey.set(key, [id])
      else if (ids.length === 1 && ids[0]?.plain !== id.plain) ids.push(id)
    }
    const name = nameKey(id)
    if (!this.#byName.has(name)) this.#byName.set(name, id.id)
  }

  similarTo(compared: ComparedId): string | undefined {
    const sameName = this.#byName.get(nameKey(compared))
    if (sameName !== undefined) return sameName
    const others = compared.keys.flatMap((key) => this.#byKey.get(key) ?? [])
    return others.find(({ plain }) => plain !== compared.plain)?.id
  }
}

const nameKey = ({ plain, name }: ComparedId): string => `${plain}\n${name}`

async function newIds(chunks: readonly Chunk[], positions: readonly number[]): Promise<ComparedId[]> {
  const ids: ComparedId[] = []
  for (const { id, element } of elementsAt(chunks, positions)) {
    ids.push(comparedId(id, foldedWords(writtenName(element)).join(' ').slice(0, NAME_CHARACTERS)))
    if (ids.length % IDS_PER_STEP === 0) await pause()
  }
  return ids
}

/** A page of a catalog's IDs and folded names, in the order of the table. */
const storedIds = (catalogKey: CatalogKey, from: number): SQL<{ number: number; id: string; name: string }> =>
  sql`select ${numberColumn} as number, record_id as id,
      substr(search_text, 2, min(name_length, ${int(NAME_CHARACTERS)})) as name
    from records not indexed
    where ${withinCatalog(sql`row_id`, catalogKey, from)}
    order by row_id limit ${int(IDS_PER_STEP)}`

/** The IDs of the catalog that are similar to new ones. Reads all IDs. */
async function resembledIds({ db, catalogKey }: Catalog, ids: readonly ComparedId[]): Promise<ResembledIds> {
  const similarIds = new ResembledIds()
  const newKeys = new Set(ids.flatMap(({ keys }) => keys))
  for (let from = 0; ; ) {
    const page = await db.all(storedIds(catalogKey, from))
    for (const { id, name } of page) {
      const storedId = comparedId(id, name)
      if (storedId.keys.some((key) => newKeys.has(key))) similarIds.add(storedId)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < IDS_PER_STEP) return similarIds
    from = last.number + 1
  }
}

/** New IDs that are similar to another one (docs/contract.md#similar-ids). @param examples most examples to list */
export async function similarIdWarnings(
  catalog: Catalog,
  { chunks, indexes }: Pick<CheckedRequest, 'chunks' | 'indexes'>,
  { new_positions, revision }: DryRunRow,
  examples: number,
): Promise<Warning[]> {
  const positions: readonly number[] = JSON.parse(new_positions)
  const ids = await newIds(chunks, positions)
  const isAlone = ids.length === 0 || revision === 0
  const similarIds = isAlone ? new ResembledIds() : await resembledIds(catalog, ids)
  const found = new Examples(positions, examples)
  for (const [n, compared] of ids.entries()) {
    if (n % IDS_PER_STEP === 0) await pause()
    const similarTo = similarIds.similarTo(compared)
    similarIds.add(compared)
    // The ID itself, if another write has stored it in the meantime.
    if (similarTo === undefined || similarTo === compared.id) continue
    found.add({ index: indexes[positions[n]!]!, value: compared.id, similar_to: similarTo })
  }
  const what =
    'that another ID resembles except for zeros, case, whitespace, separators, a leading apostrophe, a final .0 ' +
    'or the form of letters, perhaps a second record of the same item'
  return found.warnings(catalog.type.idField, 'similar_id', 'new id', what)
}

const RECORDS_PER_STEP = 1000

const ALIAS_CHARACTERS = 2000

/** Fewest letters of a telling word, which shows what a record is. */
const MIN_WORD_LETTERS = 3

/** The name of a record, and all of its names: name, display name and aliases. */
type Names = Record<'id' | 'name' | 'names', string>

/** Whether a word may name something: it is not a number, unit, dosage form or release type. */
const isName = (word: string): boolean =>
  isUnspaced(word) ||
  (!isNumber(word) &&
    unitNamed(word) === undefined &&
    formWordNamed(word) === undefined &&
    releaseNamed(word) === undefined)

/** Whether a word is telling: it shows what a record is. */
const isTelling = (word: string): boolean =>
  isUnspaced(word) || (word.length >= MIN_WORD_LETTERS && isName(word) && !isSalt(word))

/** The parts of a word to compare. In scripts without white space, these are all pairs of letters. */
function comparedParts(word: string): string[] {
  const letters = [...word]
  return isUnspaced(word) && letters.length > 2 ? letters.slice(1).map((letter, n) => `${letters[n]}${letter}`) : [word]
}

/** Whether two lists of names share a telling word or, if one has none (`Zinc`, `D3`), any word. */
function shareWord(one: string, other: string): boolean {
  const lists = [foldedWords(one), foldedWords(other)]
  const choices = [isTelling, isName, () => true].map((counts) => lists.map((words) => words.filter(counts)))
  const [words = [], otherWords = []] = choices.find((each) => each.every(({ length }) => length > 0)) ?? lists
  const known = new Set(otherWords.flatMap((word) => [word, otherNameOf(word) ?? word]).flatMap(comparedParts))
  return words.flatMap(comparedParts).some((part) => known.has(part))
}

/** The text at a slot of a stored form; empty if the value is absent, which is the number 0 there. */
const textAt = (slot: number): SQL => sql`coalesce(nullif(data ->> ${int(slot)}, 0), '')`

/** The stored names of some records. @param ids JSON list */
const storedNames = (catalogKey: CatalogKey, ids: string): SQL<Names> => {
  const aliases = sql`substr(${textAt(ALIASES_SLOT)}, 1, ${int(ALIAS_CHARACTERS)})`
  return sql`select record_id as id, ${textAt(NAME_SLOT)} as name,
      ${textAt(NAME_SLOT)} || char(10) || ${textAt(DISPLAY_NAME_SLOT)} || char(10) || ${aliases} as names
    from records
    where catalog_id = ${catalogIdOf(catalogKey)} and record_id in (${sentIds([ids])})`
}

/**
 * Existing IDs with a completely different name (docs/contract.md#unexpected-name-changes).
 *
 * @param examples most examples to list
 */
export async function renamedIdWarnings(
  { db, catalogKey }: Catalog,
  { chunks, indexes }: Pick<CheckedRequest, 'chunks' | 'indexes'>,
  { renamed_positions }: Pick<DryRunRow, 'renamed_positions'>,
  examples: number,
): Promise<Warning[]> {
  const positions: readonly number[] = JSON.parse(renamed_positions)
  const found = new Examples(positions, examples)
  const compare = async (sent: readonly SentElement[]) => {
    const ids = JSON.stringify(sent.map(({ id }) => id))
    const rows = await db.all(storedNames(catalogKey, ids))
    const storedById = new Map(rows.map((row) => [row.id, row]))
    for (const { position, id, element } of sent) {
      const stored = storedById.get(id)
      if (stored === undefined || shareWord(writtenNames(element), stored.names)) continue
      found.add({ index: indexes[position] ?? position, value: writtenName(element), was: stored.name })
    }
    await pause()
  }
  let step: SentElement[] = []
  for (const sent of elementsAt(chunks, positions)) {
    step.push(sent)
    if (step.length < RECORDS_PER_STEP) continue
    await compare(step)
    step = []
  }
  if (step.length > 0) await compare(step)
  const what = 'in use with a name that shares no word with the stored one, perhaps reused for another item'
  return found.warnings('name', 'renamed', 'id', what)
}

/**
 * Records that an upsert reactivates although their state was not sent.
 *
 * @param positions JSON list of the positions of all reactivated records
 */
export function reactivatedWarnings(
  { chunks, indexes, saysActive }: Pick<CheckedRequest, 'chunks' | 'indexes' | 'saysActive'>,
  reactivated: string,
  { mode, examples }: { mode: CommittedWrite['mode']; examples: number },
): Warning[] {
  if (mode !== 'upsert') return []
  const all: number[] = JSON.parse(reactivated)
  const positions = all.filter((position) => !saysActive(position))
  const found = new Examples(positions, examples)
  for (const { position, id } of elementsAt(chunks, positions)) found.add({ index: indexes[position]!, value: id })
  const what =
    'active again although is_active is missing or empty; send is_active, or keep_missing=true without is_active to ' +
    'keep such records inactive'
  return found.warnings('is_active', 'reactivated', 'record', what)
}
