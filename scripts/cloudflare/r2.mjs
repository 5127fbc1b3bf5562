/** A deployed R2 bucket, through Cloudflare's API. */
import { account, requireOk } from './account.mjs'

/** The API's code for a bucket that is not there. */
const NO_BUCKET = 10006

/**
 * @param {{ name: string, jurisdiction: string | undefined }} binding
 * @returns {Promise<import('../files/bucket.mjs').Bucket>}
 */
export async function openDeployedBucket({ name, jurisdiction }) {
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
