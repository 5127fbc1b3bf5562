/**
 * `npm run restore`: restores a backup of all databases and their documents into new or empty databases. It first
 * restores into temporary databases (trials), so that a truncated or changed backup has no effect. A local state must
 * not be in use. A bucket that is marked by another deployment, such as the one that the backup comes from, is only
 * used with --adopt-bucket. The other deployment can then no longer use it.
 *
 * With --check, it changes nothing: it compares the temporary databases with the service, which may be running.
 */
import path from 'node:path'
import { Option } from 'commander'
import { compare } from './backup/compare.ts'
import { withTrials } from './backup/trial.ts'
import { openDatabase, placeCommand, placeOf } from './database/target.ts'
import { openForWriting } from './files/bucket.ts'
import { claim } from './files/bucket-mark.ts'
import { copyIn, faultsOf, filesInUse, filesOf, folderOf } from './files/files.ts'
import { lockState } from './local/state-directory.mjs'
import { countText, runMain, say } from './script.mjs'

const COUNTS = 'SELECT (SELECT count(*) FROM workspaces) AS workspaces, (SELECT count(*) FROM records) AS records'

/**
 * Fills the databases of a place.
 *
 * @param {import('./database/target.ts').Place} place
 * @param {import('./backup/trial.ts').Trial[]} trials
 */
async function restoreRows(place, trials, say) {
  const destinations = trials.map(({ binding }) => openDatabase(place, binding))
  const done = []
  for (const [index, { binding, rows, copy }] of trials.entries()) {
    try {
      await destinations[index].fill(rows, copy)
    } catch (cause) {
      const before = done.length > 0 ? `\nAlready restored, to be deleted first: ${done.join(', ')}.` : ''
      throw new Error(`${cause.message}\n${binding} was not restored.${before}`, { cause })
    }
    done.push(binding)
  }
  const counts = trials.map(({ rows }) => rows.read(COUNTS)[0])
  const [workspaces, records] = [0, 1].map((column) => counts.reduce((sum, row) => sum + Number(row[column]), 0))
  say(`Restored ${countText(workspaces, 'workspace')} and ${countText(records, 'record')}.`)
}

/** The ID of the deployment with these databases, which marks its bucket. */
async function deploymentOf(place) {
  const [row] = await openDatabase(place, 'DB').readNow('SELECT deployment_id FROM deployment')
  return row?.[0]
}

/** @throws {Error} if the bucket does not belong to the service */
async function claimBucket(place, id, adopt) {
  const bucket = await openForWriting(place)
  try {
    await claim(bucket, id, adopt)
  } finally {
    await bucket.close()
  }
}

/**
 * Restores the bytes of the documents that the databases refer to. @throws {Error} naming those that cannot be restored
 */
async function restoreDocuments(place, trials, folder, say) {
  let files = 0
  const faults = []
  const bucket = await openForWriting(place)
  try {
    for (const { binding, rows } of trials) {
      const { readNow } = openDatabase(place, binding)
      const outcome = await copyIn(await filesInUse(readNow, filesOf(rows)), folder, bucket)
      files += outcome.files
      faults.push(...faultsOf(outcome))
    }
  } catch (cause) {
    throw new Error(
      `${cause.message}\nThe databases are restored, but not all documents. Run this command again with --documents.`,
      { cause },
    )
  } finally {
    await bucket.close()
  }
  say(`Restored ${countText(files, 'document')}.`)
  if (faults.length === 0) return
  throw new Error(
    `These documents could not be restored, because their bytes in ${folder} are missing or damaged. Everything else ` +
      `is restored.\n${faults.join('\n')}`,
  )
}

/**
 * @param {import('./database/target.ts').Place} place
 * @param {string} file of the backup
 * @param {{ documentsOnly?: boolean, adoptBucket?: boolean }} options whether to restore only the bytes of documents,
 *   and to use a bucket of another deployment
 * @throws {Error} also if everything is restored except some documents, which it names
 */
export const restore = (place, file, { documentsOnly, adoptBucket = false }, say) =>
  withTrials(place, file, async (trials) => {
    if (!documentsOnly) for (const { binding } of trials) await openDatabase(place, binding).requireEmpty()
    await claimBucket(place, documentsOnly ? await deploymentOf(place) : undefined, adoptBucket)
    if (!documentsOnly) await restoreRows(place, trials, say)
    await restoreDocuments(place, trials, folderOf(file), say)
  })

/** @param {string} name of the file @param {any} options */
async function main(name, { documents: documentsOnly, adoptBucket, check, ...options }) {
  const [place, file] = [placeOf(options), path.resolve(name)]
  if (check) return compare(place, file, say)
  const unlock = place.remote ? () => undefined : lockState(place.stateDirectory, 'a restore')
  try {
    await restore(place, file, { documentsOnly, adoptBucket }, say)
  } finally {
    unlock()
  }
}

if (process.argv[1] === import.meta.filename)
  await runMain(
    placeCommand('restore', 'Brings a backup into new or empty databases.')
      .option('--documents', 'restore only the bytes of the documents that the databases name')
      .addOption(new Option('--check', 'change nothing: compare the backup with the service').conflicts('documents'))
      .option('--adopt-bucket', 'use a bucket of another deployment, which can use it no more')
      .action(main),
  )
