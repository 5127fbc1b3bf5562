/**
 * The files of a backup as one set, which takes the place of an older set under the same names. It is written under
 * names of its own, so that no other run writes into it. Then the older set is renamed, the new one gets its names, and
 * the older one is deleted last.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { removeAfter } from '../temporary-directory.mjs'

/** What the names of one run end with. */
const ENDING = /\.(?:unfinished|replaced)-[0-9a-f]{8}$/

/** A set that is being written. */
export class NewSet {
  readonly #names: readonly string[]
  readonly #id = randomBytes(4).toString('hex')

  /** @param names of the files and folders, once the set is whole */
  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** Where a file or folder is written. */
  readonly unfinished = (name: string): string => `${name}.unfinished-${this.#id}`

  #replaced = (name: string): string => `${name}.replaced-${this.#id}`

  /** What runs that were killed have left beside the set. Nobody knows whether an older set is among it. */
  leftovers(): string[] {
    return this.#names.flatMap((name) => {
      const { dir, base } = path.parse(name)
      const isLeft = (entry: string) => entry.startsWith(`${base}.`) && ENDING.test(entry.slice(base.length))
      return readdirSync(dir)
        .filter(isLeft)
        .map((entry) => path.join(dir, entry))
    })
  }

  /** Calls `work`, which writes the set. What it has written under other names is removed, also after an interruption. */
  write<T>(work: () => Promise<T>): Promise<T> {
    return removeAfter(this.#names.map(this.unfinished), work)
  }

  /**
   * Gives the new set its names. In one step for signals, which Node handles between steps.
   *
   * @throws Error when the system refuses one of the names; then the older set has all of its names again
   */
  put(): void {
    const renamed: [from: string, to: string][] = []
    const rename = (from: string, to: string) => {
      renameSync(from, to)
      renamed.push([from, to])
    }
    try {
      for (const name of this.#names) {
        if (existsSync(name)) rename(name, this.#replaced(name))
        rename(this.unfinished(name), name)
      }
    } catch (error) {
      for (const [from, to] of renamed.reverse()) renameSync(to, from)
      throw error
    }
    for (const name of this.#names) rmSync(this.#replaced(name), { recursive: true, force: true })
  }
}
