import { splitRows } from '#records/csv/rows'

/** An id of the file that the catalog does not have, and the id in the catalog that it resembles. */
export interface SimilarId {
  id: string
  known: string
  difference: 'zeros' | 'case' | 'shortened'
}

/** `1.23457E+11`, as a spreadsheet program shortens a long number. */
const SHORTENED = /^(\d)(?:[.,](\d+))?E\+(\d+)$/i

const withoutZeros = (id: string): string => id.replace(/^0+(?=.)/, '')

/** A number as a spreadsheet program shortens it to so many decimals; undefined for an id that is no number. */
const shortenedTo = (id: string, decimals: number): string | undefined =>
  /^\d+$/.test(id) ? Number(id).toExponential(decimals) : undefined

/** The ids of a catalog from its export as CSV, whose first column they are. */
export function idsOfExport(csv: string): Set<string> {
  const rows = splitRows(csv, { separator: ',', headerStart: 0 })
  rows.next()
  const ids = new Set<string>()
  for (const [id = ''] of rows) if (id !== '') ids.add(id)
  return ids
}

/** The first id of the catalog for each key. */
function indexBy(ids: Iterable<string>, keyOf: (id: string) => string | undefined): Map<string, string> {
  const index = new Map<string, string>()
  for (const id of ids) {
    const key = keyOf(id)
    if (key !== undefined && !index.has(key)) index.set(key, id)
  }
  return index
}

/** Computes an index when it is first needed. */
function lazily<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key))
    return known.get(key)!
  }
}

/**
 * The ids of a file that the catalog does not have, but has with zeros in front or without them, in other case, or in full
 * if a spreadsheet program has shortened a long number. Writing them would make second records of the same things.
 */
export function similarIds(ids: Iterable<string>, catalog: ReadonlySet<string>): SimilarId[] {
  const byCase = lazily((_: null) => indexBy(catalog, (id) => id.toLowerCase()))
  const byZeros = lazily((_: null) => indexBy(catalog, (id) => withoutZeros(id.toLowerCase())))
  const byExponent = lazily((decimals: number) => indexBy(catalog, (id) => shortenedTo(id, decimals)))

  const similarTo = (id: string): SimilarId | undefined => {
    const inOtherCase = byCase(null).get(id.toLowerCase())
    if (inOtherCase !== undefined) return { id, known: inOtherCase, difference: 'case' }
    const withOtherZeros = byZeros(null).get(withoutZeros(id.toLowerCase()))
    if (withOtherZeros !== undefined) return { id, known: withOtherZeros, difference: 'zeros' }
    const [, digit, decimals = '', exponent] = SHORTENED.exec(id) ?? []
    if (digit === undefined) return undefined
    const key = `${digit}${decimals === '' ? '' : `.${decimals}`}e+${Number(exponent)}`
    const inFull = byExponent(decimals.length).get(key)
    return inFull === undefined ? undefined : { id, known: inFull, difference: 'shortened' }
  }

  const found: SimilarId[] = []
  for (const id of new Set(ids)) {
    const similar = catalog.has(id) || id === '' ? undefined : similarTo(id)
    if (similar !== undefined) found.push(similar)
  }
  return found
}
