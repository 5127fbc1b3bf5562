/** The bucket with the bytes of files, local or remote. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { callAccount, MISSING, readAccount, requireOk } from '../cloudflare/account.mjs'
import { documentsBucket, readConfiguration } from '../configuration.mjs'
import { localResources, objectFile, openSimulator } from '../database/local.ts'
import { openSqlite } from '../database/sqlite.ts'
import type { Place } from '../database/target.ts'

export interface ReadableBucket {
  /** Undefined if the object does not exist. */
  get(key: string): Promise<Buffer | undefined>
  close(): Promise<void>
}

export interface Bucket extends ReadableBucket {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  isEmpty(): Promise<boolean>
}

interface Binding {
  name: string
  jurisdiction: string | undefined
}

/** The bytes of a file; undefined if it does not exist. */
export const readIfThere = (file: string): Promise<Buffer | undefined> =>
  readFile(file).catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })

/** The names that the local simulator uses for buckets. */
const KIND = 'r2'
const OBJECT = 'miniflare-R2BucketObject'

async function openDirectory(directory: string, name: string): Promise<Bucket> {
  const miniflare = await openSimulator(directory, {
    modules: true,
    script: 'export default {}',
    r2Buckets: { FILES: name },
  })
  const bucket = await miniflare.getR2Bucket('FILES')
  return {
    get: async (key) => {
      const object = await bucket.get(key)
      return object === null ? undefined : Buffer.from(await object.arrayBuffer())
    },
    put: async (key, bytes, contentType) => {
      // The simulator does not accept `Buffer`.
      await bucket.put(key, new Uint8Array(bytes), { httpMetadata: { contentType } })
    },
    isEmpty: async () => (await bucket.list({ limit: 1 })).objects.length === 0,
    close: () => miniflare.dispose(),
  }
}

/**
 * A local bucket in the simulator's format: a database that lists the objects, and a file for the bytes of each object,
 * which never changes. A service may be using it.
 */
function openFiles(target: Place, name: string): ReadableBucket {
  const directory = localResources(target.stateDirectory)
  const list = objectFile(directory, KIND, OBJECT, name)
  if (!existsSync(list)) return { get: async () => undefined, close: async () => undefined }
  const { read, close } = openSqlite(list, { readOnly: true })
  return {
    get: async (key) => {
      const [row] = read('SELECT blob_id FROM _mf_objects WHERE key = ?', key)
      return row && readIfThere(path.join(directory, KIND, name, 'blobs', String(row[0])))
    },
    close: async () => close(),
  }
}

export function openDeployedBucket({ name, jurisdiction }: Binding): Bucket {
  const headers: Record<string, string> = jurisdiction ? { 'cf-r2-jurisdiction': jurisdiction } : {}
  const pathOf = (key: string) => `/r2/buckets/${name}/objects/${key}`
  return {
    get: async (key) => {
      const response = await callAccount(pathOf(key), { headers })
      if (response.status === 404) {
        if ((await response.text()).includes(String(MISSING.bucket))) throw new Error(`There is no bucket ${name}.`)
        return undefined
      }
      return Buffer.from(await (await requireOk(response, `the object ${key}`)).arrayBuffer())
    },
    put: async (key, bytes, contentType) => {
      const body = new Uint8Array(bytes)
      const init = { method: 'PUT', headers: { ...headers, 'Content-Type': contentType }, body }
      const response = await requireOk(await callAccount(pathOf(key), init), `the object ${key}`)
      await response.body?.cancel()
    },
    isEmpty: async () => (await readAccount(`/r2/buckets/${name}/objects?per_page=1`, { headers })).length === 0,
    close: async () => undefined,
  }
}

/** The target's bucket, for reading while the service may be running. */
export async function openForReading(target: Place): Promise<ReadableBucket> {
  const binding = documentsBucket(readConfiguration(target.environment, target.configuration))
  return target.remote ? openDeployedBucket(binding) : openFiles(target, binding.name)
}

/** The target's bucket, for writing. A local one must not be in use. */
export async function openForWriting(target: Place): Promise<Bucket> {
  const binding = documentsBucket(readConfiguration(target.environment, target.configuration))
  return target.remote
    ? openDeployedBucket(binding)
    : openDirectory(localResources(target.stateDirectory), binding.name)
}
