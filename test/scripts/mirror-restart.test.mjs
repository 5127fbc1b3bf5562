import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { followCatalog } from '../../docs/mirroring.md?example=follow-catalog'
import { freePort } from '../../scripts/local/started.mjs'
import { eventually, groupMembers, scratch, startLocal } from './support.mjs'

/** Catalogs of the demo workspace with the id field of their records. Each has some hundred records from the samples. */
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

/** The service on one state directory, which can be stopped and started again. */
class Service {
  #run
  #args

  constructor(port, state) {
    this.origin = `http://localhost:${port}`
    this.#args = ['--port', String(port), '--persist-to', state]
  }

  async start() {
    this.#run = await startLocal(this.#args)
    return this.#run.output()
  }

  /** @param {NodeJS.Signals} signal SIGTERM ends it in order, SIGKILL does not */
  async restart(signal) {
    const { child, ended, group } = this.#run
    child.kill(signal)
    await ended
    await eventually(() => groupMembers(group).length === 0, 20_000)
    await this.start()
  }

  async call(token, method, address, body) {
    const response = await fetch(`${this.origin}${address}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${answer.message}`)
    return answer
  }

  /** An access token with the credentials that the start has printed. */
  async token(output) {
    const [, client_id] = /client_id\s+(\S+)/.exec(output)
    const [, client_secret] = /client_secret\s+(\S+)/.exec(output)
    const [, apiKey] = /X-API-KEY\s+(\S+)/.exec(output)
    const response = await fetch(`${this.origin}/api/v1/auth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-KEY': apiKey },
      body: JSON.stringify({ client_id, client_secret, grant_type: 'client_credentials' }),
    })
    return (await response.json()).access_token
  }
}

/** A catalog, and the copy that another system keeps of it. */
class Mirrored {
  records = new Map()
  stored = null

  constructor(service, token, type) {
    Object.assign(this, { service, token, type, idField: CATALOGS[type] })
  }

  #status() {
    return this.service.call(this.token, 'GET', `/admin/catalogs/v1/${this.type}`)
  }

  async apply(operation) {
    if (operation.kind === 'restore') {
      const { data } = await this.#status()
      const revision = Math.floor((data.revision * operation.share) / 100)
      const address = `/admin/catalogs/v1/${this.type}/restore?revision=${revision}&confirm_shrink=true`
      return this.service.call(this.token, 'POST', address)
    }
    const records = operation.records.map(({ id, ...fields }) => ({ [this.idField]: `m${id}`, ...fields }))
    const address = `/admin/datasets/v1/?type=${this.type}&mode=${operation.mode}&confirm_shrink=true`
    return this.service.call(this.token, 'POST', address, records)
  }

  async applyAll(all) {
    for (const operation of all) await this.apply(operation)
  }

  /** @param {typeof globalThis.fetch} fetch */
  follow(fetch = globalThis.fetch) {
    const { records, idField } = this
    return followCatalog({
      address: this.service.origin,
      token: this.token,
      type: this.type,
      copy: {
        position: async () => this.stored,
        clear: async () => {
          throw new Error('a restarted service does not make a mirror start again')
        },
        put: async (items) => {
          for (const record of items) records.set(record[idField], record)
        },
        finish: async (position) => {
          this.stored = position
        },
      },
      fetch: (url, init) => fetch(url.replace('limit=1000', `limit=${PAGE_SIZE}`), init),
    })
  }

  async expectSame() {
    const { data } = await this.#status()
    expect(this.stored).toEqual({ revision: data.revision, epoch: data.epoch })
    expect(this.records.size).toBe(data.total_records)
    const address = `/admin/datasets/v1/?type=${this.type}&show_inactive=1&limit=1000`
    const { items, total } = await this.service.call(this.token, 'GET', address)
    expect(items).toHaveLength(total)
    for (const record of items) expect(this.records.get(record[this.idField])).toEqual(record)
  }
}

it('a mirror goes on after the service has stopped in the middle of a run, in order or not', async () => {
  const service = new Service(await freePort(), path.join(await scratch(), 'state'))
  const token = await service.token(await service.start())
  const signals = ['SIGTERM', 'SIGKILL']
  const mirrors = Object.keys(CATALOGS).map((type) => new Mirrored(service, token, type))
  const [first, ...others] = mirrors

  await fc.assert(
    fc.asyncProperty(stories, async (happens) => {
      for (const mirror of mirrors) await mirror.applyAll(happens[mirror.type].before)

      // These give up in the middle of a run, and have to begin it again.
      for (const mirror of others) {
        mirror.stored = null
        let pages = 0
        const lost = mirror.follow((url, init) => {
          if (++pages > 2) throw new Error('the connection is lost')
          return fetch(url, init)
        })
        await expect(lost).rejects.toThrow('the connection is lost')
        await mirror.applyAll(happens[mirror.type].meanwhile)
      }

      // This one sends the request again with the same cursor as soon as the service is back.
      first.stored = null
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
