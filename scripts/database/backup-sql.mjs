/** Writes the rows of one database as SQL. A local database is copied first, so that a service can go on using it. */
import { createWriteStream } from 'node:fs'
import { appendFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describeTables } from './dump.mjs'
import { exportedStatements } from './export-lines.mjs'
import { linesOf } from './load.mjs'
import { databaseFile, localResources, openLocal } from './local.mjs'
import { LAST_MIGRATION, releaseLine } from './release.mjs'
import { searchIndex } from './search-index.mjs'
import { snapshot } from './snapshot.mjs'
import { databaseIdOf, exportRemote, query, readRemote } from './target.mjs'

/** Makes a copy of a local database and calls `work` with it open. */
async function withCopy(target, work) {
  const id = databaseIdOf(target)
  const file = databaseFile(localResources(target.stateDirectory), id)
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

/**
 * Runs one query on a target, a local one as it is now.
 *
 * @returns {Promise<any[][]>} rows of values
 */
export const readNow = (target, sql) =>
  target.remote ? readRemote(target)(sql) : withCopy(target, ({ read }) => read(sql))

async function described(target, read) {
  const tables = await describeTables(read)
  if (tables.length === 0) throw new Error(`The database ${target.database} is empty: it has no tables.`)
  const [[migration]] = await read(LAST_MIGRATION)
  return { tables, line: releaseLine(migration) }
}

const backUpLocal = (target, file) =>
  withCopy(target, async ({ read, dump }) => {
    const { tables, line } = await described(target, read)
    await writeFile(file, line)
    await pipeline(await dump(), createWriteStream(file, { flags: 'a' }))
    return tables
  })

/**
 * Names every table, because `wrangler d1 export` otherwise refuses a database with a virtual table, such as the
 * full-text index.
 */
async function backUpRemote(target, file) {
  const { tables, line } = await described(target, readRemote(target))
  const exported = `${file}.export`
  try {
    await writeFile(exported, '', { mode: 0o600 })
    await exportRemote(
      target,
      tables.map(({ name }) => name),
      exported,
    )
    await writeFile(file, line)
    await pipeline(
      Readable.from(exportedStatements(linesOf(exported), tables)).map((statement) => `${statement}\n`),
      createWriteStream(file, { flags: 'a' }),
    )
  } finally {
    await rm(exported, { force: true })
  }
  for await (const statement of searchIndex((sql) => query(target, sql)))
    await appendFile(file, `${statement}\n`)
  return tables
}

/**
 * @param {import('./target.mjs').Target} target
 * @param {string} file made by this call, readable by its owner only
 * @returns {Promise<string[]>} the names of the tables
 */
export async function backUpRows(target, file) {
  // Made first, because it keeps its mode.
  await writeFile(file, '', { mode: 0o600 })
  const tables = await (target.remote ? backUpRemote : backUpLocal)(target, file)
  return tables.map(({ name }) => name)
}
