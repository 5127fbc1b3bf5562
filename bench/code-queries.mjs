/**
 * How well partner search finds records by their ids and codes: queries made from the real catalogs, the same ones each
 * time. A whole code must be found first of all. Names that begin like a code come before its beginnings.
 */
import { randomFrom } from './quality-queries.mjs'

/** Queries of each catalog, whole codes and beginnings in turn. */
const QUERIES = 50

/** The columns with ids and codes; see `Field.isCode` in `src/shared/records/record-type.ts`. */
const CODES = ['sku', 'generic_id', 'loinc', 'snomed_id', 'icd10']

/** The fewest characters of a beginning. */
const BEGINNING_FROM = 3

const fold = (code) => code.toLowerCase()

/** The id and the codes of a row of a file, whose first column is the id. */
const codesOf = (row) => [Object.values(row)[0], ...CODES.map((name) => row[name])].filter(Boolean)

/**
 * @typedef {object} CodeQuery
 * @property {'whole code' | 'beginning of a code'} kind
 * @property {string} text
 * @property {Set<string>} wanted ids of the records with this code, or with a code that begins with it
 */

/**
 * @param {Record<string, string>[]} rows active records as rows of a CSV file
 * @returns {CodeQuery[]}
 */
export function codeQueriesFrom(rows, count = QUERIES, seed = 2026) {
  const random = randomFrom(seed)
  const coded = rows.map((row) => ({ id: Object.values(row)[0], codes: codesOf(row).map(fold) }))
  return Array.from({ length: count }, (_, turn) => {
    const row = rows[Math.floor(random() * rows.length)]
    const codes = codesOf(row)
    const code = codes[Math.floor(random() * codes.length)]
    const isWhole = turn % 2 === 0 || code.length <= BEGINNING_FROM
    const length = BEGINNING_FROM + Math.floor(random() * (code.length - BEGINNING_FROM))
    const text = isWhole ? code : code.slice(0, length)
    const written = random() < 0.5 ? fold(text) : text.toUpperCase()
    const matches = (other) => (isWhole ? other === fold(text) : other.startsWith(fold(text)))
    const found = coded.filter((record) => record.codes.some(matches))
    const wanted = new Set(found.map(({ id }) => id))
    return { kind: isWhole ? 'whole code' : 'beginning of a code', text: written, wanted }
  })
}

/** Which share of the first results has each kind of query right: none may be missed. */
const BARS = { 'whole code': 1, 'beginning of a code': 0.95 }

/**
 * @param {(text: string) => Promise<string[]>} ask returns the ids of the results
 * @param {Record<string, string>[]} rows
 * @param {Map<string, { right: number, count: number }>} sums by kind, of all catalogs
 */
export async function askCodes(ask, rows, sums) {
  for (const { kind, text, wanted } of codeQueriesFrom(rows)) {
    const [first] = await ask(text)
    const sum = sums.get(kind) ?? { right: 0, count: 0 }
    sum.count++
    if (wanted.has(first)) sum.right++
    sums.set(kind, sum)
  }
}

/** @returns {import('./table.mjs').Row[]} */
export const codeRows = (sums) =>
  [...sums].map(([kind, { right, count }]) => ({
    work: `search by the ${kind}, ${count} queries: the first result is right`,
    unit: '',
    samples: [right / count],
    compared: `${right} of ${count}`,
    bar: `>= ${BARS[kind]}`,
    met: right / count >= BARS[kind],
  }))
