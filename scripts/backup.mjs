/**
 * `npm run backup`: writes the rows of every bound D1 database as SQL, for `npm run restore`. The rows of `DB` are in
 * FILE, those of `DB_2` in FILE with `.DB_2` before its extension, and so on. The documents' bytes are in a folder:
 * FILE with the extension `.files`.
 *
 * The service continues to run. The databases of a local service are copied first.
 */
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { NewSet } from './backup/new-set.ts'
import { partName, writeBackup } from './database/backup-file.ts'
import { openDatabase, partsOf, placeCommand, placeOf } from './database/target.ts'
import { PLACES } from './database/units.ts'
import { openForReading } from './files/bucket.ts'
import { backUpFiles, faultsOf, folderOf } from './files/files.ts'
import { countText, runMain, say } from './script.mjs'

/**
 * Backs up one database after another, each before its files, so that the bytes of every row are in the backup. The
 * first one, `DB`, contains the list of workspaces.
 *
 * @param {(name: string) => string} unfinished returns the path to write a file or folder to
 * @returns {Promise<{ files: number, faults: string[], places: any[][] }>} `places` contains the database of each
 *   workspace
 */
async function writeAll(place, parts, folder, unfinished) {
  const faults = []
  const time = new Date().toISOString()
  let files = 0
  /** @type {any[][] | undefined} */
  let places
  await mkdir(unfinished(folder), { recursive: true, mode: 0o700 })
  const bucket = await openForReading(place)
  try {
    for (const { binding, file } of parts) {
      const { withCopy, readNow } = openDatabase(place, binding)
      const workspaces = places?.filter(([, database]) => database === binding).map(([id]) => id)
      await withCopy(async (rows) => {
        places ??= rows.read(PLACES)
        const outcome = await backUpFiles(rows, readNow, bucket, unfinished(folder))
        files += outcome.files
        faults.push(...faultsOf(outcome))
        await writeBackup(rows, unfinished(file), partName(binding, parts, time))
      }, workspaces)
    }
  } finally {
    await bucket.close()
  }
  return { files, faults, places: places ?? [] }
}

const readWorkspaces = (place, sql) => openDatabase(place, 'DB').readNow(sql)

/**
 * @throws {Error} during a move of a workspace: databases are read one after another, so it could be in two files or
 *   none
 */
async function requireNoMove(place) {
  if ((await readWorkspaces(place, 'SELECT workspace_id FROM workspaces WHERE move_target IS NOT NULL')).length > 0)
    throw new Error('A workspace is being moved to another database. Finish the move, then run this command again.')
}

/** @throws {Error} if a workspace is in another database now */
async function requireSamePlaces(place, places) {
  const now = new Map(/** @type {[string, string][]} */ (await readWorkspaces(place, PLACES)))
  if (places.every(([id, binding]) => (now.get(id) ?? binding) === binding)) return
  throw new Error(
    'A workspace was moved to another database in the meantime, so nothing was written. Run the command again.',
  )
}

const isFolder = async (file) => (await stat(file).catch(() => undefined))?.isDirectory() === true

async function requireFolderFor(file) {
  const directory = path.dirname(file)
  if (!(await isFolder(directory)))
    throw new Error(`The folder ${directory} does not exist. Create it, then run the backup again.`)
  if (await isFolder(file))
    throw new Error(`${file} is a folder. Name a file, such as ${path.join(file, 'catalog.sql')}.`)
}

/**
 * @param {import('./database/target.ts').Place} place
 * @throws {Error} also after a complete backup, if the service has lost the bytes of files; names these files
 */
export async function backUp(place, file, say) {
  await requireFolderFor(file)
  const parts = partsOf(place, file)
  const folder = folderOf(file)
  const set = new NewSet([...parts.map((part) => part.file), folder])
  for (const name of set.leftovers())
    say(`${name} is a leftover of a run that was killed. If your last backup is complete, delete it.`)
  await set.write(async () => {
    await requireNoMove(place)
    const { files, faults, places } = await writeAll(place, parts, folder, set.unfinished)
    await requireSamePlaces(place, places)
    set.put()
    for (const part of parts) say(`Wrote ${part.file}: the rows of ${part.binding}.`)
    say(`Wrote ${folder}: ${countText(files, 'document')}.`)
    if (faults.length === 0) return
    throw new Error(
      `The backup is complete except for these documents, whose bytes the service has lost:\n${faults.join('\n')}`,
    )
  })
}

const backup = placeCommand('backup', 'Writes the rows and the documents of a service to files, for npm run restore.')

if (process.argv[1] === import.meta.filename)
  await runMain(backup.action((file, options) => backUp(placeOf(options), path.resolve(file), say)))
