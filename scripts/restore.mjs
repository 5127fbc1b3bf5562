/**
 * `npm run restore -- [--documents] [--local|--remote] [--env NAME] [--persist-to DIR] [--database BINDING] FILE`: loads
 * a backup of all databases with their documents, or of one, into new or empty databases. It applies the migrations that
 * the backup had, loads the rows, and then applies the others. With --documents it only stores the bytes of documents
 * again that the databases have. A local state must not be in use.
 */
import './require-node.mjs'
import { stat } from 'node:fs/promises'
import { boundDatabases, fileOf } from './database/bindings.mjs'
import { describeTables } from './database/dump.mjs'
import { exportedStatements } from './database/export-lines.mjs'
import { linesOf } from './database/load.mjs'
import { migrationOf } from './database/older-backup.mjs'
import { releaseOf } from './database/release.mjs'
import { openTarget, requireEmpty } from './database/restore-target.mjs'
import { parseTarget } from './database/target.mjs'
import { openForWriting } from './files/bucket.mjs'
import { copyIn, faultsOf } from './files/copy.mjs'
import { FILE_TABLES, filesNamedIn, folderOf, stillNamed } from './files/stored-files.mjs'
import { ensureStateDirectory } from './local/state-directory.mjs'
import { lockState } from './local/state-lock.mjs'

const say = (text) => process.stdout.write(`${text}\n`)

const COUNTS =
  'SELECT (SELECT count(*) FROM workspaces) AS workspaces, (SELECT count(*) FROM records) AS records'

/**
 * @typedef {object} Part one database of a backup
 * @property {import('./database/target.mjs').Target} target
 * @property {string} file
 * @property {string | undefined} migration the last one that the backup has; undefined when it does not matter
 */

async function requireFile({ file, target: { database } }) {
  const found = await stat(file).catch(() => undefined)
  if (!found) {
    const only = database === 'DB' ? '' : ' If the backup has one database only, name it: --database DB.'
    throw new Error(`There is no file ${file} for ${database}. Nothing was changed.${only}`)
  }
  if (!found.isFile()) throw new Error(`${file} is not a file. Name the SQL file of the backup.`)
}

/** @returns {Promise<Part[]>} */
async function partsOf(file, database, place) {
  const bindings = database === undefined ? boundDatabases(place.environment) : [database]
  const parts = bindings.map((binding) => ({
    target: { ...place, database: binding },
    file: database === undefined ? fileOf(file, binding) : file,
  }))
  for (const part of parts) await requireFile(part)
  return Promise.all(
    parts.map(async (part) => {
      const release = await releaseOf(part.file)
      return { ...part, migration: release?.migration ?? (await migrationOf(part.file)) }
    }),
  )
}

/** Calls `work` with the database of a part. */
async function withTarget({ target }, work) {
  const database = await openTarget(target)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** What a database holds after a fault. A remote one takes the rows in one transaction, a local one in several. */
async function stateAfterFault(database, { target }) {
  const isEmpty =
    target.remote &&
    (await requireEmpty(database, target.database)
      .then(() => true)
      .catch(() => false))
  return isEmpty
    ? `${target.database} is still empty.`
    : `${target.database} holds a part of the backup: delete this database before another attempt.`
}

/** Restores the rows of one database. @returns {Promise<[workspaces: number, records: number]>} */
const restoreRows = (part) =>
  withTarget(part, async (database) => {
    await database.migrate(part.migration)
    try {
      await database.load(part.file)
      await database.migrate()
      await database.listWords()
    } catch (cause) {
      throw new Error(`${cause.message}\n${await stateAfterFault(database, part)}`, { cause })
    }
    const [counts] = await database.read(COUNTS)
    return counts
  })

/**
 * The files of a part whose rows are in the database. A backup of an earlier release may name no columns: the database
 * knows them.
 */
const filesOf = (part) =>
  withTarget(part, async ({ read }) => {
    const tables = await describeTables(read)
    const own = tables.filter(({ name }) => FILE_TABLES.some((table) => table.name === name))
    const files = []
    for await (const file of filesNamedIn(exportedStatements(linesOf(part.file), own))) files.push(file)
    return stillNamed(read, files)
  })

/** Restores the bytes of all files. @throws {Error} naming those that cannot be restored */
async function restoreFiles(place, parts, folder) {
  let files = 0
  const faults = []
  const bucket = await openForWriting(place)
  try {
    for (const part of parts) {
      const copied = await copyIn(await filesOf(part), folder, bucket)
      files += copied.files
      faults.push(...faultsOf(copied))
    }
  } catch (cause) {
    throw new Error(
      `${cause.message}\nThe databases are restored, but not all documents. Run this command again with --documents.`,
      { cause },
    )
  } finally {
    await bucket.close()
  }
  say(`Restored ${files} documents.`)
  if (faults.length === 0) return
  throw new Error(
    `These documents could not be restored, because their bytes in ${folder} are missing or damaged. Everything else is ` +
      `restored.\n${faults.join('\n')}`,
  )
}

async function restoreAllRows(parts) {
  for (const part of parts) {
    await withTarget(part, (database) => requireEmpty(database, part.target.database, part.migration))
  }
  let [workspaces, records] = [0, 0]
  const done = []
  for (const part of parts) {
    try {
      const counts = await restoreRows(part)
      workspaces += counts[0]
      records += counts[1]
      done.push(part.target.database)
    } catch (error) {
      if (done.length > 0) error.message += `\nRestored before it, and to be deleted too: ${done.join(', ')}.`
      throw error
    }
  }
  say(`Restored ${workspaces} workspaces and ${records} records.`)
}

async function restore(place, parts, folder, documentsOnly) {
  if (!documentsOnly) await restoreAllRows(parts)
  await restoreFiles(place, parts, folder)
}

async function main(args) {
  const { file, database, given, ...place } = parseTarget('restore', args, ['documents'])
  const parts = await partsOf(file, database, place)
  const work = () => restore(place, parts, folderOf(file), given.includes('documents'))
  if (place.remote) return work()
  await ensureStateDirectory(place.stateDirectory)
  const unlock = await lockState(place.stateDirectory, 'a restore')
  try {
    await work()
  } finally {
    await unlock()
  }
}

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
