/** Restores a backup into new or empty databases. */
import { openTarget, requireEmpty, restoreRows } from '../database/restore-target.mjs'
import { openForWriting } from '../files/bucket.mjs'
import { copyIn, faultsOf } from '../files/copy.mjs'
import { filesOf, folderOf } from '../files/stored-files.mjs'
import { writtenParts } from './parts.mjs'

const COUNTS =
  'SELECT (SELECT count(*) FROM workspaces) AS workspaces, (SELECT count(*) FROM records) AS records'

/**
 * Opens the database of each part and calls `work` with them.
 *
 * @param {Awaited<ReturnType<typeof writtenParts>>} parts
 */
async function withTargets(parts, work) {
  const opened = []
  try {
    for (const part of parts) opened.push({ ...part, database: await openTarget(part.target) })
    return await work(opened)
  } finally {
    for (const { database } of opened) await database.close()
  }
}

/** What a database holds after a fault. A remote one takes the rows in one transaction, a local one in several. */
async function stateAfterFault({ target, database }) {
  const isEmpty =
    target.remote &&
    (await requireEmpty(database, target.database)
      .then(() => true)
      .catch(() => false))
  return isEmpty
    ? `${target.database} is still empty.`
    : `${target.database} holds a part of the backup: delete this database before another attempt.`
}

async function restoreAllRows(opened, say) {
  for (const { target, database, migration } of opened)
    await requireEmpty(database, target.database, migration)
  const done = []
  let [workspaces, records] = [0, 0]
  for (const part of opened) {
    try {
      await restoreRows(part.database, part.file, part.migration)
      const [counts] = await part.database.read(COUNTS)
      workspaces += counts[0]
      records += counts[1]
      done.push(part.target.database)
    } catch (cause) {
      const before = done.length > 0 ? `\nRestored before it, and to be deleted too: ${done.join(', ')}.` : ''
      throw new Error(`${cause.message}\n${await stateAfterFault(part)}${before}`, { cause })
    }
  }
  say(`Restored ${workspaces} workspaces and ${records} records.`)
}

/** Restores the bytes of all files. @throws {Error} naming those that cannot be restored */
async function restoreFiles(place, opened, folder, say) {
  let files = 0
  const faults = []
  const bucket = await openForWriting(place)
  try {
    for (const { file, database } of opened) {
      const copied = await copyIn(await filesOf(file, database.read), folder, bucket)
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
 * @param {Omit<import('../database/target.mjs').Target, 'database'>} place
 * @param {string} file
 * @param {{ database?: string, documentsOnly?: boolean }} options only one database; only the bytes of files
 * @param {(text: string) => void} say
 * @throws {Error} also when everything is restored except some files, which it names
 */
export async function restore(place, file, { database, documentsOnly }, say) {
  await withTargets(await writtenParts(place, file, database), async (opened) => {
    if (!documentsOnly) await restoreAllRows(opened, say)
    await restoreFiles(place, opened, folderOf(file), say)
  })
}
