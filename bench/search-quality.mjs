/**
 * How well partner search finds what clinicians mean: queries with right answers, sent to the service with two
 * catalogs. `real` is the catalog as published by its source. `plain` is as in most hospitals: a name, with strength,
 * form and generics in their own fields.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import Papa from 'papaparse'
import { dataDirectory } from './catalogs.mjs'
import { Service } from './service.mjs'

const QUERIES = path.join(dataDirectory, '..', 'search', 'queries.json')

/** Results that are evaluated. */
const FIRST = 10

const CATALOGS = { medication: 'medications.csv', diagnosis: 'diagnoses.csv' }

const isActive = ({ is_active }) => !['no', 'false'].includes(is_active)

async function readRows(file) {
  const text = await readFile(path.join(dataDirectory, file), 'utf8')
  return Papa.parse(text, { header: true, skipEmptyLines: true }).data
}

/** Active medications with the displayed name only; strength, form and generics stay in their own fields. */
const plainRows = (rows) =>
  rows.filter(isActive).map((row) => ({ ...row, name: row.display_name || row.name, display_name: '', aliases: '' }))

const percent = (share) => `${Math.round(share * 100)} %`

const row = (work, value, bar, met, unit = '') => ({
  work,
  unit,
  samples: [value],
  compared: unit === '' ? percent(value) : String(value),
  bar,
  met,
})

const ask = (workspace, type, q, limit = FIRST, headers = {}) =>
  workspace.api.post('/medical-db/v1/search/', { body: { type, q, limit }, headers })

/** Kinds of queries that the contract's section "What matches" calls misspelled, and British spellings of diagnoses. */
const IS_MISSPELT = /wrong|swapped|misspelt|glued|split|sounds|british/

/** Partner search's response to a query: the position of a right record (-1 if there is none), and how it is found. */
async function resultOf(workspace, { kind, type, q, right }) {
  const { items, groups } = await ask(workspace, type, q)
  const place = items.findIndex((item) => right.includes(item[`${type}_id`]))
  const ordinary = groups
    .filter(({ match }) => match === 'exact' || match === 'beginning')
    .reduce((sum, { count }) => sum + count, 0)
  return { kind, place, isFound: place >= 0, isOrdinary: place >= 0 && place < ordinary, isEmpty: items.length === 0 }
}

const shareOf = (results, has) => results.filter(has).length / results.length

async function measureKinds(workspace, catalog, queries) {
  const results = []
  for (const query of queries) results.push(await resultOf(workspace, query))
  const isFound = (result) => result.isFound
  const found = shareOf(results, isFound)
  const withoutErrors = results.filter(({ kind }) => !IS_MISSPELT.test(kind))
  const ordinary = shareOf(withoutErrors, (result) => result.isOrdinary)
  const empty = shareOf(results, (result) => result.isEmpty)
  const reciprocals = results.reduce((sum, { place, isFound }) => sum + (isFound ? 1 / (place + 1) : 0), 0)
  const kinds = [...Map.groupBy(results, ({ kind }) => kind)].map(
    ([kind, some]) => `${kind} ${percent(shareOf(some, isFound))}`,
  )
  return {
    rows: [
      row(`${catalog}: a right record among the first ${FIRST}`, found, '>= 93 %', found >= 0.93),
      row(`${catalog}: the same, ordinary matches alone, no typing errors`, ordinary, '>= 90 %', ordinary >= 0.9),
      row(`${catalog}: nothing found`, empty, '<= 5 %', empty <= 0.05),
      row(`${catalog}: mean reciprocal rank`, reciprocals / results.length, '', true, 'MRR'),
    ],
    note: `Found in the ${catalog} catalog, by kind: ${kinds.join(', ')}.`,
  }
}

const RELEASES = /EXTENDED|DELAYED/
const FORM_TESTS = {
  er: (form) => form.includes('EXTENDED'),
  xr: (form) => form.includes('EXTENDED'),
  dr: (form) => form.includes('DELAYED'),
  tab: (form) => form.includes('TABLET'),
  inj: (form) => form.includes('INJECT'),
}

/** Ordinary matches among the first five with another ingredient or form than requested. */
async function measureForms(workspace, medications) {
  const generics = new Map()
  for (const { generic_name, form_name } of medications.filter(isActive)) {
    if (RELEASES.test(form_name) && !generic_name.includes(';')) {
      const [ingredient] = generic_name.toLowerCase().split(' ')
      generics.set(ingredient, true)
    }
  }
  const wrong = []
  let searches = 0
  for (const ingredient of generics.keys()) {
    for (const [word, isForm] of Object.entries(FORM_TESTS)) {
      const { items, groups } = await ask(workspace, 'medication', `${ingredient} ${word}`, 5)
      const exact = groups.find(({ match }) => match === 'exact')?.count ?? 0
      searches++
      const other = items.slice(0, exact).find(({ name, display_name, generic_name, form_name }) => {
        const named = `${name} ${display_name} ${generic_name}`.toLowerCase()
        return !named.includes(ingredient) || !isForm(form_name ?? '')
      })
      if (other !== undefined) wrong.push(`${ingredient} ${word}: ${other.name}`)
    }
  }
  return {
    rows: [
      row(
        `another drug or form as an ordinary match, of ${searches} searches`,
        wrong.length,
        '0',
        wrong.length === 0,
        'searches',
      ),
    ],
    note: wrong.length === 0 ? '' : `Another drug or form: ${wrong.slice(0, 10).join('; ')}.`,
  }
}

/** Numbers that no product has: a response with items must report that the number was ignored. */
async function measureNumbers(workspace, queries) {
  let changed = 0
  const names = queries.filter(({ kind }) => kind === 'generic').map(({ q }) => q)
  for (const q of names) {
    const { groups } = await ask(workspace, 'medication', `${q} 98765.4mg`)
    if (groups.some(({ match }) => match !== 'left_out')) changed++
  }
  const work = `another dose without a word, of ${names.length} searches`
  return row(work, changed, '0', changed === 0, 'searches')
}

/** Searches while a name is typed letter by letter. */
async function measureTyping(service, workspace, queries) {
  const typed = queries
    .filter(({ kind }) => ['generic', 'name strength mg', 'written as in a prescription'].includes(kind))
    .filter((_, n) => n % 7 === 0)
    .flatMap(({ type, q }) => Array.from({ length: q.length }, (_, n) => ({ type, q: q.slice(0, n + 1) })))
  const rows = []
  for (const { type, q } of typed) {
    const requestId = randomUUID()
    await ask(workspace, type, q, FIRST, { 'X-Request-Id': requestId })
    rows.push((await service.costOf(requestId)).rowsRead)
  }
  const most = Math.max(...rows)
  const mean = Math.round(rows.reduce((sum, n) => sum + n, 0) / rows.length)
  return [
    row(`rows read while typing, mean of ${rows.length} searches`, mean, '<= 2,000', mean <= 2000, 'rows'),
    row(`rows read while typing, most (${typed[rows.indexOf(most)].q})`, most, '<= 12,000', most <= 12_000, 'rows'),
  ]
}

/** @type {import('./table.mjs').Measure} */
export const measureSearchQuality = async (_medications, { say }) => {
  if (!existsSync(QUERIES)) return { rows: [], notes: [`The queries are not there: ${QUERIES}`] }
  const queries = JSON.parse(await readFile(QUERIES, 'utf8'))
  const medications = await readRows(CATALOGS.medication)
  const service = await Service.start()
  const rows = []
  const notes = []
  try {
    const load = async (workspace, type, records) => {
      await service.wake()
      await workspace.write({ format: 'csv', bytes: Buffer.from(Papa.unparse(records)) }, { type })
      await workspace.enableSearch(type)
    }
    const real = await service.newWorkspace()
    for (const [type, file] of Object.entries(CATALOGS)) await load(real, type, await readRows(file))
    say('quality of search, real catalog')
    const inReal = await measureKinds(real, 'real', queries)
    say('safety of search')
    const forms = await measureForms(real, medications)
    rows.push(...inReal.rows, ...forms.rows, await measureNumbers(real, queries))
    rows.push(...(await measureTyping(service, real, queries)))
    say('quality of search, plain catalog')
    const plain = await service.newWorkspace()
    await load(plain, 'medication', plainRows(medications))
    const inPlain = await measureKinds(
      plain,
      'plain',
      queries.filter(({ type }) => type === 'medication'),
    )
    rows.push(...inPlain.rows)
    notes.push(...[inReal.note, forms.note, inPlain.note].filter((note) => note !== ''))
    return { rows, notes }
  } finally {
    await service.stop()
  }
}
