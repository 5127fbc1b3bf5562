/** A D1 database in a process of its own; see `d1-stand-in.mjs`. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { owned } from './scratch.mjs'

export class D1Process {
  #child
  #ended
  /** @type {number} */
  port

  /** @param {string} file path of the database file, which must not exist */
  constructor(file) {
    this.#child = owned(fork(path.join(import.meta.dirname, 'd1-stand-in.mjs'), [file]))
    this.#ended = once(this.#child, 'exit').then(() => undefined)
  }

  static async start(file) {
    const database = new D1Process(file)
    database.port = (await database.#message()).port
    return database
  }

  async #message() {
    const received = await Promise.race([once(this.#child, 'message'), this.#ended])
    if (received === undefined) throw new Error('The process of a database ended.')
    return received[0]
  }

  /**
   * What the database did so far.
   *
   * @param {{ turnMs?: number }} [command] how long each query takes from now on at least, in milliseconds
   * @returns {Promise<import('./one-at-a-time.mjs').Usage>}
   */
  async usage(command = {}) {
    this.#child.send(command)
    return (await this.#message()).usage
  }

  stop() {
    this.#child.disconnect()
  }
}
