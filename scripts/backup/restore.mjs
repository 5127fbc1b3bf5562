/** Restores a backup into new or empty databases. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { loadBackup } from '../database/backup-file.mjs'
import { openSqlite } from '../database/sqlite.mjs'
import { openDatabase, partsOf } from '../database/target.mjs'
import { openForWriting } from '../files/bucket.mjs'
import { copyIn, faultsOf, filesOf, folderOf, stillNamed } from '../files/files.mjs'
import { withDirectory } from '../temporary-directory.mjs'

const COUNTS = 'SELECT (SELECT count(*) FROM workspaces) AS workspaces, (SELECT count(*) FROM records) AS records'

/**
 * A backup in a temporary database of this machine, which is brought up to this release.
 *
 * @typedef {object} Trial
 * @property {string} binding of the database in `wrangler.toml`
 * @property {import('../database/sqlite.mjs').Sqlite} rows
 * @property {string} copy its file
 */

async function requireFile({ binding, file }) {
  const entry = await stat(file).catch(() => undefined)
  if (!entry) {
    const only = binding === 'DB' ? '' : ' If the backup has one database only, name it: --database DB.'
    throw new Error(`There is no file ${file} for ${binding}. Nothing was changed.${only}`)
  }
  if (!entry.isFile()) throw new Error(`${file} is not a file. Name the SQL file of the backup.`)
}

/**
 * @template T
 * @param {import('../database/target.mjs').Place} place
 * @param {string} file of the backup
 * @param {string | undefined} database only this one
 * @param {(trials: Trial[]) => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {Error} when a file is missing, was cut or changed, or is of another release
 */
export async function withTrials(place, file, database, work) {
  const parts = partsOf(place, file, database)
  for (const part of parts) await requireFile(part)
  return withDirectory(async (directory) => {
    const trials = []
    try {
      for (const { binding, file: part } of parts) {
        const copy = path.join(directory, `${binding}.sqlite`)
        const rows = openSqlite(copy)
        trials.push({ binding, rows, copy })
        await loadBackup(rows, part)
      }
      return await work(trials)
    } finally {
      for (const { rows } of trials) rows.close()
    }
  })
}

/**
 * Fills the databases of a place.
 *
 * @param {import('../database/target.mjs').Place} place
 * @param {Trial[]} trials
 */
async function restoreRows(place, trials, say) {
  const destinations = trials.map(({ binding }) => openDatabase(place, binding))
  for (const destination of destinations) await destination.requireEmpty()
  const done = []
  for (const [index, { binding, rows, copy }] of trials.entries()) {
    try {
      await destinations[index].fill(rows, copy)
    } catch (cause) {
      const before = done.length > 0 ? `\nRestored before it, and to be deleted too: ${done.join(', ')}.` : ''
      throw new Error(`${cause.message}\n${binding} was not restored.${before}`, { cause })
    }
    done.push(binding)
  }
  const counts = trials.map(({ rows }) => rows.read(COUNTS)[0])
  const [workspaces, records] = [0, 1].map((column) => counts.reduce((sum, row) => sum + row[column], 0))
  say(`Restored ${workspaces} workspaces and ${records} records.`)
}

/** Restores the bytes of all files. @throws {Error} naming those that cannot be restored */
async function restoreFiles(place, trials, folder, say) {
  let files = 0
  const faults = []
  const bucket = await openForWriting(place)
  try {
    for (const { binding, rows } of trials) {
      const { readNow } = openDatabase(place, binding)
      const copied = await copyIn(await stillNamed(readNow, filesOf(rows)), folder, bucket)
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
    `These documents could not be restored, because their bytes in ${folder} are missing or damaged. Everything else ` +
      `is restored.\n${faults.join('\n')}`,
  )
}

/**
 * @param {import('../database/target.mjs').Place} place
 * @param {string} file
 * @param {{ database?: string, documentsOnly?: boolean }} options only one database; only the bytes of files
 * @param {(text: string) => void} say
 * @throws {Error} also when everything is restored except some files, which it names
 */
export const restore = (place, file, { database, documentsOnly }, say) =>
  withTrials(place, file, database, async (trials) => {
    if (!documentsOnly) await restoreRows(place, trials, say)
    await restoreFiles(place, trials, folderOf(file), say)
  })
