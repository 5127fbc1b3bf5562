/** A backup, restored into temporary databases of this machine and brought up to this release. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { loadBackup } from '../database/backup-file.mjs'
import { openSqlite, withDirectory } from '../database/sqlite.mjs'
import { partsOf } from '../database/target.mjs'

/**
 * @typedef {object} Trial
 * @property {string} binding of the database in `wrangler.toml`
 * @property {import('../database/sqlite.mjs').Sqlite} rows
 * @property {string} copy its file
 */

async function requireFile({ binding, file }) {
  const found = await stat(file).catch(() => undefined)
  if (!found) {
    const only = binding === 'DB' ? '' : ' If the backup has one database only, name it: --database DB.'
    throw new Error(`There is no file ${file} for ${binding}. Nothing was changed.${only}`)
  }
  if (!found.isFile()) throw new Error(`${file} is not a file. Name the SQL file of the backup.`)
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
