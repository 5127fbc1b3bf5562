/** The migrations of this release, and a database's list of applied migrations, which wrangler also maintains. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../wrangler.mjs'
import type { Sqlite } from './sqlite.ts'

const DIRECTORY = path.join(root, 'migrations')

/** Their names, in order. The first migration creates all tables. */
export const MIGRATIONS: readonly string[] = readdirSync(DIRECTORY)
  .filter((name) => name.endsWith('.sql'))
  .sort()

export const textOfMigration = (name: string): string => readFileSync(path.join(DIRECTORY, name), 'utf8')

/** The tables of a database, without those of SQLite, of D1, and of full-text indexes. */
export const TABLES = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
  AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' ORDER BY name`

/** wrangler's list of applied migrations. */
export const LIST = 'd1_migrations'

/** Creates the list of applied migrations as wrangler does. */
const CREATE_LIST = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/**
 * The migrations that a database lacks.
 *
 * @param applied the applied migrations
 * @param place for messages
 * @throws Error if another release created it, and this one cannot upgrade it
 */
export function missingMigrations(applied: readonly string[], place: string): string[] {
  const unknown = applied.filter((name) => !MIGRATIONS.includes(name))
  if (applied.length > 0 && !applied.includes(String(MIGRATIONS[0]))) {
    throw new Error(
      `${place} is of an earlier release (${applied.at(-1)}), which this release does not upgrade. Nothing was changed. ` +
        'See docs/upgrading.md.',
    )
  }
  if (unknown.length > 0) {
    throw new Error(
      `${place} has the migration ${unknown.at(-1)} of a later release. Nothing was changed. Use that release.`,
    )
  }
  return MIGRATIONS.filter((name) => !applied.includes(name))
}

/** Runs a query. @returns rows of values */
export type Read = (sql: string) => unknown[][] | Promise<unknown[][]>

interface DatabaseState {
  tables: string[]
  /** The tables that have rows. */
  filled: string[]
  /** The applied migrations. */
  applied: string[]
}

/** The content of a database. Changes nothing. */
export async function stateOf(read: Read): Promise<DatabaseState> {
  const all = (await read(TABLES)).flat().map(String)
  const tables = all.filter((name) => name !== LIST)
  const applied = all.includes(LIST) ? `(SELECT json_group_array(name ORDER BY name) FROM ${LIST})` : "'[]'"
  const filled = tables.map((name, index) => `EXISTS (SELECT 1 FROM "${name}") AS has_${index}`)
  const [[list, ...has] = []] = await read(`SELECT ${[`${applied} AS applied`, ...filled].join(', ')}`)
  return { tables, filled: tables.filter((_, index) => has[index] === 1), applied: JSON.parse(String(list)) }
}

/**
 * Migrates a database of this machine, with a transaction for each migration.
 *
 * @param place for messages
 * @param last name of the last migration to apply; all by default
 * @throws Error if another release created it
 */
export async function migrate(database: Sqlite, place: string, last = MIGRATIONS.at(-1)): Promise<void> {
  for (const name of missingMigrations((await stateOf(database.read)).applied, place)) {
    if (last !== undefined && name > last) return
    await database.transaction(() => {
      database.run(CREATE_LIST)
      database.run(textOfMigration(name))
      database.run(`INSERT INTO ${LIST} (name) VALUES ('${name}')`)
    })
  }
}
