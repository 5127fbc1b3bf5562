import { beforeEach, describe, expect, it, vi } from 'vitest'
import { endpoints } from '#worker/endpoints'
import type { Endpoint } from '#worker/http/endpoint/endpoint'
import { serviceEndpoints } from '#worker/openapi/endpoints'
import { forgetCached } from '#worker/storage/timed-cache'
import { catalogOfEachTest, csvBody, TestCatalog } from '../../support/catalog'
import { newWorkspace } from '../../support/credentials'
import { moveToTheEnd } from '../../support/databases'
import { DOCS, documentOf, uploadTo } from '../../support/documents'
import { callAsPartner, newPartner, partnerTokenOf, type TestPartner } from '../../support/partners'
import { callService, jsonBody } from '../../support/service'

const catalog = catalogOfEachTest()
let partner: TestPartner

/** The round trips to databases from the log line of each request, and its route. */
let trips: number[]
let routes: string[]

/** The routes whose round trips this file's tests have pinned. */
const pinned = new Set<string>()

const SEARCH = '/medical-db/v1/search/'
const HISTORY = '/admin/catalogs/v1/medication'
const ADDED_NAMES = `${HISTORY}/records/a/added-names`

let addedNames = 0
let strength = 0

/** A different query for each search, because an isolate caches the corrections of a word. */
const MISSPELT = ['metfromin', 'metfornin']

beforeEach(async () => {
  partner = await newPartner({ workspaceId: catalog.workspace.workspaceId })
  await catalog.write([catalog.record('a', { name: 'Metformin' })])
  trips = []
  routes = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => {
    const { round_trips: count, method, route } = JSON.parse(line)
    if (count === undefined) return
    trips.push(count)
    routes.push(`${method} ${route}`)
  })
})

const bearer = () => ({ Authorization: `Bearer ${catalog.workspace.token}` })

async function ok(answer: Promise<Response>): Promise<string> {
  const response = await answer
  const text = await response.text()
  expect([200, 304], text).toContain(response.status)
  return text
}

const send = (path: string, init: RequestInit = {}) =>
  ok(callService(path, { ...init, headers: { ...bearer(), ...init.headers } }))

const search = (q: string, rest = '') => send(`${SEARCH}?type=medication&q=${encodeURIComponent(q)}${rest}`)

async function lastBatch(): Promise<string> {
  const { data } = JSON.parse(await send(`${HISTORY}/writes`)) as { data: { items: { batch_id: string }[] } }
  return data.items[0]!.batch_id
}

/** A request that is sent once with a cached credential, and once with one that must be read. */
interface Call {
  /** Round trips in the first case; 1 by default. */
  trips?: number
  /** Runs before, and is not counted. */
  prepare?: () => Promise<unknown>
  send: (context: unknown) => Promise<unknown>
}

const one = (path: string): Call => ({ send: () => send(path) })
const withBody = (method: string, path: string, body: object) => send(path, { method, ...jsonBody(body) })
/** @param prepare returns the context of the call */
const after = (prepare: () => Promise<unknown>, send: Call['send'], trips = 1): Call => ({ prepare, send, trips })

const register = () => withBody('POST', '/registration/v1/init', { mobile_number: '+919876543210' })
const watch = () => withBody('PUT', `${HISTORY}/watch`, { every_hours: 24 })
const shown = () => catalog.setSearch(true)

const reportMiss = () => withBody('POST', `${SEARCH}misses`, { type: 'medication', q: 'htn' })

async function gaveUp() {
  await shown()
  await reportMiss()
}

const list = '/admin/datasets/v1/?type=medication'

const post = (query: string, init: RequestInit) => send(`${list}${query}`, { method: 'POST', ...init })
const records = () => jsonBody([catalog.record('a'), catalog.record('b')])

const heldUpload = async () =>
  (JSON.parse(await post('&dry_run=true&hold=true', records())) as { data: { upload_id: string } }).data.upload_id

const newDocument = async () => (await documentOf(await uploadTo(bearer()))).document_id

async function refused(status: number, query: string, body: unknown) {
  const init = { method: 'POST', ...jsonBody(body, bearer()) }
  const response = await callService(`${list}${query}`, init)
  expect(response.status, await response.text()).toBe(status)
}

const READS: Record<string, Call> = {
  'a list': one(list),
  'a record': { send: () => catalog.get('a') },
  'a partner search': after(shown, () => search('metf')),
  'a partner search with its text in the body': after(shown, () =>
    withBody('POST', SEARCH, { type: 'medication', q: 'metfo' }),
  ),
  'a partner search of a misspelled word, whose corrections are searched for': after(
    shown,
    async () => expect(await search(MISSPELT.pop()!)).toContain('"approximate":1'),
    2,
  ),
  'the switch': { send: () => catalog.searchStatus() },
  'the batches': { send: () => catalog.batches() },
  'the status of a catalog': one(HISTORY),
  'the status of all catalogs': one('/admin/catalogs/v1/?include=held'),
  'the activity of the last days': one('/admin/catalogs/v1/activity?time_zone=Asia/Kolkata'),
  'changes for a mirror': one(`${HISTORY}/changes?since_revision=0`),
  'the writes': one(`${HISTORY}/writes`),
  'what a write changed': after(lastBatch, (id) => send(`${HISTORY}/writes/${id}/changes`)),
  'the uploads': one(`${HISTORY}/uploads`),
  'an upload': after(lastBatch, (id) => send(`${HISTORY}/uploads/${id}`)),
  'a write': after(lastBatch, (id) => send(`${HISTORY}/writes/${id}`)),
  'the watch of a catalog': one(`${HISTORY}/watch`),
  'the content of a pending upload': after(heldUpload, (id) => send(`${HISTORY}/uploads/${id}/content`)),
  'the accepted drug forms': { trips: 0, ...one('/admin/datasets/v1/drug-forms/') },
  'the names of programs': one('/admin/workspace/v1/programs'),
  'the metadata of a document': after(newDocument, (id) => send(`${DOCS}/${id}`)),
  'the bytes of a document': after(newDocument, (id) => send(`${DOCS}/${id}/content`)),
  'the history of a record': one(`${HISTORY}/records/a/history`),
  // Whether the cached ones are still right, the active records, and whether there are more.
  'the possible problems': after(
    async () => {
      await send(`${HISTORY}/problems`)
      await catalog.write([catalog.record('a', { strength: `${strength++} mg` })])
    },
    () => send(`${HISTORY}/problems`),
    3,
  ),
  // One for ten texts, and one for the probable queries.
  'the searches without a match': after(gaveUp, () => send(`${HISTORY}/search-misses`), 2),
}

const empty = (method: string, path: string) => send(path, { method })

const WRITES: Record<string, Call> = {
  'a write as JSON': { send: () => post('', records()) },
  // The first compares the two columns. The last two read the IDs and names of the catalog, which new ones may equal.
  'a dry run': {
    trips: 4,
    send: () => post('&mode=reconcile&dry_run=true', csvBody('id,name\na,Metformin\nb,Aspirin\n')),
  },
  'a rejected write, which is recorded': { send: () => refused(400, '', [{}]) },
  'a reconcile that the shrink guard blocks, with its pending upload': {
    trips: 2,
    send: () => refused(409, '&mode=reconcile', []),
  },
  'the report of an upload that was not sent': {
    trips: 2,
    send: () => withBody('POST', `${HISTORY}/uploads/report`, { outcome: 'not_sent', message: 'x' }),
  },
  // One more: an existing ID gets another name here.
  'a dry run that holds its file': { trips: 5, send: () => post('&dry_run=true&hold=true', records()) },
  'the approval of a pending upload': after(heldUpload, (id) => empty('POST', `${HISTORY}/uploads/${id}/write`), 2),
  'a dry run with its diff': { trips: 4, send: () => post('&dry_run=true&include=diff', records()) },
  'a restore': { send: () => empty('POST', `${HISTORY}/restore?revision=0&confirm_shrink=true`) },
  'an upload of a document': { send: () => uploadTo(bearer()) },
  // The read finds a workspace that has moved. The last one deletes the note about deleted bytes.
  'the deletion of a document': after(newDocument, (id) => empty('DELETE', `${DOCS}/${id}`), 3),
  'the undoing of a write': after(
    lastBatch,
    (id) => empty('POST', `${HISTORY}/writes/${id}/undo?confirm_shrink=true`),
    2,
  ),
  // The read finds a workspace that has moved.
  'the discard of a pending upload': after(heldUpload, (id) => empty('DELETE', `${HISTORY}/uploads/${id}`), 2),
  'a watch': { send: watch },
  'the end of a watch': after(watch, () => empty('DELETE', `${HISTORY}/watch`)),
  'a change of the switch': { send: shown },
  'a report of a search without a match': after(shown, reportMiss, 2),
  'the end of a search without a match': after(gaveUp, () =>
    withBody('POST', `${HISTORY}/search-misses/dismiss`, { text: 'htn' }),
  ),
  'a possible problem that is accepted': {
    send: () => withBody('POST', `${HISTORY}/problems/accept`, { id: 'a', code: 'strength_conflict' }),
  },
  // The existing names of the record, the write, and the record.
  'a name that is added': { trips: 3, send: () => withBody('POST', ADDED_NAMES, { text: `name ${addedNames++}` }) },
  'the end of an added name': after(
    () => withBody('POST', ADDED_NAMES, { text: 'htn' }),
    () => empty('DELETE', `${ADDED_NAMES}/htn`),
    3,
  ),
  // The first one of an isolate also reads the keys of keyed hashes.
  'a registration': after(register, register),
}

describe('the consecutive round trips of a request to databases', () => {
  const forget = () => forgetCached(catalog.workspace.clientId)

  it.each(Object.entries({ ...READS, ...WRITES }))(
    'for %s',
    async (_, { trips: known = 1, prepare, send: sendOnce }) => {
      for (const [isKnown, expected] of [
        [true, known],
        [false, known + 1],
      ] as const) {
        const context = await prepare?.()
        if (!isKnown) forget()
        await sendOnce(context)
        expect(trips.at(-1), `with a credential that ${isKnown ? 'is known' : 'has to be read'}`).toBe(expected)
      }
      pinned.add(routes.at(-1)!)
    },
  )

  it('are one for a token from client credentials, whose last use is stored after the response', async () => {
    const { clientId, clientSecret, apiKey } = await newWorkspace()
    trips.length = 0
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    await ok(callService('/api/v1/auth/token', { method: 'POST', ...jsonBody(body, { 'X-API-KEY': apiKey }) }))
    expect(trips).toEqual([1])
    pinned.add(routes[0]!)
  })

  it.each([
    ['one for a session from a partner token, and none', '/api/v1/auth/session', [1, 0]],
    ['two for the list of a partner token, and one', undefined, [2, 1]],
  ])('are %s with a cached credential', async (_, path, expected) => {
    forgetCached(partner.kid)
    for (let n = 0; n < 2; n++)
      await ok(callAsPartner(await partnerTokenOf(partner), path, path ? { method: 'POST' } : {}))
    expect(trips).toEqual(expected)
    pinned.add(routes[0]!)
  })
})

it("a search of the provider's catalog needs two round trips for another database, and otherwise one", async () => {
  const provided = new TestCatalog(await newWorkspace('provider'), 'medication')
  await provided.write([provided.record('p', { name: 'Metformin of the provider' })])
  // In this order, because the result is cached and other tests use it: they have the provider in `DB`.
  for (const [target, expected] of [
    ['DB_2', [3, 2]],
    ['DB', [2, 1]],
  ] as const) {
    await moveToTheEnd('provider', target)
    // After every cached value has expired.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 })
    await catalog.list()
    trips.length = 0
    for (let n = 0; n < 2; n++) expect(await search('metformin')).toContain('of the provider')
    expect(trips, target).toEqual(expected)
  }
})

/** The reason why the round trips of some routes are not pinned. */
const UNPINNED: Readonly<Record<string, (endpoint: Endpoint) => boolean>> = {
  'users rarely call it': ({ access }) => access.kind === 'operator' || access.scope === 'workspace:admin',
  'a login comes once in hours': ({ tag }) => tag === 'Browser login',
  'no database is asked but by /health': ({ tag, path }) =>
    ['Service', 'Client package', 'Search element'].includes(tag) || path.startsWith('/.well-known/'),
}

// The last one: the tests above have recorded their routes.
it('the round trips of each route are pinned, except for routes with a reason', () => {
  const without = [...endpoints, ...serviceEndpoints].filter(
    (endpoint) => !Object.values(UNPINNED).some((isReason) => isReason(endpoint)),
  )
  expect([...pinned].sort()).toEqual(without.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort())
})
