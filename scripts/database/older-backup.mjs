/** Finds out which migrations a backup had that does not say so: one of a release before they did. */
import { describeTables } from './dump.mjs'
import { linesOf } from './load.mjs'
import { migrate } from './migrate.mjs'
import { migrationsUpTo } from './release.mjs'
import { openSqlite } from './sqlite.mjs'
import { parseHead, parseInsert } from './statements.mjs'

const sorted = (names) => [...names].sort().join()

/** The columns of each table with rows; only their number, if the backup does not name them. */
async function columnsIn(file) {
  const columns = new Map()
  for await (const line of linesOf(file)) {
    const head = parseHead(line)
    if (!head || columns.has(head.table)) continue
    columns.set(head.table, head.columns ? sorted(head.columns) : parseInsert(line).rows[0].length)
  }
  return columns
}

const isLike = (columns, wanted) =>
  typeof wanted === 'number' ? columns?.length === wanted : columns && sorted(columns) === wanted

/**
 * The first migration after which a database has the tables and columns of a backup. The migrations after it that change
 * rows also add a table or a column, so the rows of the backup do not have these changes yet.
 *
 * @param {string} file SQL
 * @returns {Promise<string | undefined>} undefined when the file has no rows
 * @throws {Error} when no release had such tables
 */
export async function migrationOf(file) {
  const wanted = await columnsIn(file)
  if (wanted.size === 0) return undefined
  const database = openSqlite()
  try {
    for (const name of migrationsUpTo()) {
      await migrate(database, name)
      const tables = new Map(
        (await describeTables(database.read)).map((table) => [table.name, table.columns]),
      )
      if ([...wanted].every(([table, columns]) => isLike(tables.get(table), columns))) return name
    }
  } finally {
    await database.close()
  }
  throw new Error(`No release of this service has had the tables of ${file}. Nothing was changed.`)
}
