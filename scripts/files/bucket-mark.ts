/**
 * The mark of a bucket: it belongs to one deployment, which writes its id there before the first object
 * (`src/worker/storage/bucket.ts`). A bucket that is set free is taken by the next deployment that uses it.
 */

const KEY = '_deployment'
const FREE = 'free'

/** @param {import('./bucket.mjs').ReadableBucket} bucket @returns {Promise<string | undefined>} */
export const markOf = async (bucket) => (await bucket.get(KEY))?.toString()

/** @param {import('./bucket.mjs').Bucket} bucket */
export const setFree = (bucket) => bucket.put(KEY, Buffer.from(FREE), 'text/plain')

/**
 * Why a deployment may not use a bucket; undefined if it may.
 *
 * @param {import('./bucket.mjs').Bucket} bucket
 * @param {string | undefined} id of the deployment; undefined if it has none yet
 */
export async function bucketRefusal(bucket, id) {
  const mark = await markOf(bucket)
  if (mark === FREE || (mark !== undefined && mark === id)) return undefined
  if (mark !== undefined) return 'The bucket belongs to another deployment'
  return (await bucket.isEmpty())
    ? undefined
    : 'The bucket holds objects, and no mark says to which deployment they belong'
}

/**
 * Makes sure that a restored service may use the bucket, before anything is changed.
 *
 * @param {import('./bucket.mjs').Bucket} bucket
 * @param {string | undefined} id
 * @param {boolean} adopt whether the operator says that the bucket is the service's
 * @throws {Error} when it is not
 */
export async function claim(bucket, id, adopt) {
  const refusal = await bucketRefusal(bucket, id)
  if (refusal !== undefined && !adopt)
    throw new Error(`${refusal}. Nothing was changed. If it is the bucket of this service, add --adopt-bucket.`)
  if (refusal !== undefined || (await markOf(bucket)) === undefined) await setFree(bucket)
}
