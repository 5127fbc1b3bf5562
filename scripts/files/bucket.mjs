/**
 * The bucket with the bytes of files, local or remote.
 *
 * @typedef {object} Bucket
 * @property {(key: string) => Promise<Buffer | undefined>} get undefined when there is no such object
 * @property {(key: string, bytes: Buffer, contentType: string) => Promise<void>} put
 * @property {() => Promise<void>} close
 */
import { copyFile, link, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { account, requireOk } from '../cloudflare/account.mjs'
import { documentsBucket, readConfiguration } from '../configuration.mjs'
import { localResources, objectFile, openSimulator } from '../database/local.mjs'
import { snapshot } from '../database/snapshot.mjs'

/** The names that the local simulator uses for buckets. */
const KIND = 'r2'
const OBJECT = 'miniflare-R2BucketObject'

/** @returns {Promise<Bucket>} */
async function openDirectory(directory, name) {
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
      // The simulator takes no `Buffer`.
      await bucket.put(key, new Uint8Array(bytes), { httpMetadata: { contentType } })
    },
    close: () => miniflare.dispose(),
  }
}

const unlessMissing = (error) => {
  if (error.code !== 'ENOENT') throw error
}

/** Gives the files of a directory second names, or copies them if the file system has no second names. */
async function linkAll(from, to) {
  await mkdir(to, { recursive: true })
  const names = await readdir(from).catch((error) => {
    unlessMissing(error)
    return []
  })
  for (const name of names) {
    const [source, target] = [path.join(from, name), path.join(to, name)]
    // One that is deleted meanwhile is left out.
    await link(source, target).catch((error) =>
      error.code === 'ENOENT' ? undefined : copyFile(source, target).catch(unlessMissing),
    )
  }
}

/**
 * A copy of a local bucket, so that a running service and the backup do not block each other: a copy of its list of
 * objects, and second names for their bytes, which the simulator never changes.
 *
 * @returns {Promise<Bucket>}
 */
async function openCopy(target, name) {
  const source = localResources(target.stateDirectory)
  // In the directory of the state, because second names cannot cross file systems.
  const copy = await mkdtemp(path.join(target.stateDirectory, 'backup-'))
  const remove = () => rm(copy, { recursive: true, force: true })
  try {
    const list = objectFile(source, KIND, OBJECT, name)
    if (await stat(list).catch(unlessMissing)) {
      const listCopy = objectFile(copy, KIND, OBJECT, name)
      await mkdir(path.dirname(listCopy), { recursive: true })
      await snapshot(list, listCopy)
      await linkAll(path.join(source, KIND, name, 'blobs'), path.join(copy, KIND, name, 'blobs'))
    }
    const bucket = await openDirectory(copy, name)
    const close = async () => {
      await bucket.close()
      await remove()
    }
    return { ...bucket, close }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The API's code for a bucket that is not there. */
const NO_BUCKET = 10006

/**
 * @param {{ name: string, jurisdiction: string | undefined }} binding
 * @returns {Promise<Bucket>}
 */
async function openDeployedBucket({ name, jurisdiction }) {
  const { fetch } = await account()
  const headers = jurisdiction ? { 'cf-r2-jurisdiction': jurisdiction } : {}
  const pathOf = (key) => `/r2/buckets/${name}/objects/${key}`
  return {
    get: async (key) => {
      const response = await fetch(pathOf(key), { headers })
      if (response.status === 404) {
        if ((await response.text()).includes(String(NO_BUCKET)))
          throw new Error(`There is no bucket ${name}.`)
        return undefined
      }
      return Buffer.from(await (await requireOk(response, `the object ${key}`)).arrayBuffer())
    },
    put: async (key, bytes, contentType) => {
      const body = new Uint8Array(bytes)
      const init = { method: 'PUT', headers: { ...headers, 'Content-Type': contentType }, body }
      const response = await requireOk(await fetch(pathOf(key), init), `the object ${key}`)
      await response.body?.cancel()
    },
    close: async () => undefined,
  }
}

/** The bucket of a target, to read from while the service may be running. @returns {Promise<Bucket>} */
export function openForReading(target) {
  const binding = documentsBucket(readConfiguration(target.environment))
  return target.remote ? openDeployedBucket(binding) : openCopy(target, binding.name)
}

/** The bucket of a target, to write to; a local one must not be in use. @returns {Promise<Bucket>} */
export function openForWriting(target) {
  const binding = documentsBucket(readConfiguration(target.environment))
  return target.remote
    ? openDeployedBucket(binding)
    : openDirectory(localResources(target.stateDirectory), binding.name)
}
