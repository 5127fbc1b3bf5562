/**
 * The files of a backup as one set, which replaces an older set with the same names. They are first written under
 * temporary names, so that no other run writes to them. Then the older set is renamed, the new set gets its final
 * names, and the older set is deleted last.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { removeAfter } from '../temporary-directory.mjs'

/** The suffix of one run's temporary names. */
const ENDING = /\.(?:unfinished|replaced)-[0-9a-f]{8}$/

/** A set that is being written. */
export class NewSet {
  readonly #names: readonly string[]
  readonly #id = randomBytes(4).toString('hex')

  /** @param names final names of the files and folders */
  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** The path to write a file or folder to. */
  readonly unfinished = (name: string): string => `${name}.unfinished-${this.#id}`

  #replaced = (name: string): string => `${name}.replaced-${this.#id}`

  /** Leftovers of killed runs next to the set. An older set may be among them. */
  leftovers(): string[] {
    return this.#names.flatMap((name) => {
      const { dir, base } = path.parse(name)
      const isLeft = (entry: string) => entry.startsWith(`${base}.`) && ENDING.test(entry.slice(base.length))
      return readdirSync(dir)
        .filter(isLeft)
        .map((entry) => path.join(dir, entry))
    })
  }

  /** Calls `work`, which writes the set. Removes all temporary files afterwards, also after an interruption. */
  write<T>(work: () => Promise<T>): Promise<T> {
    return removeAfter(this.#names.map(this.unfinished), work)
  }

  /**
   * Gives the new set its names. Synchronous, so that no signal can interrupt it.
   *
   * @throws Error if the system rejects one of the names. The older set then has all of its names again
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
