/**
 * `npm run restore -- [--local|--remote] [--env NAME] [--persist-to DIR] [--database BINDING] FILE`: loads a backup of
 * all databases with their documents, or of one, into new or empty databases. It applies the migrations that the backup
 * had, loads the rows, and then applies the others. A local state must not be in use.
 */
import { stat } from 'node:fs/promises'
import { boundDatabases, fileOf } from './database/bindings.mjs'
import { describeTables } from './database/dump.mjs'
import { exportedStatements } from './database/export-lines.mjs'
import { linesOf } from './database/load.mjs'
import { releaseOf } from './database/release.mjs'
import { openTarget, requireEmpty } from './database/restore-target.mjs'
import { parseTarget } from './database/target.mjs'
import { openForWriting } from './files/bucket.mjs'
import { copyIn, faultsOf } from './files/copy.mjs'
import { FILE_TABLES, filesNamedIn, folderOf } from './files/stored-files.mjs'
import { ensureStateDirectory } from './local/state-directory.mjs'
import { lockState } from './local/state-lock.mjs'

const COUNTS =
  'SELECT (SELECT count(*) FROM workspaces) AS workspaces, (SELECT count(*) FROM records) AS records'

/**
 * @typedef {object} Part one database of a backup
 * @property {import('./database/target.mjs').Target} target
 * @property {string} file
 * @property {string | undefined} migration the last one that the backup has, if it says so
 */

async function requireFile(file) {
  const found = await stat(file).catch(() => undefined)
  if (!found) throw new Error(`There is no file ${file}. Nothing was changed.`)
  if (!found.isFile()) throw new Error(`${file} is not a file. Name the SQL file of the backup.`)
}

/** @returns {Promise<Part[]>} */
async function partsOf(file, database, place) {
  const bindings = database === undefined ? boundDatabases(place.environment) : [database]
  const parts = bindings.map((binding) => ({
    target: { ...place, database: binding },
    file: database === undefined ? fileOf(file, binding) : file,
  }))
  for (const part of parts) await requireFile(part.file)
  return Promise.all(
    parts.map(async (part) => ({ ...part, migration: (await releaseOf(part.file))?.migration })),
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

/** Restores the rows of one database. @returns {Promise<[workspaces: number, records: number]>} */
const restoreRows = (part) =>
  withTarget(part, async (database) => {
    await database.migrate(part.migration)
    try {
      await database.load(part.file)
      await database.migrate()
      await database.listWords()
    } catch (cause) {
      throw new Error(
        `${cause.message}\n${part.target.database} holds a part of the backup: delete this database before another attempt.`,
        { cause },
      )
    }
    const [counts] = await database.read(COUNTS)
    return counts
  })

/** The files that a part names. A backup of an earlier release may name no columns: the database knows them. */
async function namedBy(part) {
  const tables = await withTarget(part, ({ read }) => describeTables(read))
  const own = tables.filter(({ name }) => FILE_TABLES.some((table) => table.name === name))
  return filesNamedIn(exportedStatements(linesOf(part.file), own))
}

/** Restores the bytes of all files. @returns how many, and what is wrong with the others */
async function restoreFiles(place, parts, folder) {
  const bucket = await openForWriting(place)
  try {
    let files = 0
    const faults = []
    for (const part of parts) {
      const copied = await copyIn(await namedBy(part), folder, bucket)
      files += copied.files
      faults.push(...faultsOf(copied))
    }
    return { files, faults }
  } finally {
    await bucket.close()
  }
}

async function restore(place, parts, folder) {
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
  const { files, faults } = await restoreFiles(place, parts, folder).catch((cause) => {
    throw new Error(
      `${cause.message}\nAll databases are restored, and not all documents. Run the command again with --documents.`,
      { cause },
    )
  })
  process.stdout.write(`Restored ${workspaces} workspaces, ${records} records and ${files} documents.\n`)
  if (faults.length === 0) return
  throw new Error(
    `These documents could not be restored, because their bytes in ${folder} are missing or damaged. Everything else is ` +
      `restored.\n${faults.join('\n')}`,
  )
}

async function main(args) {
  const { file, database, ...place } = parseTarget('restore', args)
  const parts = await partsOf(file, database, place)
  if (place.remote) return restore(place, parts, folderOf(file))
  await ensureStateDirectory(place.stateDirectory)
  const unlock = await lockState(place.stateDirectory, 'a restore')
  try {
    await restore(place, parts, folderOf(file))
  } finally {
    await unlock()
  }
}

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
