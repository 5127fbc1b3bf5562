/**
 * Brings a database up to date. Keeps the same list as `wrangler d1 migrations apply`, which takes seconds to start.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../wrangler.mjs'
import { migrationsUpTo } from './release.mjs'

const DIRECTORY = path.join(root, 'migrations')

/** The list of migrations as wrangler makes it. */
const CREATE_LIST = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

const isComment = (line) => line.trim() === '' || line.trimStart().startsWith('--')

/** The statements of a migration: drizzle-kit writes a mark between them. */
const statementsOf = (text) =>
  text
    .split('--> statement-breakpoint')
    .filter((statement) => !statement.split('\n').every(isComment))
    .map((statement) => statement.trim())

const HAS_LIST = "SELECT name FROM sqlite_schema WHERE name = 'd1_migrations'"

/**
 * The migrations that a database does not have. Changes nothing.
 *
 * @param {{ read: import('./dump.mjs').Read }} database
 * @param {string} [last] name of the last migration to look for; all by default
 * @returns {Promise<string[]>} their names
 */
export async function missingMigrations({ read }, last) {
  const hasList = (await read(HAS_LIST)).length > 0
  const applied = new Set(hasList ? (await read('SELECT name FROM d1_migrations')).flat() : [])
  return migrationsUpTo(last).filter((name) => !applied.has(name))
}

const statementsOfMigration = (name) => [
  ...statementsOf(readFileSync(path.join(DIRECTORY, name), 'utf8')),
  `INSERT INTO d1_migrations (name) VALUES ('${name}')`,
]

/** @typedef {{ read: import('./dump.mjs').Read, batch: (statements: string[]) => Promise<void> }} Database */

/**
 * Applies the migrations that a database does not have, in one transaction.
 *
 * @param {Database} database
 * @param {string} [last] name of the last migration to apply; all by default
 * @returns {Promise<string[]>} their names
 */
export async function migrate(database, last) {
  const missing = await missingMigrations(database, last)
  if (missing.length > 0) await database.batch([CREATE_LIST, ...missing.flatMap(statementsOfMigration)])
  return missing
}

/**
 * The same with a transaction for each migration, because D1 ends one after 30 seconds.
 *
 * @param {Database} database
 * @param {string[]} names of the missing migrations
 */
export async function migrateOneByOne(database, names) {
  for (const name of names) await database.batch([CREATE_LIST, ...statementsOfMigration(name)])
}
