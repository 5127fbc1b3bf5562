/** The files of the local simulator, and the simulator itself. */
import { createHash, createHmac } from 'node:crypto'
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
