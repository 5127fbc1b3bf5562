/** Finds out which migrations a backup had that does not say so: one of a release before they did. */
import { describeTables } from './dump.mjs'
import { linesOf } from './load.mjs'
import { migrate } from './migrate.mjs'
import { migrationsUpTo } from './release.mjs'
import { openSqlite } from './sqlite.mjs'
import { parseHead, parseInsert } from './statements.mjs'

const sorted = (names) => [...names].sort().join()

/** The statement that fills the full-text index names the column of row ids. */
const INDEX = /^INSERT INTO records_search\(rowid, \w+\) SELECT (\w+),/

/**
 * What is known of the columns of each table with rows: their names, or only their number and perhaps one name, because
 * exports named none for some time.
 *
 * @returns {Promise<{ table: string, isLike: (columns: string[]) => boolean }[]>}
 */
async function columnsIn(file) {
  const known = new Map()
  for await (const line of linesOf(file)) {
    const [, rowId] = INDEX.exec(line) ?? []
    if (rowId) known.set('index', { table: 'records', isLike: (columns) => columns.includes(rowId) })
    const head = parseHead(line)
    if (!head || known.has(head.table)) continue
    const count = head.columns ? undefined : parseInsert(line).rows[0].length
    known.set(head.table, {
      table: head.table,
      isLike: (columns) =>
        head.columns ? sorted(columns) === sorted(head.columns) : columns.length === count,
    })
  }
  return [...known.values()]
}

/**
 * The first migration after which a database has the tables and columns of a backup. The migrations after it that
 * change rows also add a table or a column, so the rows of the backup do not have these changes yet.
 *
 * @param {string} file SQL
 * @returns {Promise<string | undefined>} undefined when the file has no rows
 * @throws {Error} when no release had such tables
 */
export async function migrationOf(file) {
  const wanted = await columnsIn(file)
  if (wanted.length === 0) return undefined
  const database = openSqlite()
  try {
    for (const name of migrationsUpTo()) {
      await migrate(database, name)
      const tables = new Map(
        (await describeTables(database.read)).map((table) => [table.name, table.columns]),
      )
      if (wanted.every(({ table, isLike }) => tables.has(table) && isLike(tables.get(table)))) return name
    }
  } finally {
    await database.close()
  }
  throw new Error(`No release of this service has had the tables of ${file}. Nothing was changed.`)
}
