/**
 * How many trips to databases, one after another, a request waits for: with a credential that was read a moment ago,
 * and with one that has to be read. From a city far from the database each trip costs 10 to 50 ms.
 */
import { randomUUID } from 'node:crypto'
import { bodyOf, resized, searchable } from './catalogs.mjs'
import { expectStatus } from './http-client.mjs'
import { Service } from './service.mjs'
import { aligned } from './table.mjs'

// As `scripts/client/client.mjs` does it.
const { partnerToken } = await import('#client/partner')

const RECORDS = 20_000
/** The most trips of a request, with a known credential and with an unknown one. */
const BAR = { known: 1, unknown: 2 }

const DATASETS = '/admin/datasets/v1'
const HISTORY = '/admin/catalogs/v1/medication'
const SEARCH = '/medical-db/v1/search/?type=medication'
const LIST = `${DATASETS}/?type=medication`

const post = (body, contentType) => ({ method: 'POST', headers: { 'Content-Type': contentType }, body })
const json = (value) => post(JSON.stringify(value), 'application/json')

/**
 * The routes: each is a function of the number of the call, 0 with a known credential and 1 with an unknown one, so
 * that no search was asked before.
 *
 * `steps`: trips beyond the bar, if what is asked second depends on what was found first.
 */
function routesOf(catalog, batchId) {
  const id = catalog.rows[0][catalog.columns.indexOf('medication_id')]
  const few = resized(catalog, 20)
  const csv = post(bodyOf(few, 'csv').bytes, 'text/csv')
  const records = post(bodyOf(few, 'json').bytes, 'application/json')
  const get = (target) => () => ({ target })
  const write = (query, body) => () => ({ target: `${LIST}${query}`, ...body })
  const search = (...words) => {
    return (call) => ({ target: `${SEARCH}&q=${encodeURIComponent(words[call])}` })
  }
  return {
    'list page': { request: get(LIST) },
    'list page, with an entity tag': {
      request: () => ({ target: LIST, headers: { 'If-None-Match': 'W/"0-off"' } }),
    },
    'list, q': { request: get(`${LIST}&q=sodium`) },
    'get by id': { request: get(`${DATASETS}/${encodeURIComponent(id)}/?type=medication`) },
    'partner search': { request: search('metformin', 'ibuprofen') },
    'partner search, asked again': { request: search('metformin', 'ibuprofen') },
    'partner search, one letter': { request: search('m', 'a') },
    'partner search, misspelt': { request: search('metfromin', 'ibuprofne'), steps: 1 },
    'partner search, word in half of the records': { request: search('tablet', 'table'), steps: 1 },
    'search switch': { request: get(`${DATASETS}/search-status/?type=medication`) },
    'status of a catalog': { request: get(HISTORY) },
    'changes for a mirror': { request: get(`${HISTORY}/changes?since_revision=0&limit=100`) },
    writes: { request: get(`${HISTORY}/writes`) },
    'changes of a write': { request: get(`${HISTORY}/writes/${batchId}/changes`) },
    'history of a record': { request: get(`${HISTORY}/records/${encodeURIComponent(id)}/history`) },
    batches: { request: get(`${DATASETS}/batches/?type=medication`) },
    'dry run, CSV': { request: write('&mode=reconcile&dry_run=true', csv) },
    'dry run with its diff, JSON': { request: write('&dry_run=true&include=diff', records) },
    'upsert, CSV': { request: write('', csv) },
    'upsert, JSON': { request: write('', records) },
    'reconcile, CSV': { request: write('&mode=reconcile&confirm_shrink=true', csv) },
    'reconcile, JSON': { request: write('&mode=reconcile', records) },
    restore: {
      request: () => ({ target: `${HISTORY}/restore?revision=1&confirm_shrink=true`, method: 'POST' }),
    },
    'change of the switch': {
      request: () => ({ target: `${DATASETS}/search-status/?type=medication`, ...json({ enabled: true }) }),
    },
  }
}

class Trips {
  #service
  #rows = []

  constructor(service) {
    this.#service = service
  }

  async count({ target, headers, ...init }, credential) {
    const requestId = randomUUID()
    const sent = { ...init, headers: { ...headers, ...credential, 'X-Request-Id': requestId } }
    // A POST after a pause may meet a connection that the runtime is about to drop.
    await this.#service.wake()
    expectStatus(await this.#service.client.send(target, sent), 200, target)
    return (await this.#service.costOf(requestId)).roundTrips
  }

  /** @param {number} steps beyond the bar */
  add(work, { known, unknown }, steps = 0) {
    const met = known <= BAR.known + steps && unknown <= BAR.unknown + steps
    this.#rows.push({ work, known, unknown, bar: `${BAR.known + steps} / ${BAR.unknown + steps}`, met })
  }

  get rows() {
    return this.#rows.map(({ work, known, unknown, bar, met }) => ({
      work: `trips: ${work}`,
      unit: '',
      samples: [known],
      compared: `${known} / ${unknown}`,
      bar,
      met,
    }))
  }

  get note() {
    const lines = this.#rows.map(({ work, known, unknown }) => [work, String(known), String(unknown)])
    return aligned(['trips to databases', 'credential known', 'unknown'], lines)
  }
}

async function countRoutes(trips, service, workspace, catalog) {
  const writes = await workspace.api.get('/admin/catalogs/v1/{type}/writes', {
    params: { type: 'medication' },
  })
  const [{ batch_id: batchId }] = writes.items
  for (const [work, { request, steps }] of Object.entries(routesOf(catalog, batchId))) {
    const known = await trips.count(request(0), workspace.headers)
    const token = await service.operator.newToken(workspace.id)
    const unknown = await trips.count(request(1), { Authorization: `Bearer ${token}` })
    trips.add(work, { known, unknown }, steps)
  }
}

/** The two token exchanges. That from client credentials reads them each time. */
async function countExchanges(trips, service, workspace) {
  const { api_key, ...client } = await service.operator.newCredentials(workspace.id)
  const headers = { 'X-API-KEY': api_key }
  const exchange = { target: '/api/v1/auth/token', ...json({ ...client, grant_type: 'client_credentials' }) }
  const [first, second] = [await trips.count(exchange, headers), await trips.count(exchange, headers)]
  trips.add('token from client credentials', { known: second, unknown: first })
  const partner = await service.operator.newPartner(workspace.id)
  const session = async () => {
    const token = await partnerToken(partner, { id: 'bench' })
    return trips.count({ target: '/api/v1/auth/session', method: 'POST' }, { 'X-Auth-Token': token })
  }
  const unknown = await session()
  trips.add('session from a partner token', { known: await session(), unknown })
}

/**
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureRoundTrips(medications, { say }) {
  const service = await Service.start()
  try {
    say('round trips')
    const catalog = searchable(resized(medications, RECORDS))
    const workspace = await service.newWorkspace()
    await workspace.write(bodyOf(catalog, 'csv'))
    await workspace.enableSearch()
    const trips = new Trips(service)
    await countRoutes(trips, service, workspace, catalog)
    await countExchanges(trips, service, workspace)
    return { rows: trips.rows, notes: [trips.note] }
  } finally {
    await service.stop()
  }
}
