import { IsolateHost } from '../../bench/isolate.mjs'
import { CONNECTION_FAULTS } from '../../bench/memory.mjs'
import { Operator } from '../../bench/workspace.mjs'
import { attacks, storeLargeRecords } from './attacks.mjs'

/** Megabytes of heap: an isolate's 128, minus the size of bodies and code. */
const HEAP = 100

/** A workspace that attacks, with a large catalog, and another one next to it. */
export class IsolateUnderAttack {
  #host
  #attacker
  #other
  #stored

  static async prepare() {
    const prepared = new IsolateUnderAttack()
    const host = await IsolateHost.prepare()
    prepared.#host = host
    await host.withIsolate(undefined, async (client) => {
      const operator = new Operator(client, host.operatorToken)
      const attacker = await operator.newWorkspace()
      prepared.#attacker = attacker
      prepared.#other = await operator.newWorkspace()
      const batchId = await storeLargeRecords(attacker, client)
      prepared.#stored = { batchId, key: await operator.newSharedKey(attacker.id) }
    })
    return prepared
  }

  /** The statuses of parallel requests, and of a harmless request of the other workspace after them. */
  async #answersTo({ target, init }, count) {
    try {
      return await this.#host.withIsolate(HEAP, async (client) => {
        const answers = await Promise.all(Array.from({ length: count }, () => client.send(target, init)))
        const headers = { headers: this.#other.headers }
        const after = await client.send('/admin/datasets/v1/?type=symptom', headers)
        return [...answers, after].map(({ status }) => status)
      })
    } catch (error) {
      if (!CONNECTION_FAULTS.includes(error.code)) throw error
      return [error.code]
    }
  }

  /**
   * Sends each kind of attack to a new isolate.
   *
   * @param {number} count number of parallel requests of a kind
   * @param {(name: string) => boolean} [isWanted] by default all
   * @returns the kinds that were sent, and the statuses of those after which the isolate was unhealthy
   */
  async send(count, isWanted) {
    const sent = []
    const failed = {}
    for await (const { name, request } of attacks(this.#stored, isWanted)) {
      sent.push(name)
      const statuses = await this.#answersTo(request(this.#attacker), count)
      // On a slow machine, a request may time out. The isolate has survived it anyway.
      const isWell = statuses.every((status) => status < 500 || status === 504) && statuses.at(-1) === 200
      if (!isWell) failed[name] = statuses
    }
    return { sent, failed }
  }

  close() {
    this.#host.close()
  }
}
