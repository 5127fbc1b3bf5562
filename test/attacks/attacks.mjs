/** Requests designed to exhaust an isolate, and for how long each of them blocks it. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { FlattenedEncrypt } from 'jose'
import { fittingBody, MAX_BODY_BYTES, nonLatin } from '../../bench/catalogs.mjs'
import { HttpClient } from '../../bench/http-client.mjs'
import { IsolateHost } from '../../bench/isolate.mjs'
import { limitRow } from '../../bench/table.mjs'
import { Operator } from '../../bench/workspace.mjs'
import { BODIES, record } from './bodies.mjs'

const WRITE = '/admin/datasets/v1/?type=medication'
const LIST = WRITE
const CATALOG = '/admin/catalogs/v1/medication'

/** @typedef {{ type: string, bytes: Buffer, encoding?: string, jwe?: boolean }} Body */

/** @type {(body: Body) => Body} */
const compressed = ({ type, bytes }) => ({ type, bytes: gzipSync(bytes, { level: 9 }), encoding: 'gzip' })

/** @type {(target: string, body: Body, headers: Record<string, string>) => { target: string, init: object }} */
const post = (target, { type, bytes, encoding, jwe }, headers) => ({
  target,
  init: {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': type,
      ...(encoding ? { 'Content-Encoding': encoding } : {}),
      ...(jwe ? { 'X-Encryption': 'JWE' } : {}),
    },
    body: bytes,
  },
})

/** Number of records of 480 KB in a workspace, and the number of them in one write. */
const STORED_RECORDS = 294
const RECORDS_PER_WRITE = 21
const LARGE_WRITES = STORED_RECORDS / RECORDS_PER_WRITE

/**
 * Fills a workspace with records of the maximum size, and changes each of them once.
 *
 * @returns {Promise<string>} the ID of the last write
 */
export async function storeLargeRecords(workspace, client) {
  for (const letter of ['x', 'y']) {
    for (let first = 0; first < STORED_RECORDS; first += RECORDS_PER_WRITE) {
      const records = Array.from({ length: RECORDS_PER_WRITE }, (_, i) =>
        record(first + i, `,"refid":"${letter.repeat(480_000)}"`),
      )
      await workspace.write({ format: 'json', bytes: Buffer.from(`[${records}]`) }, { client })
    }
  }
  const writes = '/admin/catalogs/v1/{type}/writes'
  const { items } = await workspace.api.get(writes, { params: { type: 'medication' }, query: { limit: 1 } })
  return items[0].batch_id
}

/** An encrypted body. Its plaintext is three quarters as long. */
async function encrypted({ kid, key }, bytes) {
  const jwe = await new FlattenedEncrypt(bytes)
    .setProtectedHeader({ alg: 'dir', enc: 'A128CBC-HS256' })
    .encrypt(Buffer.from(key + key))
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify({ ...jwe, kid })), jwe: true }
}

/** Bytes of a plaintext whose encrypted body is just below the limit. */
const PLAIN_BYTES = Math.floor((MAX_BODY_BYTES - 1000) * 0.75)

/** Plaintexts of encrypted bodies. */
const PLAINTEXTS = {
  'encrypted JSON, [{},{},…]': () => Buffer.from(`[{}${',{}'.repeat(PLAIN_BYTES / 3)}`.slice(0, PLAIN_BYTES)),
  'encrypted JSON, a long text': () => Buffer.from(`{"name":"${'é'.repeat(PLAIN_BYTES / 2 - 10)}"}`),
}

/**
 * @typedef {object} Attack
 * @property {string} name
 * @property {(workspace: import('../../bench/workspace.mjs').Workspace) => { target: string, init: object }} request
 */

/**
 * Yields one attack at a time, because each contains its body.
 *
 * @param {{ key: { kid: string, key: string }, batchId: string }} stored keys and writes of the workspace
 * @param {(name: string) => boolean} [isWanted] others are not created
 * @returns {AsyncGenerator<Attack>}
 */
export async function* attacks({ key, batchId }, isWanted = () => true) {
  for (const [name, target, make] of bodyAttacks()) {
    if (!isWanted(name)) continue
    const body = make()
    yield { name, request: ({ headers }) => post(target, body, headers) }
  }
  for (const [name, make] of Object.entries(PLAINTEXTS)) {
    if (!isWanted(name)) continue
    const body = await encrypted(key, make())
    yield { name, request: ({ headers }) => post('/registration/v1/init', body, headers) }
  }
  for (const [name, target] of Object.entries(targetsWithoutBody(batchId))) {
    const method = target.includes('/restore?') ? 'POST' : 'GET'
    if (isWanted(name)) yield { name, request: ({ headers }) => ({ target, init: { method, headers } }) }
  }
}

/** @returns {Generator<[name: string, target: string, make: () => Body]>} */
function* bodyAttacks() {
  const first = 'token without a credential: 10 KB of gzip, [{},{},…]'
  yield [first, '/api/v1/auth/token', () => compressed(BODIES['JSON, [{},{},…]']())]
  for (const [name, make] of Object.entries(BODIES)) yield [name, `${WRITE}&dry_run=true`, make]
  for (const name of ['JSON, [{},{},…]', 'CSV, a cell of NULs', 'CSV, line ends']) {
    yield [`${name}, gzip`, WRITE, () => compressed(BODIES[name]())]
  }
  const diff = `${WRITE}&mode=reconcile&dry_run=true&include=diff`
  for (const name of ['JSON, minimal records', 'JSON, records of 480 KB', 'JSON, names of U+FDFA']) {
    yield [`${name}: every change as CSV`, `${diff}&format=csv`, BODIES[name]]
    yield [`${name}: the first changes`, diff, BODIES[name]]
  }
}

const RESTORE = `${CATALOG}/restore?revision=${LARGE_WRITES}&confirm_shrink=true`

/** @param {string} batchId */
const targetsWithoutBody = (batchId) => ({
  'the preview of a restore of records of 480 KB': `${RESTORE}&dry_run=true&include=diff`,
  'the same as a file': `${RESTORE}&dry_run=true&include=diff&format=csv`,
  'a restore of records of 480 KB': RESTORE,
  'a page of 1,000 records of 480 KB': `${LIST}&limit=1000`,
  'a page of 1,000 records of 480 KB, with q': `${LIST}&limit=1000&q=n`,
  'records of 480 KB as CSV': `${LIST}&format=csv`,
  'partner search over records of 480 KB': '/medical-db/v1/search/?type=medication&q=n&limit=50',
  'changes of records of 480 KB that one write made': `${CATALOG}/writes/${batchId}/changes?limit=1000`,
  'the same as CSV': `${CATALOG}/writes/${batchId}/changes?format=csv`,
  'versions of a record of 480 KB': `${CATALOG}/records/r0/history?limit=1000`,
})

// For how long a body blocks an isolate: while it is handled, another client repeatedly sends a trivial request. The
// figures are CPU time of the isolate's thread, so other processes of the machine hardly change them.

/** Connections that send the same body, in addition to the one that requests another tenant's list. */
const ATTACKERS = 4
/** CPU time of the longest wait, in milliseconds. */
const LONGEST_MS = 120

const DRY_RUN = `${WRITE}&dry_run=true`

/** CPU time of the first thread of a process, which runs the isolate, in milliseconds. */
const cpuOfThread = (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** The CPU time of the longest wait of `ask` while `work` is running. */
async function longestWait(pid, work, ask) {
  let isOver = false
  const done = work().finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const before = cpuOfThread(pid)
    await ask()
    longest = Math.max(longest, cpuOfThread(pid) - before)
  }
  await done
  return longest
}

/** Whole catalogs, all bodies of attacks both plain and compressed, and encrypted bodies. */
async function* dryRuns(medications, key) {
  const ofBody = (name, body) => ({ name, request: ({ headers }) => post(DRY_RUN, body, headers) })
  for (const [text, catalog] of Object.entries({ Latin: medications, 'non-Latin': nonLatin(medications) })) {
    for (const [format, type] of /** @type {const} */ ([
      ['csv', 'text/csv'],
      ['json', 'application/json'],
    ]))
      yield ofBody(`a whole catalog, ${text} ${format}`, { type, bytes: fittingBody(catalog, format).bytes })
  }
  for (const [name, make] of Object.entries(BODIES)) yield ofBody(`${name}, gzip`, compressed(make()))
  yield* attacks({ key, batchId: 'none' }, (name) => name.startsWith('encrypted'))
}

/**
 * Measures the longest waits of other clients while an isolate handles one request, and four parallel requests, with
 * each body.
 *
 * @type {import('../../bench/table.mjs').Measure}
 */
export const measureAttacks = async (medications, { say }) => {
  const host = await IsolateHost.prepare()
  try {
    const [attacker, other, key] = await host.withIsolate(undefined, async (client) => {
      const operator = new Operator(client, host.operatorToken)
      const [first, second] = [await operator.newWorkspace(), await operator.newWorkspace()]
      return [first, second, await operator.newSharedKey(first.id)]
    })
    const rows = []
    for await (const { name, request } of dryRuns(medications, key)) {
      say(`attacks, ${name}`)
      const { target, init } = request(attacker)
      const longest = await host.withIsolate(undefined, async (client, pid) => {
        const tenant = new HttpClient(client.origin)
        const send = () => client.send(target, init)
        // The first request compiles the code.
        await send()
        const alone = await longestWait(pid, send, () => tenant.send('/nothing'))
        const all = () => Promise.all(Array.from({ length: ATTACKERS }, send))
        const four = await longestWait(pid, all, () => tenant.send(LIST, { headers: other.headers }))
        tenant.close()
        return Math.max(alone, four)
      })
      rows.push(limitRow(`longest wait, ${name}`, [longest], LONGEST_MS, 'ms'))
    }
    return { rows, notes: [] }
  } finally {
    await host.close()
  }
}
