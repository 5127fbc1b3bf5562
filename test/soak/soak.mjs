/** The parts of a run: workspaces, rounds of work, comparisons. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { CatalogClient } from '../../scripts/client/client.mjs'
import { documentsBucket, readConfiguration } from '../../scripts/configuration.mjs'
import { localResources, objectFile } from '../../scripts/database/local.mjs'
import { CONTROL, SCHEDULED_PATH } from '../../scripts/local/control.mjs'
import { TYPES } from './bodies.mjs'
import { CatalogCheck } from './check.mjs'
import { Client } from './clients.mjs'
import { Connection } from './connection.mjs'
import { Ledger } from './ledger.mjs'
import { Random } from './random.mjs'

// Imported late, so that a Node without it gets the message of `require-node.mjs`.
const { DatabaseSync } = await import('node:sqlite')

const WORKSPACES = 4
const CLIENTS = 16
/** Earlier revisions of each catalog that are restored at the end. */
const RESTORED = 3
/** Writes of clients that have left are finished if their list does not change for this long, in milliseconds. */
const QUIET_MS = 3000
const MOST_QUIET_MS = 60_000
/** Reads that must succeed, while nothing else happens, may have to wait for their turn. */
const PATIENT = { attempts: 8, firstWaitMs: 1000 }
/**
 * Scheduled runs that look at all files of uploads, how far they are apart, and when a file without a row is an orphan.
 */
const ORPHAN_RUNS = 16
const RUN_MS = 10 * 60_000
const ORPHANS_AFTER_MS = 2 * 3600_000
/** What a body of the last test has, in bytes, and how long its answer may take, in milliseconds. */
const LARGE_BYTES = 6_000_000
const LARGE_MS = 40_000

/** The keys in the bucket of a service that begin with a text, sorted. */
function storedKeys(state, prefix) {
  const { name } = documentsBucket(readConfiguration())
  const database = new DatabaseSync(objectFile(localResources(state), 'r2', 'miniflare-R2BucketObject', name), {
    readOnly: true,
  })
  const rows = database.prepare('select key from _mf_objects where key >= ? and key < ?').all(prefix, `${prefix}~`)
  database.close()
  return rows.map(({ key }) => key).sort()
}

export class Soak {
  #service
  #seed
  #report
  #workspaces = []
  /** What was answered, and how often. */
  counts = new Map()

  constructor(service, seed, report) {
    this.#service = service
    this.#seed = seed
    this.#report = report
  }

  /** Counts what happened, for the summary. */
  count = (what) => this.counts.set(what, (this.counts.get(what) ?? 0) + 1)

  /** Makes the workspaces. Each has records of the same ids. */
  async prepare() {
    for (let index = 0; index < WORKSPACES; index++) {
      const workspace = await this.#service.newWorkspace()
      for (const type of Object.keys(TYPES)) await workspace.enableSearch(type)
      const others = Array.from({ length: WORKSPACES }, (_, other) => other).filter((other) => other !== index)
      const { id, headers, token } = workspace
      const tokens = { token: async () => token }
      const api = new CatalogClient({ baseUrl: this.#service.origin, tokens, retry: PATIENT })
      const known = { id, headers, api, index, others }
      known.ledgers = Object.keys(TYPES).map((type) =>
        Object.assign(new Ledger(known, type, this.#report), { seen: 0 }),
      )
      this.#workspaces.push(known)
    }
  }

  get #ledgers() {
    return this.#workspaces.flatMap(({ ledgers }) => ledgers)
  }

  get figures() {
    const sum = (figure) => this.#ledgers.reduce((total, ledger) => total + figure(ledger), 0)
    const writes = sum(({ model }) => model.writes)
    return (
      `${writes} writes, ${sum(({ model }) => model.revision)} revisions, ${sum(({ model }) => model.total)} records; ` +
      `of the writes without an answer ${sum((ledger) => ledger.carriedOutUnanswered)} were carried out and ` +
      `${sum((ledger) => ledger.lost)} were not`
    )
  }

  /**
   * Lets all clients work.
   *
   * @param {(() => Promise<void>) | undefined} kill ends the service while they do; without it they end by themselves
   */
  async work(round, ms, kill) {
    let stopping = false
    const connections = []
    const clients = Array.from({ length: CLIENTS }, (_, number) => {
      const [connection, rival] = [0, 1].map(() => new Connection(this.#service.origin))
      connections.push(connection, rival)
      const random = new Random(this.#seed, round, number + 100)
      const workspace = this.#workspaces[number % WORKSPACES]
      const mark = round * 100 + number
      return new Client({
        random,
        connection,
        rival,
        workspace,
        number: mark,
        report: this.#report,
        count: this.count,
        isStopping: () => stopping,
      })
    })
    const ended = Promise.all(clients.map((client) => client.run()))
    await Promise.race([sleep(ms), ended])
    stopping = true
    await kill?.()
    await ended
    for (const connection of connections) connection.close()
    if (kill === undefined) await this.#quiet()
  }

  /** Waits until no write is under way any more. */
  async #quiet() {
    const deadline = Date.now() + MOST_QUIET_MS
    let known
    for (let since = Date.now(); Date.now() - since < QUIET_MS; await sleep(500)) {
      const now = []
      for (const { workspace, type } of this.#ledgers) {
        const options = { params: { type }, query: { limit: 1 } }
        const { total } = await workspace.api.get('/admin/catalogs/v1/{type}/writes', options)
        now.push(total)
      }
      if (!isDeepStrictEqual(now, known)) since = Date.now()
      known = now
      if (Date.now() > deadline) throw new Error('Writes do not come to an end.')
    }
  }

  async #send(workspace, target, init = {}) {
    const connection = new Connection(this.#service.origin)
    try {
      return await connection.send(target, { ...init, headers: { ...workspace.headers, ...init.headers } })
    } finally {
      connection.close()
    }
  }

  /** Repeats in the models what was carried out, and compares everything. */
  async compare(round) {
    const random = new Random(this.#seed, round, 7)
    for (const ledger of this.#ledgers) {
      await ledger.settle()
      ledger.seen = ledger.model.revision
      await new CatalogCheck(ledger, random, this.#report).run()
    }
  }

  /** Makes each catalog what it was at some earlier revisions, and compares all of it each time. */
  async restoreEarlier() {
    const random = new Random(this.#seed, 8)
    for (const ledger of this.#ledgers) {
      const { workspace, type, model } = ledger
      for (let n = 0; n < RESTORED; n++) {
        const target = random.between(0, model.revision)
        const attempt = ledger.openRestore(target)
        const path = `/admin/catalogs/v1/${type}/restore?revision=${target}&confirm_shrink=true`
        const { status, text } = await this.#send(workspace, path, { method: 'POST' })
        if (status === 200) attempt.answer = JSON.parse(text).data
        else this.#report(`restore of ${ledger.name} to ${target}: ${status} ${text.slice(0, 300)}`)
        await ledger.settle()
        const check = new CatalogCheck(ledger, random, this.#report)
        await check.status()
        await check.contents()
      }
    }
  }

  /** After some hours of scheduled runs, the files that wait are in the store, whole, and nothing else of uploads. */
  async orphans() {
    for (let run = 0; run < ORPHAN_RUNS; run++) {
      const time = Date.now() + ORPHANS_AFTER_MS + run * RUN_MS
      const path = `${SCHEDULED_PATH}?time=${time}`
      const { status, text } = await this.#send(this.#workspaces[0], path, CONTROL)
      if (status !== 200) this.#report(`a scheduled run at the end is ${status}: ${text.slice(0, 300)}`)
    }
    const kept = []
    for (const ledger of this.#ledgers) {
      for (const { upload_id, size_bytes } of await ledger.held()) {
        kept.push(`_uploads/${upload_id}`)
        this.count('file waits at the end')
        const path = `/admin/catalogs/v1/${ledger.type}/uploads/${upload_id}/content`
        const { status, text } = await this.#send(ledger.workspace, path)
        if (Buffer.byteLength(text) !== size_bytes)
          this.#report(
            `${ledger.name}: the file of ${upload_id}, ${size_bytes} bytes, is ${status}: ${text.slice(0, 300)}`,
          )
      }
    }
    const stored = storedKeys(this.#service.state, '_uploads/')
    if (!isDeepStrictEqual(stored, kept.sort())) this.#report(`stored are ${stored}, and ${kept} wait`)
  }

  /** Large bodies and exports of all workspaces at once: whatever they wait for, nobody holds it any more. */
  async pressAll() {
    const body = Buffer.from(`medication_id,name\n${'x,\n'.repeat(LARGE_BYTES / 3)}`)
    const started = Date.now()
    const headers = { 'Content-Type': 'text/csv' }
    const answers = await Promise.all(
      this.#workspaces.flatMap((workspace) => [
        this.#send(workspace, '/admin/datasets/v1/?type=medication', { method: 'POST', headers, body }),
        this.#send(workspace, '/admin/datasets/v1/?type=medication&format=csv&q=a'),
        this.#send(workspace, '/admin/datasets/v1/?type=symptom&q=a'),
      ]),
    )
    const statuses = answers.map(({ status }) => status)
    const expected = this.#workspaces.flatMap(() => [400, 200, 200])
    if (!isDeepStrictEqual(statuses, expected)) this.#report(`at the end, large requests answer ${statuses}`)
    const ms = Date.now() - started
    if (ms > LARGE_MS) this.#report(`at the end, large requests take ${ms} ms`)
  }
}
