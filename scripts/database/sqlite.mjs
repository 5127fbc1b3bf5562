/** SQLite databases of this machine: copies for backups, trials of restores, and the files of a local service. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

// Imported late, so that a Node without it gets the message of `require-node.mjs`.
const { DatabaseSync } = await import('node:sqlite')

/** A name of a database that is in the memory of this process alone. */
const IN_MEMORY = ':memory:'

/**
 * Opens a database, and makes it if there is none. Nothing else may use the file meanwhile.
 *
 * @param {string} [file] in the memory by default
 */
export function openSqlite(file = IN_MEMORY) {
  const sqlite = new DatabaseSync(file)
  const prepare = (sql) => {
    const statement = sqlite.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }
  return {
    /** @returns {any[][]} rows of values */
    read: (sql, ...parameters) => /** @type {any} */ (prepare(sql).all(...parameters)),
    /** @returns {Iterable<any[]>} rows of values, read one by one */
    iterate: (sql) => /** @type {any} */ (prepare(sql).iterate()),
    /** Runs statements. */
    run: (sql) => sqlite.exec(sql),
    /**
     * Calls `work` in a transaction, which keeps all of its changes or none.
     *
     * @template T
     * @param {() => T | Promise<T>} work
     */
    transaction: async (work) => {
      sqlite.exec('BEGIN')
      try {
        const result = await work()
        sqlite.exec('COMMIT')
        return result
      } catch (error) {
        sqlite.exec('ROLLBACK')
        throw error
      }
    },
    close: () => sqlite.close(),
  }
}

/** @typedef {ReturnType<typeof openSqlite>} Sqlite */

/**
 * Calls `work` with a new directory, which is removed afterwards.
 *
 * @template T
 * @param {(directory: string) => Promise<T>} work
 */
export async function withDirectory(work) {
  const directory = await mkdtemp(path.join(tmpdir(), 'database-'))
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const TRIGGERS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"

/**
 * Statements that take the triggers away, and those that make them again. Rows of a backup are loaded without triggers,
 * which have already done their work on them.
 *
 * @param {any[][]} triggers the rows of `TRIGGERS`
 */
const aroundTriggers = (triggers) => ({
  drop: triggers.map(([name]) => `DROP TRIGGER "${name}";`),
  create: triggers.map(([, sql]) => `${sql};`),
})

/** @param {Sqlite} database */
export const triggersOf = ({ read }) => aroundTriggers(read(TRIGGERS))
