/** SQLite databases of this machine: copies for backups, trial restores, and the files of a local service. */
import { spawnSync } from 'node:child_process'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'
import type { Run } from './units.ts'

/** The name of a database in the memory of this process. */
const IN_MEMORY = ':memory:'

interface OpenOptions {
  readOnly?: boolean
}

/**
 * Opens a database, and creates it if it does not exist. Other processes may use the file at the same time if this
 * process only reads: a service's databases are in WAL mode, in which readers and writers do not block each other.
 *
 * @param file in memory by default
 */
export function openSqlite(file = IN_MEMORY, { readOnly = false }: OpenOptions = {}) {
  const sqlite = new DatabaseSync(file, { readOnly })
  const prepare = (sql: string) => {
    const statement = sqlite.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }
  // Node's types only declare rows as objects.
  const read = (sql: string, ...parameters: SQLInputValue[]) =>
    prepare(sql).all(...parameters) as unknown as SQLOutputValue[][]
  const query: Run = async (sql, params) => sqlite.prepare(sql).all(...(params as SQLInputValue[]))
  return {
    /** @returns rows of values */
    read,
    /** Like `read`, in the format of D1's API. */
    query,
    /** @returns rows of values, read one by one; integers are `bigint`, because some exceed safe integers */
    iterate: (sql: string) => {
      const statement = prepare(sql)
      statement.setReadBigInts(true)
      return statement.iterate() as Iterable<unknown> as Iterable<SQLOutputValue[]>
    },
    /** Runs statements. */
    run: (sql: string) => sqlite.exec(sql),
    /** Calls `work` in a transaction, also within another one. Rolls back if `work` throws or returns false. */
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

/** Calls `work` with a database, and closes it afterwards. */
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
 * Statements that drop the triggers of a database, and statements that recreate them. Rows of a backup are loaded
 * without triggers, because their effects are already in the rows.
 */
export function triggersOf({ read }: Sqlite): { drop: string[]; create: string[] } {
  const triggers = read("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
  return {
    drop: triggers.map(([name]) => `DROP TRIGGER "${name}";`),
    create: triggers.map(([, sql]) => `${sql};`),
  }
}

/** Calls `load` without triggers in a transaction, which makes all of its changes or none. */
export const withoutTriggers = (database: Sqlite, load: () => void | Promise<void>): Promise<void> =>
  database.transaction(async () => {
    const { drop, create } = triggersOf(database)
    database.run(drop.join('\n'))
    await load()
    database.run(create.join('\n'))
  })

/** Copies a database, which may be in use, to a file that does not exist. */
export const copyDatabase = (file: string, target: string): Promise<unknown> =>
  withSqlite(file, ({ read }) => read('VACUUM INTO ?', target), { readOnly: true })

/** The databases among the files tracked by git, by their first bytes; none without git. */
export function trackedDatabases(directory: string): string[] {
  const search = ['grep', '--files-with-matches', '-z', '--text', '^SQLite format 3[^ -~]']
  const { stdout } = spawnSync('git', search, { cwd: directory, encoding: 'utf8' })
  return (stdout ?? '').split('\0').filter(Boolean)
}
