/**
 * How well partner search finds what people mean: queries made from the real catalogs, sent to the service and to
 * MiniSearch (prefix and fuzzy search) on the same data.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import MiniSearch from 'minisearch'
import Papa from 'papaparse'
import { randomFrom } from './random.mjs'
import { Service } from './service.mjs'
import { aligned } from './table.mjs'

// Queries like those that people type, made from a catalog by a fixed rule: the same catalog gives the same queries.

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const isWord = (word) => /^\p{L}{3,}$/u.test(word)
const wordsOf = (text) => text.split(/[\s,;/()+-]+/).filter(isWord)
const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '')

/**
 * The name as people say it: the display name without the strength.
 *
 * @param {{ name: string, display_name?: string }} record
 */
const spoken = ({ name, display_name }) => display_name ?? name

/** A word with one letter wrong, missing, added or swapped with the next one; not the first letter. */
function misspelt(word, kind, random) {
  const at = 1 + Math.floor(random() * (word.length - 2))
  const letter = LETTERS[Math.floor(random() * LETTERS.length)]
  const start = word.slice(0, at)
  if (kind === 'wrong') return start + (letter === word[at] ? 'z' : letter) + word.slice(at + 1)
  if (kind === 'missing') return start + word.slice(at + 1)
  if (kind === 'added') return start + letter + word.slice(at)
  return start + word[at + 1] + word[at] + word.slice(at + 2)
}

/** How people type the words of a name; null when the name does not suit the kind. */
const KINDS = {
  prefix: (words, random) => words[0].slice(0, 4 + Math.floor(random() * 3)),
  'first word': (words) => words[0],
  'two words': (words) => (words.length > 1 ? words.slice(0, 2).join(' ') : null),
  'two words, swapped': (words) => (words.length > 1 ? `${words[1]} ${words[0]}` : null),
  'without accents': (words) => plain(words.join(' ')),
  alias: (_words, _random, { aliases }) => aliases[0] ?? null,
  'alias and name': (words, _random, { aliases }) => {
    const alias = wordsOf(aliases[0] ?? '')[0]
    return alias === undefined || alias === words[0] ? null : `${words[0]} ${alias}`
  },
  ...Object.fromEntries(
    ['wrong', 'missing', 'added', 'swapped'].map((kind) => [
      `a letter ${kind}`,
      (words, random) => {
        const at = words.findIndex((word) => word.length >= 6)
        if (at === -1) return null
        return words
          .slice(0, 2)
          .map((word, i) => (i === at ? misspelt(word, kind, random) : word))
          .join(' ')
      },
    ]),
  ),
}

/**
 * @typedef {object} Query
 * @property {string} kind
 * @property {string} text
 * @property {Set<string>} wanted names, as `nameOf` returns them: every record with one of them is wanted
 */

/** The name that identifies a record here: records with the same name are equally good results. */
const nameOf = (record) => plain(spoken(record)).trim().toLowerCase()

/**
 * @param {{ name: string, display_name?: string, aliases: string[] }[]} records
 * @param {number} count
 * @returns {Query[]}
 */
function queriesFrom(records, count, seed = 2024) {
  const random = randomFrom(seed)
  const byName = [...new Map(records.map((record) => [nameOf(record), record])).values()]
  const byAlias = new Map()
  for (const record of records) {
    for (const alias of [spoken(record), ...record.aliases]) {
      const key = plain(alias).trim().toLowerCase()
      byAlias.set(key, (byAlias.get(key) ?? new Set()).add(nameOf(record)))
    }
  }
  const kinds = Object.entries(KINDS)
  const queries = []
  for (let turn = 0; queries.length < count && turn < count * 50; turn++) {
    const record = byName[Math.floor(random() * byName.length)]
    const [kind, type] = kinds[turn % kinds.length]
    const words = wordsOf(spoken(record))
    const text = words.length > 0 ? type(words, random, record) : null
    if (text === null || text.length < 3) continue
    const named = byAlias.get(plain(text).trim().toLowerCase())
    const wanted = new Set([nameOf(record), ...(kind === 'alias' && named ? named : [])])
    queries.push({ kind, text: text.toLowerCase(), wanted })
  }
  return queries
}

// Ids and codes: a whole code must be found first of all. Names that begin like a code come before its beginnings.

/** Queries of each catalog, whole codes and beginnings in turn. */
const CODE_QUERIES = 50

/** The columns with ids and codes; see `Field.isCode` in `src/shared/records/record-type.ts`. */
const CODES = ['sku', 'generic_id', 'loinc', 'snomed_id', 'icd10']

/** The fewest characters of a beginning. */
const BEGINNING_FROM = 3

const lower = (text) => text.toLowerCase()

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
function codeQueriesFrom(rows, count = CODE_QUERIES, seed = 2026) {
  const random = randomFrom(seed)
  const coded = rows.map((row) => ({ id: Object.values(row)[0], codes: codesOf(row).map(lower) }))
  return Array.from({ length: count }, (_, turn) => {
    const row = rows[Math.floor(random() * rows.length)]
    const codes = codesOf(row)
    const code = codes[Math.floor(random() * codes.length)]
    const isWhole = turn % 2 === 0 || code.length <= BEGINNING_FROM
    const length = BEGINNING_FROM + Math.floor(random() * (code.length - BEGINNING_FROM))
    const text = isWhole ? code : code.slice(0, length)
    const written = random() < 0.5 ? lower(text) : text.toUpperCase()
    const matches = (other) => (isWhole ? other === lower(text) : other.startsWith(lower(text)))
    const found = coded.filter((record) => record.codes.some(matches))
    const wanted = new Set(found.map(({ id }) => id))
    return { kind: isWhole ? 'whole code' : 'beginning of a code', text: written, wanted }
  })
}

/** Which share of the first results has each kind of query right: none may be missed. */
const CODE_BARS = { 'whole code': 1, 'beginning of a code': 0.95 }

/**
 * @param {(text: string) => Promise<string[]>} ask returns the ids of the results
 * @param {Record<string, string>[]} rows
 * @param {Map<string, { right: number, count: number }>} sums by kind, of all catalogs
 */
async function askCodes(ask, rows, sums) {
  for (const { kind, text, wanted } of codeQueriesFrom(rows)) {
    const [first] = await ask(text)
    const sum = sums.get(kind) ?? { right: 0, count: 0 }
    sum.count++
    if (wanted.has(first)) sum.right++
    sums.set(kind, sum)
  }
}

/** @returns {import('./table.mjs').Row[]} */
const codeRows = (sums) =>
  [...sums].map(([kind, { right, count }]) => ({
    work: `search by the ${kind}, ${count} queries: the first result is right`,
    unit: '',
    samples: [right / count],
    compared: `${right} of ${count}`,
    bar: `>= ${CODE_BARS[kind]}`,
    met: right / count >= CODE_BARS[kind],
  }))

// What is measured.

const QUERIES = 500
/** A result among the first `FIRST` counts as found at once. `ASKED` results are requested. */
const FIRST = 5
const ASKED = 20

const CATALOGS = { medication: 'medications.csv', diagnosis: 'diagnoses.csv' }
/** Searched by codes only. */
const CODED = { symptom: 'symptoms.csv', lab_test: 'lab-tests.csv' }

const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The fields of a file's active records that search reads, the rows of these records, and the file. */
async function readCatalog(directory, file) {
  const bytes = await readFile(path.join(directory, file))
  const { data } = Papa.parse(bytes.toString(), { header: true, skipEmptyLines: true })
  const rows = data.filter(({ is_active }) => !['no', 'false'].includes(is_active))
  const records = rows.map(({ name, display_name, aliases }) => ({
    name,
    display_name: display_name || undefined,
    aliases: aliases ? aliases.split('|') : [],
  }))
  return { bytes, records, rows }
}

/** @returns {(text: string) => string[]} names of the results of MiniSearch, best first */
function miniSearch(records) {
  const index = new MiniSearch({
    fields: ['name', 'display_name', 'aliases'],
    processTerm: fold,
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { name: 2, display_name: 2 } },
  })
  index.addAll(
    records.map(({ name, display_name = '', aliases }, id) => ({
      id,
      name,
      display_name,
      aliases: aliases.join(' '),
    })),
  )
  return (text) =>
    index
      .search(text)
      .slice(0, ASKED)
      .map(({ id }) => nameOf(records[id]))
}

/** @returns {(text: string) => Promise<object[]>} the results of the service */
function serviceSearch(workspace, type) {
  return async (q) => {
    const { items } = await workspace.api.get('/medical-db/v1/search/', { query: { type, limit: ASKED, q } })
    return items
  }
}

/** Reciprocal ranks of the queries of each kind, and whether a wanted record was among the first. */
class Score {
  #byKind = new Map()

  add(kind, names, wanted) {
    const place = names.findIndex((name) => wanted.has(name))
    for (const key of ['all', kind]) {
      const sum = this.#byKind.get(key) ?? { count: 0, reciprocal: 0, first: 0 }
      sum.count++
      if (place >= 0) sum.reciprocal += 1 / (place + 1)
      if (place >= 0 && place < FIRST) sum.first++
      this.#byKind.set(key, sum)
    }
  }

  kinds = () => [...this.#byKind.keys()]

  of(kind) {
    const { count, reciprocal, first } = this.#byKind.get(kind)
    return { count, meanReciprocal: reciprocal / count, share: first / count }
  }
}

/** @returns a row whose bar is the figure of the other system */
const betterRow = (work, ours, theirs) => ({
  work,
  unit: '',
  samples: [ours],
  floor: [theirs],
  compared: `${(ours - theirs).toFixed(3)} more`,
  bar: '> MiniSearch',
  met: ours > theirs,
})

async function load(workspace, type, bytes) {
  await workspace.write({ format: 'csv', bytes }, { type })
  await workspace.enableSearch(type)
}

async function measureCodes(workspace, type, { rows }, sums) {
  const search = serviceSearch(workspace, type)
  const ids = async (text) => (await search(text)).map((item) => item[`${type}_id`])
  await askCodes(ids, rows, sums)
}

async function measureQuality(workspace, type, { records }) {
  const ask = serviceSearch(workspace, type)
  const askMini = miniSearch(records)
  const ours = new Score()
  const theirs = new Score()
  for (const { kind, text, wanted } of queriesFrom(records, QUERIES)) {
    ours.add(kind, (await ask(text)).map(nameOf), wanted)
    theirs.add(kind, askMini(text), wanted)
  }
  const figures = (kind) => [ours.of(kind), theirs.of(kind)]
  const [own, other] = figures('all')
  const lines = ours.kinds().map((kind) => {
    const [a, b] = figures(kind)
    const cells = [a.meanReciprocal, b.meanReciprocal, a.share, b.share].map((value) => value.toFixed(3))
    return [`${type}, ${kind}`, String(a.count), ...cells]
  })
  return {
    rows: [
      betterRow(`${type}: mean reciprocal rank`, own.meanReciprocal, other.meanReciprocal),
      betterRow(`${type}: share among the first ${FIRST}`, own.share, other.share),
    ],
    lines,
  }
}

const HEAD = ['queries', 'number', 'rank', 'MiniSearch', `first ${FIRST}`, 'MiniSearch']

/**
 * @param {import('./catalogs.mjs').Catalog} _medications
 * @param {{ data: string, say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureSearchQuality(_medications, { data, say }) {
  const service = await Service.start()
  try {
    const rows = []
    const lines = []
    const codes = new Map()
    const workspace = await service.newWorkspace()
    for (const [type, file] of Object.entries(CATALOGS)) {
      say(`quality of search, ${file}`)
      const catalog = await readCatalog(data, file)
      await service.wake()
      await load(workspace, type, catalog.bytes)
      const measured = await measureQuality(workspace, type, catalog)
      rows.push(...measured.rows)
      lines.push(...measured.lines)
      await measureCodes(workspace, type, catalog, codes)
    }
    for (const [type, file] of Object.entries(CODED)) {
      const catalog = await readCatalog(data, file)
      await load(workspace, type, catalog.bytes)
      await measureCodes(workspace, type, catalog, codes)
    }
    return { rows: [...rows, ...codeRows(codes)], notes: [aligned(HEAD, lines)] }
  } finally {
    await service.stop()
  }
}
