/** Compares a backup with a service, which is read as a backup reads it. */
import { openDatabase } from '../database/target.mjs'
import { digestOf, unitsIn, workspacesIn } from '../database/units.ts'
import { openForReading } from '../files/bucket.mjs'
import { faultsOf, filesInUse, filesOf, folderOf, readIn, verify } from '../files/files.mjs'
import { countText } from '../script.mjs'
import { withTrials } from './trial.mjs'

/** What is different about the rows of a unit, if anything is. */
function difference(name, backup, service) {
  if (backup.digest === service.digest) return []
  return backup.rows === service.rows
    ? [`${name}: ${countText(backup.rows, 'row')} in both, and not the same`]
    : [`${name}: ${countText(backup.rows, 'row')} in the backup, ${service.rows.toLocaleString('en')} in the service`]
}

/**
 * Compares the rows of one database. Ids of catalogs may differ.
 *
 * @param {import('../database/sqlite.mjs').Sqlite} backup
 * @param {import('../database/units.ts').Run} query runs a statement in the database of the service
 * @param {string[]} workspaces those of the database
 * @returns {Promise<{ count: number, different: string[] }>} how many rows the backup has
 */
async function compareRows(backup, query, binding, workspaces) {
  const units = await unitsIn(query)
  const named = [
    ...(binding === 'DB' ? units.control.map((unit) => ({ name: unit.name, unit })) : []),
    ...workspaces.flatMap((id) => units.of(id).map((unit) => ({ name: `${id}: ${unit.name}`, unit }))),
  ]
  const different = []
  let count = 0
  for (const { name, unit } of named) {
    const [ours, theirs] = [await digestOf(backup.query, unit), await digestOf(query, unit)]
    count += ours.rows
    different.push(...difference(`${binding}: ${name}`, ours, theirs))
  }
  return { count, different }
}

/** Compares one database and its files. @returns {Promise<string[]>} what is different */
const comparePart = (place, { binding, rows }, workspaces, folder, bucket, say) => {
  const service = openDatabase(place, binding)
  return service.withQueries(async (query) => {
    const { count, different } = await compareRows(rows, query, binding, workspaces)
    const files = filesOf(rows)
    const inBackup = await verify(files, readIn(folder))
    // One that was deleted since has no bytes to compare. Its table is different.
    const inService = await verify(await filesInUse(service.readNow, files), ({ key }) => bucket.get(key))
    say(
      `${binding}: ${countText(count, 'row')} of ${countText(workspaces.length, 'workspace')} compared, and the bytes ` +
        `of ${countText(files.length, 'document')}.`,
    )
    return [...different, ...faultsOf(inBackup, 'backup'), ...faultsOf(inService, 'service')]
  })
}

/**
 * Changes nothing.
 *
 * @param {import('../database/target.mjs').Place} place of the service
 * @param {string} file of the backup
 * @throws {Error} naming what is different
 */
export const compare = (place, file, say) =>
  withTrials(place, file, async (trials) => {
    const bucket = await openForReading(place)
    const different = []
    try {
      for (const trial of trials) {
        const workspaces = workspacesIn(trials[0].rows, trial.binding)
        different.push(...(await comparePart(place, trial, workspaces, folderOf(file), bucket, say)))
      }
    } finally {
      await bucket.close()
    }
    if (different.length > 0) throw new Error(`The service differs from the backup:\n${different.join('\n')}`)
    say('The service is the same as the backup.')
  })
