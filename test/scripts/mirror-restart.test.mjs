import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { followCatalog } from '../../docs/mirroring.md?example=follow-catalog'
import { freePort } from '../support/npm-start.mjs'
import { demoClient, eventually, groupMembers, scratch, startLocal } from './support.mjs'

/**
 * Catalogs of the demo workspace with the id field of their records. Each has some hundred records from the samples.
 */
const CATALOGS = { medication: 'medication_id', symptom: 'symptom_id', diagnosis: 'diagnosis_id' }

/** Small pages, so that a service stops in the middle of a run. */
const PAGE_SIZE = 60

const write = fc.record({
  kind: fc.constant('write'),
  mode: fc.constantFrom('upsert', 'upsert', 'reconcile'),
  records: fc.uniqueArray(
    fc.record({ id: fc.nat(9), name: fc.constantFrom('alpha', 'beta'), is_active: fc.boolean() }),
    { maxLength: 6, selector: ({ id }) => id },
  ),
})

/** Back to a revision, as a share of those that there are. */
const restore = fc.record({ kind: fc.constant('restore'), share: fc.nat(99) })

const operations = fc.array(fc.oneof({ weight: 3, arbitrary: write }, { weight: 1, arbitrary: restore }), {
  maxLength: 4,
})

/** What happens to one catalog: before a mirror reads, while the service is about to stop, and after it is back. */
const story = fc.record({ before: operations, meanwhile: operations, after: operations })

const stories = fc.record(Object.fromEntries(Object.keys(CATALOGS).map((type) => [type, story])))

/** How long the processes of a service may take to be gone, in milliseconds. */
const END_TIMEOUT_MS = 60_000

/** The service on one state directory, which can be stopped and started again. */
class Service {
  #run
  #args

  constructor(port, state) {
    this.#args = ['--port', String(port), '--persist-to', state]
  }

  async start() {
    this.#run = await startLocal(this.#args)
    return this.#run
  }

  /**
   * Nothing is left of a service that has ended, and its state can be used again.
   *
   * @param {NodeJS.Signals} signal SIGTERM ends it in order, SIGKILL does not
   */
  async restart(signal) {
    const { child, ended, group } = this.#run
    expect(groupMembers(group).some(({ command }) => command.includes('workerd'))).toBe(true)
    child.kill(signal)
    const code = await ended
    if (signal === 'SIGTERM') expect(code).toBe(0)
    // The last processes may still be ending.
    await eventually(() => groupMembers(group).length === 0, END_TIMEOUT_MS)
    await this.start()
  }
}

const CATALOG = '/admin/catalogs/v1/{type}'
const DATASETS = '/admin/datasets/v1/'

/** A catalog, and the copy that another system keeps of it. */
class Mirrored {
  records = new Map()
  stored = null

  constructor(started, type) {
    this.started = started
    this.client = demoClient(started)
    Object.assign(this, { type, params: { type }, idField: CATALOGS[type] })
  }

  async apply(operation) {
    const { type, params, client } = this
    if (operation.kind === 'restore') {
      const now = await client.get(CATALOG, { params })
      const revision = Math.floor((now.revision * operation.share) / 100)
      return client.post(`${CATALOG}/restore`, { params, query: { revision, confirm_shrink: true } })
    }
    const body = operation.records.map(({ id, ...fields }) => ({ [this.idField]: `m${id}`, ...fields }))
    return client.post(DATASETS, { query: { type, mode: operation.mode, confirm_shrink: true }, body })
  }

  async applyAll(all) {
    for (const operation of all) await this.apply(operation)
  }

  /** Forgets the position, so that the next run makes the copy from the start. */
  forget() {
    this.stored = null
  }

  /** @param {typeof globalThis.fetch} fetch */
  follow(fetch = globalThis.fetch) {
    const { records, idField } = this
    const client = demoClient(this.started, {
      retry: { attempts: 1 },
      fetch: (url, init) => fetch(url.replace('limit=1000', `limit=${PAGE_SIZE}`), init),
    })
    return followCatalog(client, this.type, {
      position: async () => this.stored,
      clear: async () => {
        if (this.stored !== null) throw new Error('a restarted service does not make a mirror start again')
        records.clear()
      },
      put: async (items) => {
        for (const record of items) records.set(record[idField], record)
      },
      finish: async (position) => {
        this.stored = position
      },
    })
  }

  async expectSame() {
    const { type, params, client } = this
    const { revision, epoch, total_records } = await client.get(CATALOG, { params })
    expect(this.stored).toEqual({ revision, epoch })
    expect(this.records.size).toBe(total_records)
    const query = { type, show_inactive: '1', limit: 1000 }
    const { items, total } = await client.get(DATASETS, { query, exact: true })
    expect(items).toHaveLength(total)
    for (const record of items) expect(this.records.get(record[this.idField])).toEqual(record)
  }
}

it('a mirror goes on after the service has stopped in the middle of a run, in order or not', async () => {
  const service = new Service(await freePort(), path.join(await scratch(), 'state'))
  const started = await service.start()
  const signals = ['SIGTERM', 'SIGKILL']
  const mirrors = Object.keys(CATALOGS).map((type) => new Mirrored(started, type))
  const [first, ...others] = mirrors

  await fc.assert(
    fc.asyncProperty(stories, async (happens) => {
      for (const mirror of mirrors) await mirror.applyAll(happens[mirror.type].before)

      // These give up in the middle of a run, and have to begin it again.
      for (const mirror of others) {
        mirror.forget()
        let pages = 0
        const lost = mirror.follow((url, init) => {
          if (++pages > 2) throw new Error('the connection is lost')
          return fetch(url, init)
        })
        await expect(lost).rejects.toMatchObject({ cause: { message: 'the connection is lost' } })
        await mirror.applyAll(happens[mirror.type].meanwhile)
      }

      // This one sends the request again with the same cursor as soon as the service is back.
      first.forget()
      let pages = 0
      await first.follow(async (url, init) => {
        if (++pages === 3) {
          await first.applyAll(happens[first.type].meanwhile)
          await service.restart(signals.shift())
        }
        return fetch(url, init)
      })
      expect(pages).toBeGreaterThan(3)

      for (const mirror of others) await mirror.follow()
      for (const mirror of mirrors) {
        await mirror.applyAll(happens[mirror.type].after)
        await mirror.follow()
        await mirror.expectSame()
      }
    }),
    // Each run restarts the service: it is not worth looking for a smaller failure.
    { numRuns: signals.length, endOnFailure: true },
  )
}, 400_000)
