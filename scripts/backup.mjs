/**
 * `npm run backup -- [--local|--remote] [--env NAME] [--persist-to DIR] FILE`: writes the rows of every bound D1
 * database as SQL, for `npm run restore`. Those of `DB` are in FILE, those of `DB_2` in FILE with `.DB_2` before its
 * extension, and so on. The bytes of documents are in a folder: FILE with `.files` in place of its extension.
 *
 * The local state is copied first, so that a running service and the backup do not block each other.
 */
import './require-node.mjs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { partName, writeBackup } from './database/backup-file.mjs'
import { openDatabase, parseTarget, partsOf } from './database/target.mjs'
import { openForReading } from './files/bucket.mjs'
import { backUpFiles, faultsOf, folderOf } from './files/files.mjs'
import { countText, runMain, say } from './script.mjs'
import { removeAfter } from './temporary-directory.mjs'

/** How many workspaces are being moved, and which database each is in. */
const PLACES = `SELECT count(move_target) AS under_way,
  json_group_array(json_array(workspace_id, database_binding) ORDER BY workspace_id) AS places FROM workspaces`

const unfinished = (file) => `${file}.unfinished`

/**
 * Backs up databases, one after another, each before its files, so that the bytes of every row are there.
 *
 * @returns {Promise<{ files: number, faults: string[] }>}
 */
async function writeAll(place, parts, folder) {
  const faults = []
  const time = new Date().toISOString()
  let files = 0
  await mkdir(unfinished(folder), { recursive: true, mode: 0o700 })
  const bucket = await openForReading(place)
  try {
    for (const { binding, file } of parts) {
      const { withCopy, readNow } = openDatabase(place, binding)
      await withCopy(async (rows) => {
        const outcome = await backUpFiles(rows, readNow, bucket, unfinished(folder))
        files += outcome.files
        faults.push(...faultsOf(outcome))
        await writeBackup(rows, unfinished(file), partName(binding, parts, time))
      })
    }
  } finally {
    await bucket.close()
  }
  return { files, faults }
}

/**
 * A workspace that moves while databases are read one after another could be in no file or in two files.
 *
 * @returns {Promise<() => Promise<void>>} throws when a workspace was moved since this call
 */
async function watchMoves(place) {
  const { readNow } = openDatabase(place, 'DB')
  const [[underWay, before]] = await readNow(PLACES)
  if (underWay > 0)
    throw new Error('A workspace is being moved to another database. Finish the move, then run this command again.')
  return async () => {
    const [[, after]] = await readNow(PLACES)
    if (after === before) return
    throw new Error(
      'A workspace was moved to another database in the meantime, so nothing was written. Run the command again.',
    )
  }
}

const isFolder = async (file) => (await stat(file).catch(() => undefined))?.isDirectory() === true

async function requireFolderFor(file) {
  const directory = path.dirname(file)
  if (!(await isFolder(directory))) throw new Error(`There is no folder ${directory} for the backup. Make it first.`)
  if (await isFolder(file))
    throw new Error(`${file} is a folder. Name a file, such as ${path.join(file, 'catalog.sql')}.`)
}

/**
 * @param {import('./database/target.mjs').Place} place
 * @throws {Error} also after a complete backup, with the files whose bytes the service has lost
 */
export async function backUp(place, file, say) {
  await requireFolderFor(file)
  const parts = partsOf(place, file)
  const folder = folderOf(file)
  const names = [...parts.map((part) => part.file), folder]
  await removeAfter(names.map(unfinished), async () => {
    const requireNoMove = await watchMoves(place)
    const { files, faults } = await writeAll(place, parts, folder)
    await requireNoMove()
    await rm(folder, { recursive: true, force: true })
    for (const part of parts) await rename(unfinished(part.file), part.file)
    await rename(unfinished(folder), folder)
    for (const part of parts) say(`Wrote ${part.file}: the rows of ${part.binding}.`)
    say(`Wrote ${folder}: ${countText(files, 'document')}.`)
    if (faults.length === 0) return
    throw new Error(
      `The backup is complete except for these documents, whose bytes the service has lost:\n${faults.join('\n')}`,
    )
  })
}

async function main(args) {
  const { place, file } = parseTarget('backup', args)
  await backUp(place, file, say)
}

if (process.argv[1] === import.meta.filename) await runMain(main)
