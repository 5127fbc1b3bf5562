/**
 * `npm run backup -- [--local|--remote] [--persist-to DIR] [--database BINDING] FILE`: writes the rows of a D1 database
 * as SQL, for `npm run restore`.
 *
 * `wrangler d1 export` refuses a database with a virtual table, such as the full-text index, unless every other table
 * is named. The index is left out and filled again by the statements at the end of the file.
 */
import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
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

async function main(args) {
  const { file, ...target } = parseTarget(args)
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

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
