import { createHash, createHmac } from 'node:crypto'
import path from 'node:path'

/** The name that the local simulator uses for D1 databases. */
const OBJECT = 'miniflare-D1DatabaseObject'

/** The file of a database below the directory of local resources, as Miniflare names it. */
export function databaseFile(directory, databaseId) {
  const key = createHash('sha256').update(OBJECT).digest()
  const digest = (data) => createHmac('sha256', key).update(data).digest().subarray(0, 16)
  const name = digest(databaseId)
  return path.join(directory, 'd1', OBJECT, `${Buffer.concat([name, digest(name)]).toString('hex')}.sqlite`)
}

/** The directory in which `wrangler dev` keeps local resources, databases among them. */
export const databaseDirectory = (stateDirectory) => path.join(stateDirectory, 'v3')

const MODULES = ['worker.mjs', 'dump.mjs', 'search-index.mjs']

/**
 * Opens a local database in a separate runtime, without the service.
 *
 * @param {string} directory of local resources
 * @param {string} databaseId as in `wrangler.toml`
 * @returns {Promise<{ read: import('./dump.mjs').Read, batch: (statements: string[]) => Promise<void>, dump: () =>
 *   Promise<ReadableStream<Uint8Array>>, close: () => Promise<void> }>}
 */
export async function openLocal(directory, databaseId) {
  // Imported here, because it takes a second and a remote database does not need it.
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare')
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modulesRoot: import.meta.dirname,
      modules: MODULES.map((name) => ({ type: 'ESModule', path: path.join(import.meta.dirname, name) })),
      compatibilityDate: '2026-08-03',
      d1Databases: { DB: databaseId },
      resourcePersistencePath: path.resolve(directory),
    }),
  )
  const call = async (name, body) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await miniflare.dispatchFetch(`http://database/${name}`, init)
    if (!response.ok) throw new Error(await response.text())
    return response
  }
  return {
    read: async (sql, ...parameters) => (await call('read', { sql, parameters })).json(),
    batch: async (statements) => {
      await call('batch', statements)
    },
    dump: async () => (await call('dump')).body,
    close: () => miniflare.dispose(),
  }
}
