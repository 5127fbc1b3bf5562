/** Brings an open local database up to date. Keeps the same list as `wrangler d1 migrations apply`, which takes seconds to start. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../wrangler.mjs'
import { migrationsUpTo } from './release.mjs'

const DIRECTORY = path.join(root, 'migrations')

/** The list of migrations as wrangler makes it. */
const LIST = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
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

/**
 * Applies the migrations that a database does not have, in one transaction.
 *
 * @param {{ read: import('./dump.mjs').Read, batch: (statements: string[]) => Promise<void> }} database
 * @param {string} [last] name of the last migration to apply; all by default
 * @returns {Promise<string[]>} their names
 */
export async function migrate(database, last) {
  await database.batch([LIST])
  const applied = new Set((await database.read('SELECT name FROM d1_migrations')).map(([name]) => name))
  const missing = migrationsUpTo(last).filter((name) => !applied.has(name))
  const statements = missing.flatMap((name) => [
    ...statementsOf(readFileSync(path.join(DIRECTORY, name), 'utf8')),
    `INSERT INTO d1_migrations (name) VALUES ('${name}')`,
  ])
  if (statements.length > 0) await database.batch(statements)
  return missing
}
