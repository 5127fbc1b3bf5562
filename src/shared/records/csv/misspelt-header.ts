import { nearestName } from '#shared/errors/nearest-name'

/** Shorter headers are near to too many names: `Dose` is near `code`. Longer ones are no names. */
const SHORTEST_MISSPELT_HEADER = 5
const LONGEST_MISSPELT_HEADER = 64

/** Words that make another thing of what they stand beside: a manufacture date is no manufacturer. */
const FURTHER_WORDS: readonly string[] = [
  ...['date', 'time', 'day', 'year', 'code', 'id', 'ids', 'no', 'nr', 'num', 'number', 'count', 'type', 'kind'],
  ...['qty', 'quantity', 'price', 'cost', 'status', 'note', 'notes', 'url'],
]

/** Beginnings that turn a word into its opposite: `inactive`. */
const OPPOSITES: readonly string[] = ['in', 'non', 'not', 'un', 'dis']

/** A shorter word may stand in another one by chance. */
const SHORTEST_WORD = 4

const partsOfName = (name: string): string[] => name.split('_').filter((word) => word !== '')

const lettersOf = (name: string): string => name.replaceAll('_', '')

function isOpposite(written: string, name: string): boolean {
  const [ofWritten, ofName, letters] = [partsOfName(written), partsOfName(name), lettersOf(written)]
  return OPPOSITES.some(
    (opposite) =>
      !ofName.some((word) => word.startsWith(opposite)) &&
      (ofWritten.some((word) => word.startsWith(opposite)) ||
        ofName.some((word) => word.length >= SHORTEST_WORD && letters.includes(opposite + word))),
  )
}

function saysMore(written: string, name: string): boolean {
  const [ofWritten, ofName, letters] = [partsOfName(written), partsOfName(name), lettersOf(written)]
  return FURTHER_WORDS.some(
    (word) =>
      !ofName.includes(word) && (ofWritten.includes(word) || (word.length >= SHORTEST_WORD && letters.endsWith(word))),
  )
}

/**
 * Whether a header says the opposite of a name, or more than the name, however few letters differ. Such a header is no
 * misspelling.
 *
 * @param written the header as headers are compared
 */
const hasOtherMeaning = (written: string, name: string): boolean => isOpposite(written, name) || saysMore(written, name)

/**
 * The name that a misspelt header means; undefined if none is near.
 *
 * @param header in the form in which headers are compared
 * @param names of fields that it may mean
 */
export function likelyName(header: string, names: readonly string[]): string | undefined {
  if (header.length < SHORTEST_MISSPELT_HEADER || header.length > LONGEST_MISSPELT_HEADER) return undefined
  const candidates = names.filter((name) => !hasOtherMeaning(header, name))
  return nearestName(header, candidates)
}
