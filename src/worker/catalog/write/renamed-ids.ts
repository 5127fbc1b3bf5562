import { type SQL, sql } from 'drizzle-orm'
import { ALIASES_SLOT, DISPLAY_NAME_SLOT, NAME_SLOT } from '#shared/records/record-type'
import { unitNamed } from '#shared/records/search/quantities'
import { formWordNamed, isSalt, otherNameOf, releaseNamed } from '#shared/records/search/word-meanings'
import { writtenName, writtenNames } from '#shared/records/stored-form'
import { countText, namedValues, type Warning, type WarningExample } from '#shared/records/warnings'
import { foldedWords, isNumber, isUnspaced } from '#shared/text/fold'
import type { Catalog } from '#worker/catalog/catalog'
import { pause } from '#worker/http/sharing/large-bodies'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import type { CheckedRequest } from './check-request'
import { elementsAt, sentIds } from './chunks'
import { type DryRunRow, MAX_COMPARED_POSITIONS } from './sql/dry-run'

/** Records whose stored names are read at a time. */
const RECORDS_PER_STEP = 1000

/** Characters of stored aliases that are compared. */
const ALIAS_CHARACTERS = 2000

/** Letters from which a word says what a record is. */
const MIN_WORD_LETTERS = 3

/** The name of a record; and that, its display name and its aliases together. */
type Names = Record<'id' | 'name' | 'names', string>

/** Whether a word may name something: it is no number, unit, form or release. */
const isName = (word: string): boolean =>
  isUnspaced(word) ||
  (!isNumber(word) &&
    unitNamed(word) === undefined &&
    formWordNamed(word) === undefined &&
    releaseNamed(word) === undefined)

/** Whether a word says what a record is. */
const isTelling = (word: string): boolean =>
  isUnspaced(word) || (word.length >= MIN_WORD_LETTERS && isName(word) && !isSalt(word))

/** What is compared of a word. Scripts without white space do not tell words apart, so it is any two letters there. */
function comparedParts(word: string): string[] {
  const letters = [...word]
  return isUnspaced(word) && letters.length > 2 ? letters.slice(1).map((letter, n) => `${letters[n]}${letter}`) : [word]
}

/**
 * Whether two lists of names share a word. If one of them has no telling words, such as `Zinc` or `D3`, all words that
 * may name something count; if one has none of these either, all of its words do.
 */
function shareWord(one: string, other: string): boolean {
  const lists = [foldedWords(one), foldedWords(other)]
  const choices = [isTelling, isName, () => true].map((counts) => lists.map((words) => words.filter(counts)))
  const [words = [], otherWords = []] = choices.find((each) => each.every(({ length }) => length > 0)) ?? lists
  const known = new Set(otherWords.flatMap((word) => [word, otherNameOf(word) ?? word]).flatMap(comparedParts))
  return words.flatMap(comparedParts).some((part) => known.has(part))
}

const storedNames = (catalogKey: CatalogKey, ids: readonly string[]): SQL<Names> => {
  const aliases = sql`substr(coalesce(data ->> ${int(ALIASES_SLOT)}, ''), 1, ${int(ALIAS_CHARACTERS)})`
  return sql`select record_id as id, data ->> ${int(NAME_SLOT)} as name,
      (data ->> ${int(NAME_SLOT)}) || char(10) || coalesce(data ->> ${int(DISPLAY_NAME_SLOT)}, '') || char(10)
        || ${aliases} as names
    from records
    where catalog_id = ${catalogIdOf(catalogKey)} and record_id in (${sentIds([JSON.stringify(ids)])})`
}

/** The records of a request that have another name than the stored one, in steps. */
function* renamedSteps(
  chunks: CheckedRequest['chunks'],
  positions: readonly number[],
): Generator<(Names & { position: number })[]> {
  let step: (Names & { position: number })[] = []
  for (const { position, id, element } of elementsAt(chunks, positions)) {
    step.push({ position, id, name: writtenName(element), names: writtenNames(element) })
    if (step.length < RECORDS_PER_STEP) continue
    yield step
    step = []
  }
  if (step.length > 0) yield step
}

/**
 * Ids in use that a dry run gives quite another name (docs/contract.md#renamed-ids): perhaps another thing has got the
 * id.
 *
 * @param most examples that are listed
 */
export async function renamedIdWarnings(
  { db, catalogKey }: Catalog,
  { chunks, indexes }: Pick<CheckedRequest, 'chunks' | 'indexes'>,
  { renamed_positions }: Pick<DryRunRow, 'renamed_positions'>,
  most: number,
): Promise<Warning[]> {
  const positions: readonly number[] = JSON.parse(renamed_positions)
  const examples: WarningExample[] = []
  let count = 0
  for (const step of renamedSteps(chunks, positions)) {
    const ids = step.map(({ id }) => id)
    const rows = await db.all(storedNames(catalogKey, ids))
    const storedById = new Map(rows.map((row) => [row.id, row]))
    for (const { position, id, name, names } of step) {
      const stored = storedById.get(id)
      if (stored === undefined || shareWord(names, stored.names) || count++ >= most) continue
      examples.push({ index: indexes[position] ?? position, value: name, was: stored.name })
    }
    await pause()
  }
  if (count === 0) return []
  const number = `${positions.length === MAX_COMPARED_POSITIONS ? 'at least ' : ''}${countText(count, 'id')} in use`
  const msg = `${number} with a name that shares no word with the stored one, perhaps another thing: `
  return [{ field: 'name', msg: msg + namedValues(examples, count), code: 'renamed', count, examples }]
}
