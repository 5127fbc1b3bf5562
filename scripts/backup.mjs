/**
 * `npm run backup -- [--local|--remote] [--persist-to DIR] [--database BINDING] FILE`: writes the rows of every bound
 * D1 database as SQL, for `npm run restore`: those of `DB` to FILE, those of `DB_2` to FILE with `.DB_2` before its
 * extension, and so on. With --database it writes only the rows of this database to FILE. A backup has every table
 * except the full-text index, which the statements at its end fill again.
 *
 * A local database is copied first, so that a running service and the backup do not block each other.
 */
import './require-node.mjs'
import { createWriteStream } from 'node:fs'
import { appendFile, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { boundDatabases, fileOf } from './database/bindings.mjs'
import { describeTables, TABLES } from './database/dump.mjs'
import { linesOf } from './database/load.mjs'
import { databaseDirectory, databaseFile, openLocal } from './database/local.mjs'
import { searchIndex } from './database/search-index.mjs'
import { snapshot } from './database/snapshot.mjs'
import { databaseIdOf, exportRemote, parseTarget, query } from './database/target.mjs'

/** The longest statement that D1 takes, in bytes; see "Limits" in Cloudflare's documentation of D1. */
const D1_STATEMENT_BYTES = 100_000

const EMPTY = 'The database is empty: it has no tables.'

/** Makes a copy of a local database and calls `work` with it open. */
async function withCopy(target, work) {
  const id = databaseIdOf(target)
  const file = databaseFile(databaseDirectory(target.stateDirectory), id)
  if (!(await stat(file).catch(() => undefined)))
    throw new Error(`There is no database in ${target.stateDirectory}.`)
  const directory = await mkdtemp(path.join(tmpdir(), 'backup-'))
  try {
    const copy = databaseFile(directory, id)
    await mkdir(path.dirname(copy), { recursive: true })
    await snapshot(file, copy)
    const database = await openLocal(directory, id)
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const backUpLocal = (target, file) =>
  withCopy(target, async ({ read, dump }) => {
    const tables = await describeTables(read)
    if (tables.length === 0) throw new Error(EMPTY)
    await pipeline(await dump(), createWriteStream(file))
    return tables.map(({ name }) => name)
  })

/**
 * Names every table, because `wrangler d1 export` otherwise refuses a database with a virtual table, such as the
 * full-text index.
 */
async function backUpRemote(target, file) {
  const tables = (await query(target, TABLES)).map(({ name }) => name)
  if (tables.length === 0) throw new Error(EMPTY)
  await exportRemote(target, tables, file)
  for await (const line of linesOf(file)) {
    if (Buffer.byteLength(line) <= D1_STATEMENT_BYTES) continue
    throw new Error(
      `A row is too long for D1 to take back in one statement of ${D1_STATEMENT_BYTES} bytes. It begins with ` +
        `${line.slice(0, 60)}. Use D1's Time Travel for this database.`,
    )
  }
  if (tables.includes('records')) {
    for await (const statement of searchIndex((sql) => query(target, sql)))
      await appendFile(file, `\n${statement}`)
  }
  await appendFile(file, '\n')
  return tables
}

/** Moves of workspaces between databases: how many are under way, and a number that grows with each. */
const MOVES = `SELECT count(*) FILTER (WHERE step NOT IN ('done', 'abandoned')) AS under_way,
  coalesce(sum(attempt), 0) AS attempts FROM workspace_moves`

/** Writes one file. Leaves no file when it cannot be finished. */
async function backUp(target, file) {
  const unfinished = `${file}.unfinished`
  try {
    // Creates the file first, because it keeps its mode: only its owner can read a backup.
    await writeFile(unfinished, '', { mode: 0o600 })
    const tables = await (target.remote ? backUpRemote : backUpLocal)(target, unfinished)
    await rename(unfinished, file)
    process.stdout.write(`Wrote ${file}: ${tables.join(', ')}.\n`)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/**
 * Backs up all databases, one after another. A workspace that moves in the meantime could be in no file or in two
 * files.
 *
 * @throws {Error} when a workspace was moved
 */
async function backUpAll(place, file) {
  const control = { ...place, database: 'DB' }
  const [before] = await query(control, MOVES)
  if (before.under_way > 0)
    throw new Error(
      'A workspace is being moved to another database. Finish the move, then run this command again.',
    )
  for (const database of boundDatabases()) await backUp({ ...place, database }, fileOf(file, database))
  const [after] = await query(control, MOVES)
  if (after.attempts !== before.attempts) {
    throw new Error(
      'A workspace was moved to another database in the meantime, so these files do not fit together. Run the command again.',
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
