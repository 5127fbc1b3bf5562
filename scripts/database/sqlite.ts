/** SQLite databases of this machine: copies for backups, trials of restores, and the files of a local service. */
import { spawnSync } from 'node:child_process'

import { DatabaseSync } from 'node:sqlite'

/** A name of a database that is in the memory of this process alone. */
const IN_MEMORY = ':memory:'

/**
 * Opens a database, and makes it if there is none. Others may use the file meanwhile if this only reads: the databases
 * of a service are in WAL mode, in which readers and writers do not wait for each other.
 *
 * @param {string} [file] in the memory by default
 * @param {{ readOnly?: boolean }} [options]
 */
export function openSqlite(file = IN_MEMORY, { readOnly = false } = {}) {
  const sqlite = new DatabaseSync(file, { readOnly })
  const prepare = (sql) => {
    const statement = sqlite.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }
  return {
    /** @returns {any[][]} rows of values */
    read: (sql, ...parameters) => /** @type {any} */ (prepare(sql).all(...parameters)),
    /** As `read`, in the form of D1's API. @type {import('./units.ts').Run} */
    query: async (sql, params) => /** @type {any} */ (sqlite.prepare(sql).all(.../** @type {any[]} */ (params))),
    /** @returns {Iterable<any[]>} rows of values, read one by one; integers are `bigint`, because some are too large */
    iterate: (sql) => {
      const statement = prepare(sql)
      statement.setReadBigInts(true)
      return /** @type {any} */ (statement.iterate())
    },
    /** Runs statements. */
    run: (sql) => sqlite.exec(sql),
    /**
     * Calls `work` in a transaction, also within another one. It keeps no change if `work` throws or gives false.
     *
     * @template T
     * @param {() => T | Promise<T>} work
     */
    transaction: async (work) => {
      const undo = 'ROLLBACK TO work; RELEASE work'
      sqlite.exec('SAVEPOINT work')
      try {
        const result = await work()
        sqlite.exec(result === false ? undo : 'RELEASE work')
        return result
      } catch (error) {
        sqlite.exec(undo)
        throw error
      }
    },
    close: () => sqlite.close(),
  }
}

/** @typedef {ReturnType<typeof openSqlite>} Sqlite */

/**
 * Calls `work` with a database, and closes it.
 *
 * @template T
 * @param {(database: Sqlite) => T | Promise<T>} work
 * @param {Parameters<typeof openSqlite>[1]} [options]
 */
export async function withSqlite(file, work, options) {
  const database = openSqlite(file, options)
  try {
    return await work(database)
  } finally {
    database.close()
  }
}

/**
 * Statements that take the triggers of a database away, and those that make them again. Rows of a backup are loaded
 * without triggers, which have already done their work on them.
 *
 * @param {Sqlite} database
 */
export function triggersOf({ read }) {
  const triggers = read("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
  return {
    drop: triggers.map(([name]) => `DROP TRIGGER "${name}";`),
    create: triggers.map(([, sql]) => `${sql};`),
  }
}

/**
 * Calls `load` in a transaction without triggers, which makes all of its changes or none.
 *
 * @param {Sqlite} database
 * @param {() => void | Promise<void>} load
 */
export const withoutTriggers = (database, load) =>
  database.transaction(async () => {
    const { drop, create } = triggersOf(database)
    database.run(drop.join('\n'))
    await load()
    database.run(create.join('\n'))
  })

/** Copies a database, which others may use meanwhile, to a file that does not exist. */
export const copyDatabase = (file, target) =>
  withSqlite(file, ({ read }) => read('VACUUM INTO ?', target), { readOnly: true })

/** The databases among the files that git tracks, by the first bytes of their files; none where there is no git. */
export function trackedDatabases(directory) {
  const search = ['grep', '--files-with-matches', '-z', '--text', '^SQLite format 3[^ -~]']
  const { stdout } = spawnSync('git', search, { cwd: directory, encoding: 'utf8' })
  return (stdout ?? '').split('\0').filter(Boolean)
}
