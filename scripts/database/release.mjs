/** Which release wrote a backup: the first line of each of its SQL files says so. */
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../wrangler.mjs'

/** The migrations of this release, in their order. */
const MIGRATIONS = readdirSync(path.join(root, 'migrations'))
  .filter((name) => name.endsWith('.sql'))
  .sort()

/** @param {string} [last] name of a migration; the newest by default */
export const migrationsUpTo = (last) => MIGRATIONS.filter((name) => last === undefined || name <= last)

/** A query for the last migration that a database has. */
export const LAST_MIGRATION = 'SELECT name FROM d1_migrations ORDER BY name DESC LIMIT 1'

const LINE = /^-- Dataset Catalog Service (\S+), migrations up to (\S+)$/

/** @param {string} migration the last one that the database has */
export function releaseLine(migration) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  return `-- Dataset Catalog Service ${version}, migrations up to ${migration}\n`
}

/** More than the first line has. */
const FIRST_BYTES = 1000

/**
 * @param {string} file
 * @returns {Promise<{ release: string, migration: string } | undefined>} undefined for a backup of an earlier release,
 *   which wrote no such line
 * @throws {Error} when a later release wrote it
 */
export async function releaseOf(file) {
  const input = createReadStream(file, { encoding: 'utf8', end: FIRST_BYTES })
  for await (const line of createInterface({ input })) {
    input.destroy()
    const [, release, migration] = LINE.exec(line) ?? []
    if (migration === undefined) return undefined
    if (MIGRATIONS.includes(migration)) return { release, migration }
    throw new Error(
      `${file} is a backup of release ${release} with the migration ${migration}, which this release does not have. ` +
        'Restore it with that release.',
    )
  }
  return undefined
}
