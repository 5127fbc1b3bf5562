/**
 * The SQL files of a backup, one for each database.
 *
 * @typedef {object} Part
 * @property {import('../database/target.mjs').Target} target
 * @property {string} file
 */
import { stat } from 'node:fs/promises'
import { boundDatabases, fileOf } from '../database/bindings.mjs'
import { migrationOf } from '../database/older-backup.mjs'
import { releaseOf } from '../database/release.mjs'

/**
 * @param {Omit<import('../database/target.mjs').Target, 'database'>} place
 * @param {string | undefined} database only this one, with the file itself
 * @returns {Part[]}
 */
export const partsOf = (place, file, database) =>
  (database === undefined ? boundDatabases(place.environment) : [database]).map((binding) => ({
    target: { ...place, database: binding },
    file: database === undefined ? fileOf(file, binding) : file,
  }))

async function requireFile({ file, target: { database } }) {
  const found = await stat(file).catch(() => undefined)
  if (!found) {
    const only = database === 'DB' ? '' : ' If the backup has one database only, name it: --database DB.'
    throw new Error(`There is no file ${file} for ${database}. Nothing was changed.${only}`)
  }
  if (!found.isFile()) throw new Error(`${file} is not a file. Name the SQL file of the backup.`)
}

/**
 * The files of a backup that exists.
 *
 * @returns {Promise<(Part & { migration: string | undefined })[]>} with the last migration of each; undefined when it does
 *   not matter
 */
export async function writtenParts(place, file, database) {
  const parts = partsOf(place, file, database)
  for (const part of parts) await requireFile(part)
  return Promise.all(
    parts.map(async (part) => ({
      ...part,
      migration: (await releaseOf(part.file))?.migration ?? (await migrationOf(part.file)),
    })),
  )
}
