import { createHash, createHmac } from 'node:crypto'
import path from 'node:path'

/** The name that the local simulator uses for D1 databases. */
const OBJECT = 'miniflare-D1DatabaseObject'

/** The file of one of the simulator's objects below a directory, as Miniflare names it. */
export function objectFile(directory, object, id) {
  const key = createHash('sha256').update(object).digest()
  const digest = (data) => createHmac('sha256', key).update(data).digest().subarray(0, 16)
  const name = digest(id)
  return path.join(directory, object, `${Buffer.concat([name, digest(name)]).toString('hex')}.sqlite`)
}

/** The file of a database below the directory of local databases. */
export const databaseFile = (directory, databaseId) => objectFile(directory, OBJECT, databaseId)

/** The directory in which `wrangler dev` keeps local databases. */
export const databaseDirectory = (stateDirectory) => path.join(stateDirectory, 'v3', 'd1')

const MODULES = ['worker.mjs', 'dump.mjs', 'search-index.mjs']

/**
 * Opens a local database in a separate runtime, without the service.
 *
 * @param {string} directory of local databases
 * @param {string} databaseId as in `wrangler.toml`
 * @returns {Promise<{ read: import('./dump.mjs').Read, batch: (statements: string[]) => Promise<void>, dump: () =>
 *   Promise<ReadableStream<Uint8Array>>, close: () => Promise<void> }>}
 */
export async function openLocal(directory, databaseId) {
  // Imported here, because it takes a second and a remote database does not need it.
  const { Miniflare } = await import('miniflare')
  const miniflare = new Miniflare({
    modulesRoot: import.meta.dirname,
    modules: MODULES.map((name) => ({ type: 'ESModule', path: path.join(import.meta.dirname, name) })),
    compatibilityDate: '2026-04-01',
    d1Databases: { DB: databaseId },
    d1Persist: directory,
  })
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
