/** The files of the local simulator: where they are, and how they are copied while a service uses them. */
import { createHash, createHmac } from 'node:crypto'
import { copyFile, open, rm } from 'node:fs/promises'
import path from 'node:path'

/** The name that the local simulator uses for D1 databases. */
const OBJECT = 'miniflare-D1DatabaseObject'

/** The file of one of the simulator's objects below the directory of local resources, as Miniflare names it. */
export function objectFile(directory, kind, object, id) {
  const key = createHash('sha256').update(object).digest()
  const digest = (data) => createHmac('sha256', key).update(data).digest().subarray(0, 16)
  const name = digest(id)
  return path.join(directory, kind, object, `${Buffer.concat([name, digest(name)]).toString('hex')}.sqlite`)
}

/** The file of a database below the directory of local resources. */
export const databaseFile = (directory, databaseId) => objectFile(directory, 'd1', OBJECT, databaseId)

/** The directory in which the local service keeps its resources: databases, buckets and the rest. */
export const localResources = (stateDirectory) => path.join(stateDirectory, 'v3')

/**
 * Starts a separate runtime, without the service.
 *
 * @param {string} directory of local resources
 * @param {any} options of Miniflare
 * @returns {Promise<import('miniflare').Miniflare>}
 */
export async function openSimulator(directory, options) {
  // Imported here, because it takes a second and a remote database does not need it.
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare')
  const resourcePersistencePath = path.resolve(directory)
  return new Miniflare(
    convertV4MiniflareOptions({ compatibilityDate: '2026-08-03', resourcePersistencePath, ...options }),
  )
}

/** Bytes of the header of a write-ahead log. It holds salts that change each time the log starts again. */
const WAL_HEADER_BYTES = 32
/** Most attempts, when the log starts again during each copy. */
const ATTEMPTS = 20

/** The header of a database's log; empty when there is none. */
async function walHeader(file) {
  let handle
  try {
    handle = await open(`${file}-wal`)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(WAL_HEADER_BYTES), 0, WAL_HEADER_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  } finally {
    await handle?.close()
  }
}

async function copyIfThere(source, target) {
  await rm(target, { force: true })
  await copyFile(source, target).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
}

/**
 * Copies a SQLite database in WAL mode while another process uses it, without a lock, so that neither blocks the
 * other.
 *
 * Pages reach the database file only from the log, and the log starts again only after all its pages are in the file.
 * So while its header stays the same, every page that was written into the database file during the copy is also in
 * the log. The log is copied after the file and overrides it. The last transaction in the copied log may be cut off;
 * SQLite ignores such a transaction (SQLite, "WAL-mode File Format").
 *
 * @param {string} file the database
 * @param {string} target where the copy goes; its log goes beside it
 * @throws {Error} when the log started again during every attempt
 */
export async function snapshot(file, target) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await walHeader(file)
    await copyFile(file, target)
    await copyIfThere(`${file}-wal`, `${target}-wal`)
    if (before.equals(await walHeader(file))) return
  }
  throw new Error('The database changes too fast to be copied. Try again when it has fewer writes.')
}
