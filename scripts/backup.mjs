/**
 * `npm run backup -- [--local|--remote] [--persist-to DIR] [--database BINDING] FILE`: writes the rows of a D1 database as
 * SQL, for `npm run restore`. Every table is in it but the full-text index, which the statements at the end fill again.
 *
 * A local database is copied first, so that a running service is not in the way, nor kept from its work.
 */
import { createWriteStream } from 'node:fs'
import { appendFile, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { describeTables, TABLES } from './database/dump.mjs'
import { linesOf } from './database/load.mjs'
import { databaseDirectory, databaseFile, openLocal } from './database/local.mjs'
import { searchIndex } from './database/search-index.mjs'
import { snapshot } from './database/snapshot.mjs'
import { databaseIdOf, exportRemote, parseTarget, query } from './database/target.mjs'

/** D1 takes no longer statement, in bytes; see "Limits" in Cloudflare's documentation of D1. */
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
 * `wrangler d1 export` refuses a database with a virtual table, such as the full-text index, unless every other table is
 * named.
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

async function main(args) {
  const { file, ...target } = parseTarget(args)
  const unfinished = `${file}.unfinished`
  try {
    // Made first, because what is written into it keeps its mode: only its owner can read a backup.
    await writeFile(unfinished, '', { mode: 0o600 })
    const tables = await (target.remote ? backUpRemote : backUpLocal)(target, unfinished)
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
