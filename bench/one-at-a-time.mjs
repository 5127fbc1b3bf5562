/** The turns of a database, which answers one query at a time, and the time that they take. */
import { setTimeout as sleep } from 'node:timers/promises'

/** @typedef {{ turns: number, busyMs: number, cpuMs: number }} Usage */

export class OneAtATime {
  #last = Promise.resolve()
  #turnMs = 0
  #usage = { turns: 0, busyMs: 0, cpuMs: 0 }

  /** Sets how long a turn takes at least, in milliseconds: after its work, it waits for the rest of that time. */
  takeAtLeast(turnMs) {
    this.#turnMs = turnMs
  }

  /** @returns {Usage} of all turns so far; `cpuMs` is the CPU time of their work */
  get usage() {
    return { ...this.#usage }
  }

  /**
   * Runs work in a turn of its own, after the turns that were asked for before.
   *
   * @template T
   * @param {() => T} work
   * @returns {Promise<T>}
   */
  run(work) {
    const turn = this.#last.then(() => this.#turn(work))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #turn(work) {
    const [started, cpuBefore] = [performance.now(), process.cpuUsage()]
    try {
      return work()
    } finally {
      const { user, system } = process.cpuUsage(cpuBefore)
      const rest = this.#turnMs - (performance.now() - started)
      if (rest > 0) await sleep(rest)
      this.#usage.turns++
      this.#usage.busyMs += performance.now() - started
      this.#usage.cpuMs += (user + system) / 1000
    }
  }
}
