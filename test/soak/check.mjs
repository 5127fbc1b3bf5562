/** Compares a catalog, while nothing is written, with its model. */
import { isDeepStrictEqual } from 'node:util'
import Papa from 'papaparse'
import { modelled, queryOf, TYPES } from './bodies.mjs'
import { matchingIds } from './catalog-model.mjs'

const DATASETS = '/admin/datasets/v1/'
const CATALOG = '/admin/catalogs/v1/{type}'
const PAGE = 1000
/** The most that a partner search answers. */
const MOST_RESULTS = 50

/** How often each thing is looked at. */
const SAMPLES = { queries: 6, histories: 4 }

export class CatalogCheck {
  #ledger
  #api
  #random
  #report

  /** @param {import('./ledger.mjs').Ledger} ledger settled */
  constructor(ledger, random, report) {
    this.#ledger = ledger
    this.#api = ledger.workspace.api
    this.#random = random
    this.#report = (text) => report(`${ledger.name}: ${text}`)
  }

  async run() {
    await this.status()
    await this.contents()
    await this.exported()
    for (let n = 0; n < SAMPLES.queries; n++) await this.searches()
    for (let n = 0; n < SAMPLES.histories; n++) await this.history()
    await this.feed()
  }

  #equal(what, actual, expected) {
    if (isDeepStrictEqual(actual, expected)) return
    const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)]
    let at = 0
    while (a[at] === e[at]) at++
    const from = Math.max(0, at - 100)
    this.#report(`${what}: ${a.slice(from, at + 200)}\n    expected ${e.slice(from, at + 200)}`)
  }

  /** Counters, revision, and how many uploads are listed. */
  async status() {
    const { type, model } = this.#ledger
    const { revision, active_records, total_records } = await this.#api.get(CATALOG, { params: { type } })
    this.#equal(
      'status',
      { revision, active_records, total_records },
      {
        revision: model.revision,
        active_records: model.active,
        total_records: model.total,
      },
    )
    const { total } = await this.#api.get(`${DATASETS}batches/`, { query: { type, limit: 1 } })
    this.#equal('number of uploads', total, model.uploads)
  }

  async #pages(query) {
    const items = []
    let page
    do {
      page = await this.#api.get(DATASETS, {
        query: { type: this.#ledger.type, limit: PAGE, offset: items.length, ...query },
      })
      items.push(...page.items)
    } while (page.has_more)
    return { items, total: page.total }
  }

  /** Every record, active or not, with every field, latest change first. */
  async contents() {
    const { type, model } = this.#ledger
    const { items, total } = await this.#pages({ show_inactive: '1' })
    this.#equal('total of the list', total, model.total)
    const listed = items.map((record) => modelled(type, record))
    for (const { id, rest } of listed) if (rest.length > 0) this.#report(`${id} has values in ${rest}`)
    const shown = new Map(listed.map(({ id, fields, isActive }) => [id, { fields, isActive }]))
    const expected = new Map(model.records.map(([id, { fields, isActive }]) => [id, { fields, isActive }]))
    this.#equal('ids', [...shown.keys()].sort(), [...expected.keys()].sort())
    for (const [id, state] of expected) this.#equal(`record ${id}`, shown.get(id), state)
    const revisions = new Map(model.records.map(([id, { revision }]) => [id, revision]))
    const late = listed.findIndex(({ id }, n) => n > 0 && revisions.get(id) > revisions.get(listed[n - 1].id))
    if (late > 0) this.#report(`the list is not in the order of changes at ${listed[late].id}`)
    const { total: active } = await this.#api.get(DATASETS, { query: { type, limit: 1 } })
    this.#equal('total of the active records', active, model.active)
  }

  /** The file of the whole catalog, in the order in which records were first written. */
  async exported() {
    const { type, model } = this.#ledger
    const { idField, markField } = TYPES[type]
    const file = await this.#api.file('get', DATASETS, { query: { type, format: 'csv', show_inactive: '1' } })
    const text = await (await file.blob()).text()
    const { data } = Papa.parse(text.replace(/^\ufeff/, ''), { header: true, skipEmptyLines: true })
    const rows = data.map((row) => [row[idField], row.name, row.aliases, row[markField], row.is_active])
    const expected = model.records.map(([id, { fields, isActive }]) => [
      id,
      fields.name,
      fields.aliases.join('|'),
      fields.mark,
      String(isActive),
    ])
    this.#equal('export', rows, expected)
  }

  async searches() {
    const { type, model, workspace } = this.#ledger
    const query = queryOf(this.#random, workspace.index)
    const active = model.records.filter(([, { isActive }]) => isActive)
    const { items, total } = await this.#pages({ q: query })
    const idsOf = (records) => records.map((record) => modelled(type, record).id).sort()
    const matches = matchingIds(active, query).sort()
    this.#equal(`list with q=${query}`, idsOf(items), matches)
    this.#equal(`total with q=${query}`, total, items.length)

    const result = await this.#api.search(type, query, { limit: MOST_RESULTS })
    this.#equal(`source of the search for ${query}`, result.source, 'workspace')
    const exact = idsOf(result.items.slice(0, result.count - result.approximate))
    const expected = matches.length > MOST_RESULTS ? exact.filter((id) => matches.includes(id)) : matches
    this.#equal(`search for ${query}`, exact, expected)
    this.#equal(`different records in the search for ${query}`, new Set(exact).size, exact.length)
    for (const record of result.items) this.#sameRecord(`result of ${query}`, record)
  }

  #sameRecord(what, record) {
    const { id, fields, isActive } = modelled(this.#ledger.type, record)
    const now = this.#ledger.model.versionsOf(id)?.at(-1)
    this.#equal(`${what}: record ${id}`, { fields, isActive }, now && { fields: now.fields, isActive: now.isActive })
  }

  /** Every version of one record, newest first. */
  async history() {
    const { type, model } = this.#ledger
    if (model.total === 0) return
    const [id] = this.#random.of(model.records)
    const { items } = await this.#api.get(`${CATALOG}/records/{entity_id}/history`, {
      params: { type, entity_id: id },
      query: { limit: PAGE },
    })
    const versions = items.map(({ revision, record }) => {
      const { fields, isActive } = modelled(type, record)
      return { revision, fields, isActive }
    })
    const expected = model.versionsOf(id).map(({ revision, fields, isActive }) => ({ revision, fields, isActive }))
    this.#equal(`history of ${id}`, versions, expected.reverse())
  }

  /** The changes that a mirror gets which stopped at an earlier revision. */
  async feed() {
    const { type, model } = this.#ledger
    const since = this.#random.between(0, model.revision)
    const changes = []
    /** @type {any} */
    let page = { cursor: null }
    do {
      const query = { since_revision: since, limit: PAGE, cursor: page.cursor ?? undefined }
      page = await this.#api.get(`${CATALOG}/changes`, { params: { type }, query })
      changes.push(...page.items)
    } while (page.has_more)
    const later = model.records.filter(([, { revision }]) => revision > since)
    const shown = changes.map(({ revision, record }) => [modelled(type, record).id, revision])
    this.#equal(`changes since ${since}`, shown.sort(), later.map(([id, { revision }]) => [id, revision]).sort())
  }
}
