/** Writes the rows of one database as SQL. A local database is copied first, so that a service can go on using it. */
import { createWriteStream } from 'node:fs'
import { appendFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openDeployed } from '../cloudflare/d1.mjs'
import { describeTables, dump } from './dump.mjs'
import { exportedStatements } from './export-lines.mjs'
import { linesOf } from './load.mjs'
import { databaseFile, localResources } from './local.mjs'
import { LAST_MIGRATION, releaseLine } from './release.mjs'
import { searchIndex } from './search-index.mjs'
import { snapshot } from './snapshot.mjs'
import { openSqlite } from './sqlite.mjs'
import { databaseIdOf } from './target.mjs'

/**
 * Makes a copy of a local database and calls `work` with it open.
 *
 * @template T
 * @param {import('./target.mjs').Target} target
 * @param {(database: ReturnType<typeof openSqlite>) => Promise<T>} work
 */
export async function withCopy(target, work) {
  const file = databaseFile(localResources(target.stateDirectory), databaseIdOf(target))
  if (!(await stat(file).catch(() => undefined)))
    throw new Error(`There is no database in ${target.stateDirectory}.`)
  const directory = await mkdtemp(path.join(tmpdir(), 'backup-'))
  try {
    const copy = path.join(directory, 'copy.sqlite')
    await snapshot(file, copy)
    const database = openSqlite(copy)
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
export const readNow = async (target, sql) =>
  target.remote
    ? (await openDeployed(databaseIdOf(target))).read(sql)
    : withCopy(target, ({ read }) => read(sql))

async function described(target, read) {
  const tables = await describeTables(read)
  if (tables.length === 0) throw new Error(`The database ${target.database} is empty: it has no tables.`)
  const [[migration]] = await read(LAST_MIGRATION)
  return { tables, line: releaseLine(migration) }
}

const backUpLocal = (target, file) =>
  withCopy(target, async ({ read }) => {
    const { tables, line } = await described(target, read)
    await writeFile(file, line)
    await pipeline(Readable.from(dump(read, tables)), createWriteStream(file, { flags: 'a' }))
    return tables
  })

async function backUpRemote(target, file) {
  const { read, exportTables } = await openDeployed(databaseIdOf(target))
  const { tables, line } = await described(target, read)
  const exported = `${file}.export`
  try {
    await writeFile(exported, '', { mode: 0o600 })
    await exportTables(
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
  const catalogs = async (sql) => (await read(sql)).map(([catalog_id]) => ({ catalog_id }))
  for await (const statement of searchIndex(catalogs)) await appendFile(file, `${statement}\n`)
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
