/**
 * `npm run backup -- [--local|--remote] [--persist-to DIR] [--database BINDING] FILE`: writes the rows of every bound D1
 * database as SQL, for `npm run restore`: those of `DB` to FILE, those of `DB_2` to FILE with `.DB_2` before its ending,
 * and so on; or those of one database alone to FILE.
 *
 * `wrangler d1 export` refuses a database with a virtual table, such as the full-text index, unless every other table
 * is named. The index is left out and filled again by the statements at the end of the file.
 */
import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { boundDatabases, fileOf } from './database/bindings.mjs'
import { searchIndex } from './database/search-index.mjs'
import { exportRows, parseTarget, query } from './database/target.mjs'

/** D1 takes no longer statement, in bytes; see "Limits" in Cloudflare's documentation of D1. */
const MAX_STATEMENT_BYTES = 100_000

/** Tables with rows of the service's own: not virtual ones, what belongs to those, or what D1 keeps for itself. */
const TABLES = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
  AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 4) <> '_cf_' AND name <> 'd1_migrations' ORDER BY name`

async function writeBackup(target, file) {
  const tables = (await query(target, TABLES)).map(({ name }) => name)
  if (tables.length === 0) throw new Error('The database is empty: it has no tables.')
  await exportRows(target, tables, file)
  if (tables.includes('records')) {
    for await (const statement of searchIndex((sql) => query(target, sql)))
      await appendFile(file, `\n${statement}`)
  }
  await appendFile(file, '\n')
  return tables
}

/** The export has one statement per line. */
async function requireRestorable(file) {
  const text = await readFile(file, 'utf8')
  const long = text.split('\n').filter((line) => Buffer.byteLength(line) > MAX_STATEMENT_BYTES)
  if (long.length === 0) return
  throw new Error(
    `${long.length} rows are too long for D1 to take back in one statement of ${MAX_STATEMENT_BYTES} bytes, ` +
      `the first one beginning with ${long[0].slice(0, 60)}. Use D1's Time Travel for this database.`,
  )
}

/** Moves of workspaces between databases: how many are under way, and a number that grows with each. */
const MOVES = `SELECT count(*) FILTER (WHERE step NOT IN ('done', 'abandoned')) AS under_way,
  coalesce(sum(attempt), 0) AS attempts FROM workspace_moves`

/** One file; nothing is left of it where it cannot be finished. */
async function backUp(target, file) {
  const unfinished = `${file}.unfinished`
  try {
    // Made first, because what is exported into it keeps its mode: only its owner can read a backup.
    await writeFile(unfinished, '', { mode: 0o600 })
    const tables = await writeBackup(target, unfinished)
    await requireRestorable(unfinished)
    await rename(unfinished, file)
    process.stdout.write(`Wrote ${file}: ${tables.join(', ')}.\n`)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/**
 * All databases, one after another. A workspace that moves meanwhile could be in none of the files or in two.
 *
 * @throws {Error} where one was moved
 */
async function backUpAll(place, file) {
  const control = { ...place, database: 'DB' }
  const [before] = await query(control, MOVES)
  if (before.under_way > 0)
    throw new Error('A workspace is being moved to another database. Finish that first.')
  for (const database of boundDatabases()) await backUp({ ...place, database }, fileOf(file, database))
  const [after] = await query(control, MOVES)
  if (after.attempts !== before.attempts) {
    throw new Error(
      'A workspace was moved to another database meanwhile: these files do not fit together. Run it again.',
    )
  }
}

async function main(args) {
  const { file, database, ...place } = parseTarget(args)
  await (database === undefined ? backUpAll(place, file) : backUp({ ...place, database }, file))
}

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
