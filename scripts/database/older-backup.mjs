/** Finds out which migrations a backup had that does not say so: one of a release before they did. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describeTables } from './dump.mjs'
import { linesOf } from './load.mjs'
import { openLocal } from './local.mjs'
import { migrate } from './migrate.mjs'
import { migrationsUpTo } from './release.mjs'
import { parseHead } from './statements.mjs'

/** Of the database that is made for the comparison. */
const DATABASE_ID = '00000000-0000-0000-0000-000000000000'

const sorted = (names) => [...names].sort().join()

/** The columns of each table with rows. */
async function columnsIn(file) {
  const columns = new Map()
  for await (const line of linesOf(file)) {
    const head = parseHead(line)
    if (head?.columns && !columns.has(head.table)) columns.set(head.table, sorted(head.columns))
  }
  return columns
}

/**
 * The first migration after which a database has the tables and columns of a backup. The migrations after it that change
 * rows also add a table or a column, so the rows of the backup do not have these changes yet.
 *
 * @param {string} file SQL
 * @returns {Promise<string | undefined>} undefined when the file names no columns
 * @throws {Error} when no release had such tables
 */
export async function migrationOf(file) {
  const wanted = await columnsIn(file)
  if (wanted.size === 0) return undefined
  const directory = await mkdtemp(path.join(tmpdir(), 'release-'))
  const database = await openLocal(directory, DATABASE_ID)
  try {
    for (const name of migrationsUpTo()) {
      await migrate(database, name)
      const tables = new Map(
        (await describeTables(database.read)).map((table) => [table.name, sorted(table.columns)]),
      )
      if ([...wanted].every(([table, columns]) => tables.get(table) === columns)) return name
    }
  } finally {
    await database.close()
    await rm(directory, { recursive: true, force: true })
  }
  throw new Error(`No release of this service has had the tables of ${file}. Nothing was changed.`)
}
