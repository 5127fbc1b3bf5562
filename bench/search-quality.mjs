/**
 * How well partner search finds what people mean: queries made from the real catalogs, sent to the service and to
 * MiniSearch (prefix and fuzzy search) on the same data.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import MiniSearch from 'minisearch'
import Papa from 'papaparse'
import { dataDirectory } from './catalogs.mjs'
import { randomFrom } from './random.mjs'
import { Service } from './service.mjs'

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
    queries.push({ text: text.toLowerCase(), wanted })
  }
  return queries
}

// What is measured.

const QUERIES = 500
/** A result among the first `FIRST` counts as a success. `REQUESTED` results are asked for. */
const FIRST = 5
const REQUESTED = 20

const CATALOGS = { medication: 'medications.csv', diagnosis: 'diagnoses.csv' }

/** The fields of a file's active records that search reads, and the file. */
async function readCatalog(file) {
  const bytes = await readFile(path.join(dataDirectory, file))
  const { data } = Papa.parse(bytes.toString(), { header: true, skipEmptyLines: true })
  const active = data.filter(({ is_active }) => !['no', 'false'].includes(is_active))
  const records = active.map(({ name, display_name, aliases }) => ({
    name,
    display_name: display_name || undefined,
    aliases: aliases ? aliases.split('|') : [],
  }))
  return { bytes, records }
}

/** @returns {(text: string) => string[]} names of the results of MiniSearch, best first */
function miniSearch(records) {
  const index = new MiniSearch({
    fields: ['name', 'display_name', 'aliases'],
    processTerm: (term) => plain(term).toLowerCase(),
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
      .slice(0, REQUESTED)
      .map(({ id }) => nameOf(records[id]))
}

/** Reciprocal ranks of the queries, and how often a wanted record was among the first. */
class Score {
  #queries = 0
  #reciprocal = 0
  #first = 0

  add(names, wanted) {
    const place = names.findIndex((name) => wanted.has(name))
    this.#queries++
    if (place >= 0) this.#reciprocal += 1 / (place + 1)
    if (place >= 0 && place < FIRST) this.#first++
  }

  get meanReciprocal() {
    return this.#reciprocal / this.#queries
  }

  get share() {
    return this.#first / this.#queries
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

async function measureQuality(workspace, type, records) {
  const query = { type, limit: REQUESTED }
  const askMini = miniSearch(records)
  const ours = new Score()
  const theirs = new Score()
  for (const { text, wanted } of queriesFrom(records, QUERIES)) {
    const { items } = await workspace.api.get('/medical-db/v1/search/', { query: { ...query, q: text } })
    ours.add(items.map(nameOf), wanted)
    theirs.add(askMini(text), wanted)
  }
  return [
    betterRow(`${type}: mean reciprocal rank`, ours.meanReciprocal, theirs.meanReciprocal),
    betterRow(`${type}: share among the first ${FIRST}`, ours.share, theirs.share),
  ]
}

/**
 * @param {import('./catalogs.mjs').Catalog} _medications
 * @param {{ say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureSearchQuality(_medications, { say }) {
  const service = await Service.start()
  try {
    const rows = []
    const workspace = await service.newWorkspace()
    for (const [type, file] of Object.entries(CATALOGS)) {
      say(`quality of search, ${file}`)
      const { bytes, records } = await readCatalog(file)
      await service.wake()
      await workspace.write({ format: 'csv', bytes }, { type })
      await workspace.enableSearch(type)
      rows.push(...(await measureQuality(workspace, type, records)))
    }
    return { rows, notes: [] }
  } finally {
    await service.stop()
  }
}
