/** Requests that are made to exhaust an isolate. */
import { gzipSync } from 'node:zlib'
import { FlattenedEncrypt } from 'jose'
import { BODIES, form, formPart, record } from './attack-bodies.mjs'
import { MAX_BODY_BYTES } from './catalogs.mjs'
import { expectStatus } from './http-client.mjs'

const WRITE = '/admin/datasets/v1/?type=medication'
const LIST = '/admin/datasets/v1/?type=medication'
const BATCHES = '/admin/datasets/v1/batches/?type=medication'
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

/** Number of records of 480 KB in a workspace, and how many of them one write sends. */
const STORED_RECORDS = 294
const RECORDS_PER_WRITE = 21
const LARGE_WRITES = STORED_RECORDS / RECORDS_PER_WRITE

/**
 * Fills a workspace with records that are as large as they may be, and changes each of them once.
 *
 * @returns {Promise<string>} the id of the last write
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

/** A body that is encrypted: its plaintext is three quarters as long, and once more so if it is a file. */
async function encrypted({ kid, key }, bytes) {
  const jwe = await new FlattenedEncrypt(bytes)
    .setProtectedHeader({ alg: 'dir', enc: 'A128CBC-HS256' })
    .encrypt(Buffer.from(key + key))
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify({ ...jwe, kid })), jwe: true }
}

/** Bytes of a plaintext whose encrypted body is just below the limit. */
const PLAIN_BYTES = Math.floor((MAX_BODY_BYTES - 1000) * 0.75)
const FILE_BYTES = Math.floor((PLAIN_BYTES - 100) * 0.75)

/** @returns {AsyncGenerator<[name: string, body: Body]>} */
async function* encryptedBodies(key) {
  const cut = (text, end) => Buffer.from(text.slice(0, PLAIN_BYTES - end.length) + end)
  yield ['encrypted JSON, [{},{},…]', await encrypted(key, cut(`[{}${',{}'.repeat(PLAIN_BYTES / 3)}`, ''))]
  const minimal = []
  for (let n = 0, size = 2; ; n++) {
    size += record(n).length + 1
    if (size > PLAIN_BYTES) break
    minimal.push(record(n))
  }
  yield ['encrypted JSON, minimal records', await encrypted(key, Buffer.from(`[${minimal}]`))]
  const rows = Buffer.from(`id,name\n${'a,\n'.repeat(FILE_BYTES / 3 - 10)}`)
  const file = (bytes) => Buffer.from(JSON.stringify({ file: bytes.toString('base64') }))
  yield ['encrypted file, wrong in every row', await encrypted(key, file(rows))]
  yield ['encrypted file, a cell of NULs', await encrypted(key, file(Buffer.alloc(FILE_BYTES)))]
}

/** Writes files with names that are as long as a form may hold. */
export async function storeLongFileNames(workspace, client) {
  for (let n = 0; n < 40; n++) {
    const name = 'x'.repeat(8000)
    const body = form((boundary) => [
      formPart(boundary, 'file', Buffer.from(`id,name\nf${n},f\n`), `; filename="${name}"`),
    ])
    const { target, init } = post(WRITE, body, workspace.headers)
    expectStatus(await client.send(target, init), 200, 'a file with a long name')
  }
}

/**
 * @typedef {object} Attack
 * @property {string} name
 * @property {(workspace: import('./workspace.mjs').Workspace) => { target: string, init: object }} request
 */

/**
 * One after another, because each holds its body.
 *
 * @param {{ key: { kid: string, key: string }, batchId: string }} stored what the workspace has
 * @returns {AsyncGenerator<Attack>}
 */
export async function* attacks({ key, batchId }) {
  const empties = compressed(BODIES['JSON, [{},{},…]']())
  yield {
    name: 'token without a credential: 10 KB of gzip, [{},{},…]',
    request: () => post('/api/v1/auth/token', empties, { 'X-API-KEY': 'none' }),
  }
  yield {
    name: 'registration: 10 KB of gzip, [{},{},…]',
    request: ({ headers }) => post('/registration/v1/init', empties, headers),
  }
  yield {
    name: 'search switch: 10 KB of gzip, [{},{},…]',
    request: ({ headers }) => post('/admin/datasets/v1/search-status/?type=medication', empties, headers),
  }
  for (const [name, make] of Object.entries(BODIES)) {
    const body = make()
    yield { name, request: ({ headers }) => post(`${WRITE}&dry_run=true`, body, headers) }
  }
  for (const name of ['JSON, [{},{},…]', 'CSV, a cell of NULs', 'CSV, line ends']) {
    const body = compressed(BODIES[name]())
    yield { name: `${name}, gzip`, request: ({ headers }) => post(WRITE, body, headers) }
  }
  for (const name of ['JSON, minimal records', 'JSON, records of 480 KB', 'JSON, names of U+FDFA']) {
    const body = BODIES[name]()
    yield {
      name: `${name}: every change as CSV`,
      request: ({ headers }) =>
        post(`${WRITE}&mode=reconcile&dry_run=true&include=diff&format=csv`, body, headers),
    }
    yield {
      name: `${name}: the first changes`,
      request: ({ headers }) => post(`${WRITE}&mode=reconcile&dry_run=true&include=diff`, body, headers),
    }
  }
  for await (const [name, body] of encryptedBodies(key)) {
    yield { name, request: ({ headers }) => post(`${WRITE}&dry_run=true`, body, headers) }
  }
  const restore = `${CATALOG}/restore?revision=${LARGE_WRITES}&confirm_shrink=true`
  const restores = {
    'the preview of a restore of records of 480 KB': `${restore}&dry_run=true&include=diff`,
    'the same as a file': `${restore}&dry_run=true&include=diff&format=csv`,
    'a restore of records of 480 KB': restore,
    'a restore of records of 480 KB, back again': `${CATALOG}/restore?revision=${2 * LARGE_WRITES}&confirm_shrink=true`,
  }
  for (const [name, target] of Object.entries(restores)) {
    yield { name, request: ({ headers }) => ({ target, init: { method: 'POST', headers } }) }
  }
  const reads = {
    'a page of 1,000 records of 480 KB': `${LIST}&limit=1000`,
    'a page of 1,000 records of 480 KB, with q': `${LIST}&limit=1000&q=n`,
    'a page of 1,000 records of 480 KB, inactive ones too': `${LIST}&limit=1000&show_inactive=1`,
    'records of 480 KB as CSV': `${LIST}&format=csv`,
    'partner search over records of 480 KB': '/medical-db/v1/search/?type=medication&q=n&limit=50',
    'changes of records of 480 KB': `${CATALOG}/changes?limit=1000`,
    'changes of records of 480 KB that one write made': `${CATALOG}/writes/${batchId}/changes?limit=1000`,
    'the same as CSV': `${CATALOG}/writes/${batchId}/changes?format=csv`,
    'versions of a record of 480 KB': `${CATALOG}/records/r0/history?limit=1000`,
    'all writes': `${CATALOG}/writes?limit=1000`,
    'batches with file names of 8 KB': `${BATCHES}&limit=1000`,
  }
  for (const [name, target] of Object.entries(reads)) {
    yield { name, request: ({ headers }) => ({ target, init: { headers } }) }
  }
}
