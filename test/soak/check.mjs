/** Compares a catalog with its model, while nothing is written. */
import { isDeepStrictEqual } from 'node:util'
import Papa from 'papaparse'
import { beginningOf, modelled, TYPES } from './bodies.mjs'

const DATASETS = '/admin/datasets/v1/'
const PAGE = 1000
/** The most matches that a partner search returns. */
const MOST_RESULTS = 50
/** How often to check each thing. */
const SAMPLES = { queries: 6, histories: 4 }

const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').trim()

/** IDs of the active records whose names or aliases fit. @param {(lines: string[]) => boolean} fits */
const matching = (records, fits) =>
  records
    .filter(([, { fields, isActive }]) => isActive && fits([fields.name, ...fields.aliases].map(fold)))
    .map(([id]) => id)
    .sort()

/** docs/contract.md#text-search */
const holding = (query) => (lines) =>
  fold(query)
    .split(' ')
    .every((word) => lines.some((line) => line.includes(word)))

/** docs/contract.md#what-matches */
const beginning = (word) => (lines) =>
  lines.some((line) => line.split(/[^\p{L}\p{N}]+/u).some((each) => each.startsWith(fold(word))))

/** @param {any} record */
const stateOf = ({ fields, isActive }) => ({ fields, isActive })

/**
 * @param {import('./ledger.mjs').Ledger} ledger settled
 * @param {import('./random.mjs').Random} random
 * @param {(text: string) => void} report receives differences
 */
export async function checkCatalog(ledger, random, report) {
  const { type, model, workspace, name } = ledger
  const { api } = workspace

  function equal(what, actual, expected) {
    if (isDeepStrictEqual(actual, expected)) return
    const [a, e] = [JSON.stringify(actual) ?? '', JSON.stringify(expected) ?? '']
    let at = 0
    while (a[at] === e[at] && at < a.length) at++
    const from = Math.max(0, at - 100)
    report(`${name}: ${what}: ${a.slice(from, at + 200)}\n    expected ${e.slice(from, at + 200)}`)
  }

  async function list(query) {
    const items = []
    let page
    do {
      page = await api.get(DATASETS, { query: { type, limit: PAGE, offset: items.length, ...query } })
      items.push(...page.items.map((record) => modelled(type, record)))
    } while (page.has_more)
    equal(`total with ${JSON.stringify(query)}`, page.total, items.length)
    return items
  }

  async function counters() {
    const { revision, active_records, total_records } = await ledger.get('')
    equal('status', [revision, active_records, total_records], [model.revision, model.active, model.records.length])
  }

  /** Every record, active or not, with every field, latest change first; and the export in the order of IDs. */
  async function contents() {
    const listed = await list({ show_inactive: '1' })
    const shown = new Map(listed.map(({ id, ...state }) => [id, state]))
    equal('ids', [...shown.keys()].sort(), model.records.map(([id]) => id).sort())
    for (const [id, state] of model.records) equal(`record ${id}`, shown.get(id), stateOf(state))
    const revisions = new Map(model.records.map(([id, { revision }]) => [id, revision]))
    const order = listed.map(({ id }) => revisions.get(id))
    equal(
      'order of changes',
      order,
      order.toSorted((one, other) => other - one),
    )
    equal('number of active records', (await list({})).length, model.active)
    const file = await api.file('get', DATASETS, { query: { type, format: 'csv', show_inactive: '1' } })
    const text = (await (await file.blob()).text()).replace(/^\ufeff/, '')
    const { idField, markField } = TYPES[type]
    const rows = Papa.parse(text, { header: true, skipEmptyLines: true }).data
    equal(
      'export',
      rows.map((row) => [row[idField], row.name, row.aliases, row[markField], row.is_active]),
      model.records.map(([id, { fields, isActive }]) => [
        ...[id, fields.name, fields.aliases.join('|'), fields.mark, String(isActive)],
      ]),
    )
  }

  async function searches() {
    const [word, other] = [beginningOf(random), beginningOf(random)]
    const query = random.chance(0.3) ? `${word} ${other}` : word
    const listed = (await list({ q: query })).map(({ id }) => id)
    equal(`list with q=${query}`, listed.sort(), matching(model.records, holding(query)))
    const result = await api.search(type, word, { limit: MOST_RESULTS })
    equal(`source of the search for ${word}`, result.source, 'workspace')
    const found = result.items.map((record) => modelled(type, record))
    const exact = found.slice(0, result.count - result.approximate).map(({ id }) => id)
    const matches = matching(model.records, beginning(word))
    const expected = matches.length > MOST_RESULTS ? exact.filter((id) => matches.includes(id)) : matches
    equal(`search for ${word}`, [...new Set(exact)].sort(), expected.toSorted())
    for (const { id, ...state } of found) equal(`found ${id}`, state, stateOf(model.versionsOf(id)?.at(-1) ?? {}))
  }

  /** Every version of one record, newest first. */
  async function history() {
    if (model.records.length === 0) return
    const [id] = random.of(model.records)
    const { items } = await ledger.get(`/records/${id}/history`, { limit: PAGE })
    const versions = items.map(({ revision, record }) => ({ ...stateOf(modelled(type, record)), revision }))
    equal(`history of ${id}`, versions, model.versionsOf(id).toReversed())
  }

  /** The changes for a mirror that stopped at an earlier revision. */
  async function feed() {
    const since = random.between(0, model.revision)
    const changes = []
    let page
    do {
      page = await ledger.get('/changes', { since_revision: since, limit: PAGE, cursor: page?.cursor })
      changes.push(...page.items.map(({ revision, record }) => [modelled(type, record).id, revision]))
    } while (page.has_more)
    const later = model.records.filter(([, { revision }]) => revision > since)
    equal(`changes since ${since}`, changes.sort(), later.map(([id, { revision }]) => [id, revision]).sort())
  }

  await counters()
  await contents()
  for (let n = 0; n < SAMPLES.queries; n++) await searches()
  for (let n = 0; n < SAMPLES.histories; n++) await history()
  await feed()
}
