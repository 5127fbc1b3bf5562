/** A backup that is tried on this machine, before a service is changed or compared with it. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { loadBackup } from '../database/backup-file.mjs'
import { openSqlite } from '../database/sqlite.mjs'
import { partsOf } from '../database/target.mjs'
import { withDirectory } from '../temporary-directory.mjs'

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
  if (!entry) throw new Error(`There is no file ${file} for ${binding}. Nothing was changed.`)
  if (!entry.isFile()) throw new Error(`${file} is not a file. Name the SQL file of the backup.`)
}

/**
 * @template T
 * @param {import('../database/target.mjs').Place} place
 * @param {string} file of the backup
 * @param {(trials: Trial[]) => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {Error} when a file is missing, was cut or changed, or is of another release
 */
export async function withTrials(place, file, work) {
  const parts = partsOf(place, file)
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
