/** The files of the local simulator, and the simulator itself. */
import { createHash, createHmac } from 'node:crypto'
import path from 'node:path'
import type { convertV4MiniflareOptions, Miniflare } from 'miniflare'

/** The name that the local simulator uses for D1 databases. */
const OBJECT = 'miniflare-D1DatabaseObject'

/** The file of one of the simulator's objects below the directory of local resources, as named by Miniflare. */
export function objectFile(directory: string, kind: string, object: string, id: string): string {
  const key = createHash('sha256').update(object).digest()
  const digest = (data: string | Buffer) => createHmac('sha256', key).update(data).digest().subarray(0, 16)
  const name = digest(id)
  return path.join(directory, kind, object, `${Buffer.concat([name, digest(name)]).toString('hex')}.sqlite`)
}

/** The file of a database below the directory of local resources. */
export const databaseFile = (directory: string, databaseId: string): string =>
  objectFile(directory, 'd1', OBJECT, databaseId)

/** The directory in which the local service keeps its resources: databases, buckets and the rest. */
export const localResources = (stateDirectory: string): string => path.join(stateDirectory, 'v3')

type Options = Parameters<typeof convertV4MiniflareOptions>[0]

/**
 * Starts a separate runtime without the service.
 *
 * @param directory of local resources
 * @param options of Miniflare
 */
export async function openSimulator(directory: string, options: Options): Promise<Miniflare> {
  // Imported here, because it takes a second and a remote database does not need it.
  const { convertV4MiniflareOptions: convert, Miniflare: Simulator } = await import('miniflare')
  const resourcePersistencePath = path.resolve(directory)
  return new Simulator(convert({ compatibilityDate: '2026-08-03', resourcePersistencePath, ...options }))
}
