/** Restores a backup into new or empty databases. */
import { openDestination } from '../database/target.mjs'
import { openForWriting } from '../files/bucket.mjs'
import { copyIn, faultsOf, filesOf, folderOf, stillNamed } from '../files/files.mjs'
import { withTrials } from './trial.mjs'

const COUNTS = 'SELECT (SELECT count(*) FROM workspaces) AS workspaces, (SELECT count(*) FROM records) AS records'

/**
 * Fills the databases of a place.
 *
 * @param {import('../database/target.mjs').Place} place
 * @param {import('./trial.mjs').Trial[]} trials
 */
async function restoreRows(place, trials, say) {
  const destinations = trials.map(({ binding }) => openDestination(place, binding))
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
      const { readNow } = openDestination(place, binding)
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
    `These documents could not be restored, because their bytes in ${folder} are missing or damaged. Everything else is ` +
      `restored.\n${faults.join('\n')}`,
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
