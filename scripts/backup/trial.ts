/** A backup that is tried on this machine, before a service is changed or compared with it. */
import path from 'node:path'
import { loadBackup, partName } from '../database/backup-file.mjs'
import { openSqlite } from '../database/sqlite.mjs'
import { isFile, partsOf } from '../database/target.mjs'
import { withDirectory } from '../temporary-directory.mjs'

/**
 * A backup in a temporary database of this machine, which is brought up to this release; `copy` is the file of `rows`.
 *
 * @typedef {{ binding: string, rows: import('../database/sqlite.mjs').Sqlite, copy: string }} Trial
 */

/**
 * @template T
 * @param {import('../database/target.mjs').Place} place
 * @param {string} file of the backup
 * @param {(trials: Trial[]) => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {Error} when a file is missing, was cut or changed, is of another backup or release, or one more is needed
 */
export async function withTrials(place, file, work) {
  const parts = partsOf(place, file)
  for (const { binding, file: part } of parts)
    if (!(await isFile(part))) throw new Error(`There is no file ${part} for ${binding}. Nothing was changed.`)
  return withDirectory(async (directory) => {
    const trials = []
    let time
    try {
      for (const { binding, file: part } of parts) {
        const copy = path.join(directory, `${binding}.sqlite`)
        const rows = openSqlite(copy)
        trials.push({ binding, rows, copy })
        const name = await loadBackup(rows, part)
        time ??= name?.split(' at ')[1]
        const wanted = partName(binding, parts, time)
        if (name !== wanted)
          throw new Error(`${part} is ${name}, and should be ${wanted}. Nothing was changed. See docs/backups.md.`)
      }
      return await work(trials)
    } finally {
      for (const { rows } of trials) rows.close()
    }
  })
}
