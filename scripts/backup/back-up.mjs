/** Makes a backup: the rows of databases as SQL, and the bytes of the files that these rows name. */
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { backUpRows, readNow } from '../database/backup-sql.mjs'
import { openForReading } from '../files/bucket.mjs'
import { backUpFiles, faultsOf } from '../files/copy.mjs'
import { folderOf } from '../files/stored-files.mjs'
import { partsOf } from './parts.mjs'

/** Moves of workspaces between databases: how many are under way, and a number that grows with each. */
const MOVES = `SELECT count(*) FILTER (WHERE step <> 'done') AS under_way,
  coalesce(sum(generation), 0) AS generations FROM workspace_moves`

const unfinished = (file) => `${file}.unfinished`

/**
 * Backs up databases, one after another, and then their files, so that the bytes of every row are there.
 *
 * @param {import('./parts.mjs').Part[]} parts
 */
async function writeAll(place, parts, folder, check, say) {
  const faults = []
  const tables = new Map()
  for (const { target, file } of parts) tables.set(file, await backUpRows(target, unfinished(file)))
  await mkdir(unfinished(folder), { recursive: true, mode: 0o700 })
  const bucket = await openForReading(place)
  let files = 0
  try {
    for (const { target, file } of parts) {
      const copied = await backUpFiles(
        (query) => readNow(target, query),
        unfinished(file),
        bucket,
        unfinished(folder),
      )
      files += copied.files
      faults.push(...faultsOf(copied))
    }
  } finally {
    await bucket.close()
  }
  await check()
  await rm(folder, { recursive: true, force: true })
  for (const { file } of parts) await rename(unfinished(file), file)
  await rename(unfinished(folder), folder)
  for (const [file, names] of tables) say(`Wrote ${file}: ${names.join(', ')}.`)
  say(`Wrote ${folder}: ${files} ${files === 1 ? 'document' : 'documents'}.`)
  return faults
}

/**
 * A workspace that moves while databases are read one after another could be in no file or in two files.
 *
 * @returns {Promise<() => Promise<void>>} throws when a workspace was moved since this call
 */
async function watchMoves(place) {
  const control = { ...place, database: 'DB' }
  const [[underWay, before]] = await readNow(control, MOVES)
  if (underWay > 0) {
    throw new Error(
      'A workspace is being moved to another database. Finish the move, then run this command again.',
    )
  }
  return async () => {
    const [[, after]] = await readNow(control, MOVES)
    if (after === before) return
    throw new Error(
      'A workspace was moved to another database in the meantime, so nothing was written. Run the command again.',
    )
  }
}

async function requireFolderFor(file) {
  const directory = path.dirname(file)
  const found = await stat(directory).catch(() => undefined)
  if (!found?.isDirectory()) throw new Error(`There is no folder ${directory} for the backup. Make it first.`)
  if ((await stat(file).catch(() => undefined))?.isDirectory())
    throw new Error(`${file} is a folder. Name a file, such as ${path.join(file, 'catalog.sql')}.`)
}

/**
 * Leaves nothing unfinished behind.
 *
 * @param {Omit<import('../database/target.mjs').Target, 'database'>} place
 * @param {string} file
 * @param {string | undefined} database only this one
 * @param {(text: string) => void} say
 * @throws {Error} also after a complete backup, with the files whose bytes the service has lost
 */
export async function backUp(place, file, database, say) {
  await requireFolderFor(file)
  const parts = partsOf(place, file, database)
  const folder = folderOf(file)
  const check = database === undefined ? await watchMoves(place) : async () => undefined
  try {
    const faults = await writeAll(place, parts, folder, check, say)
    if (faults.length === 0) return
    throw new Error(
      `The backup is complete except for these documents, whose bytes the service has lost:\n${faults.join('\n')}`,
    )
  } finally {
    for (const name of [...parts.map((part) => part.file), folder]) {
      await rm(unfinished(name), { recursive: true, force: true })
    }
  }
}
