/** SQLite databases of this machine: copies for backups, trials of restores, and the files of a local service. */
import { spawnSync } from 'node:child_process'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'
import type { Run } from './units.ts'

/** A name of a database that is in the memory of this process alone. */
const IN_MEMORY = ':memory:'

interface OpenOptions {
  readOnly?: boolean
}

/**
 * Opens a database, and makes it if there is none. Others may use the file meanwhile if this only reads: the databases
 * of a service are in WAL mode, in which readers and writers do not wait for each other.
 *
 * @param file in the memory by default
 */
export function openSqlite(file = IN_MEMORY, { readOnly = false }: OpenOptions = {}) {
  const sqlite = new DatabaseSync(file, { readOnly })
  const prepare = (sql: string) => {
    const statement = sqlite.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }
  // The types of Node know rows as objects only.
  const read = (sql: string, ...parameters: SQLInputValue[]) =>
    prepare(sql).all(...parameters) as unknown as SQLOutputValue[][]
  const query: Run = async (sql, params) => sqlite.prepare(sql).all(...(params as SQLInputValue[]))
  return {
    /** @returns rows of values */
    read,
    /** As `read`, in the form of D1's API. */
    query,
    /** @returns rows of values, read one by one; integers are `bigint`, because some are too large */
    iterate: (sql: string) => {
      const statement = prepare(sql)
      statement.setReadBigInts(true)
      return statement.iterate() as Iterable<unknown> as Iterable<SQLOutputValue[]>
    },
    /** Runs statements. */
    run: (sql: string) => sqlite.exec(sql),
    /** Calls `work` in a transaction, also within another one. It keeps no change if `work` throws or gives false. */
    transaction: async <T>(work: () => T | Promise<T>): Promise<T> => {
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

export type Sqlite = ReturnType<typeof openSqlite>

/** Calls `work` with a database, and closes it. */
export async function withSqlite<T>(
  file: string | undefined,
  work: (database: Sqlite) => T | Promise<T>,
  options?: OpenOptions,
): Promise<T> {
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
 */
export function triggersOf({ read }: Sqlite): { drop: string[]; create: string[] } {
  const triggers = read("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
  return {
    drop: triggers.map(([name]) => `DROP TRIGGER "${name}";`),
    create: triggers.map(([, sql]) => `${sql};`),
  }
}

/** Calls `load` in a transaction without triggers, which makes all of its changes or none. */
export const withoutTriggers = (database: Sqlite, load: () => void | Promise<void>): Promise<void> =>
  database.transaction(async () => {
    const { drop, create } = triggersOf(database)
    database.run(drop.join('\n'))
    await load()
    database.run(create.join('\n'))
  })

/** Copies a database, which others may use meanwhile, to a file that does not exist. */
export const copyDatabase = (file: string, target: string): Promise<unknown> =>
  withSqlite(file, ({ read }) => read('VACUUM INTO ?', target), { readOnly: true })

/** The databases among the files that git tracks, by the first bytes of their files; none where there is no git. */
export function trackedDatabases(directory: string): string[] {
  const search = ['grep', '--files-with-matches', '-z', '--text', '^SQLite format 3[^ -~]']
  const { stdout } = spawnSync('git', search, { cwd: directory, encoding: 'utf8' })
  return (stdout ?? '').split('\0').filter(Boolean)
}
