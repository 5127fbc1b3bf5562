/** Compares a backup with a service, which is read as a backup reads it. */
import { digestsOf } from '../database/dump.mjs'
import { migrate } from '../database/migrate.mjs'
import { openDatabase } from '../database/target.mjs'
import { openForReading } from '../files/bucket.mjs'
import { faultsOf, filesInUse, filesOf, folderOf, readIn, verify } from '../files/files.mjs'
import { countText } from '../script.mjs'
import { withTrials } from './trial.mjs'

/** @returns {string[]} what is different, table by table */
const differences = (backup, service) =>
  [...backup].flatMap(([table, { rows, digest }]) => {
    const other = service.get(table)
    if (other.digest === digest) return []
    return other.rows === rows
      ? [`${table}: ${countText(rows, 'row')} in both, and not the same`]
      : [`${table}: ${countText(rows, 'row')} in the backup, ${other.rows.toLocaleString('en')} in the service`]
  })

/** Compares one database and its files. @returns {Promise<string[]>} what is different */
const comparePart = (place, { binding, rows }, folder, bucket, say) =>
  openDatabase(place, binding).withCopy(async (service) => {
    await migrate(service, binding)
    const [ours, theirs] = [digestsOf(rows), digestsOf(service)]
    const files = filesOf(rows)
    const inBackup = await verify(files, readIn(folder))
    // One that was deleted since has no bytes to compare. Its table is different.
    const inService = await verify(await filesInUse(service.read, files), ({ key }) => bucket.get(key))
    const total = [...ours.values()].reduce((sum, table) => sum + table.rows, 0)
    say(
      `${binding}: ${countText(ours.size, 'table')} with ${countText(total, 'row')} compared, and the bytes of ` +
        `${countText(files.length, 'document')}.`,
    )
    return [
      ...differences(ours, theirs).map((text) => `${binding}: ${text}`),
      ...faultsOf(inBackup, 'backup'),
      ...faultsOf(inService, 'service'),
    ]
  })

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
      for (const trial of trials) different.push(...(await comparePart(place, trial, folderOf(file), bucket, say)))
    } finally {
      await bucket.close()
    }
    if (different.length > 0) throw new Error(`The service is not as in the backup:\n${different.join('\n')}`)
    say('The service is as in the backup.')
  })
