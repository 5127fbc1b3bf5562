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

/**
 * @typedef {{ read: import('./dump.mjs').Read, batch: (statements: string[]) => Promise<void> }} LocalDatabase
 */

/**
 * Opens local databases in a separate runtime, without the service.
 *
 * @param {string} directory of local resources
 * @param {string[]} databaseIds as in `wrangler.toml`
 * @returns {Promise<{ databases: LocalDatabase[], close: () => Promise<void> }>} in the order of their ids
 */
export async function openLocals(directory, databaseIds) {
  const bound = databaseIds.map((id, place) => [`DB_${place}`, id])
  const miniflare = await openSimulator(directory, {
    modules: [{ type: 'ESModule', path: path.join(import.meta.dirname, 'worker.mjs') }],
    d1Databases: Object.fromEntries(bound),
  })
  // Two runtimes that start at once in a new directory lock each other out.
  await miniflare.ready
  const opened = (binding) => {
    const call = async (name, body) => {
      const init = { method: 'POST', body: JSON.stringify(body) }
      const response = await miniflare.dispatchFetch(`http://database/${binding}/${name}`, init)
      if (!response.ok) throw new Error(await response.text())
      return response
    }
    return {
      read: async (sql, ...parameters) =>
        /** @type {any} */ (await (await call('read', { sql, parameters })).json()),
      batch: async (statements) => {
        await call('batch', statements)
      },
    }
  }
  return { databases: bound.map(([binding]) => opened(binding)), close: () => miniflare.dispose() }
}

/**
 * Opens one local database.
 *
 * @param {string} directory of local resources
 * @param {string} databaseId as in `wrangler.toml`
 * @returns {Promise<LocalDatabase & { close: () => Promise<void> }>}
 */
export async function openLocal(directory, databaseId) {
  const {
    databases: [database],
    close,
  } = await openLocals(directory, [databaseId])
  return { ...database, close }
}
