/**
 * The mark of a bucket: it belongs to one deployment, which writes its id there before the first object
 * (`src/worker/storage/bucket.ts`). A bucket that is set free is taken by the next deployment that uses it.
 */

import type { Bucket, ReadableBucket } from './bucket.ts'

const KEY = '_deployment'
const FREE = 'free'

export const markOf = async (bucket: ReadableBucket): Promise<string | undefined> => (await bucket.get(KEY))?.toString()

export const setFree = (bucket: Bucket): Promise<void> => bucket.put(KEY, Buffer.from(FREE), 'text/plain')

/**
 * Why a deployment may not use a bucket; undefined if it may.
 *
 * @param id of the deployment; undefined if it has none yet
 */
export async function bucketRefusal(bucket: Bucket, id: string | undefined): Promise<string | undefined> {
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
 * @param adopt whether the operator says that the bucket is the service's
 * @throws Error when it is not
 */
export async function claim(bucket: Bucket, id: string | undefined, adopt: boolean): Promise<void> {
  const refusal = await bucketRefusal(bucket, id)
  if (refusal !== undefined && !adopt)
    throw new Error(`${refusal}. Nothing was changed. If it is the bucket of this service, add --adopt-bucket.`)
  if (refusal !== undefined || (await markOf(bucket)) === undefined) await setFree(bucket)
}
