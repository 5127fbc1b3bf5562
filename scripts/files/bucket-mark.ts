/**
 * The ownership marker of a bucket: the bucket belongs to one deployment, which writes its ID there before the first
 * object (`src/worker/storage/bucket.ts`). A released bucket belongs to the next deployment that uses it.
 */

import type { Bucket, ReadableBucket } from './bucket.ts'

const KEY = '_deployment'
const FREE = 'free'

export const markOf = async (bucket: ReadableBucket): Promise<string | undefined> => (await bucket.get(KEY))?.toString()

export const setFree = (bucket: Bucket): Promise<void> => bucket.put(KEY, Buffer.from(FREE), 'text/plain')

/**
 * The reason why a deployment may not use a bucket; undefined if it may.
 *
 * @param id of the deployment; undefined if it has none yet
 */
export async function bucketRefusal(bucket: Bucket, id: string | undefined): Promise<string | undefined> {
  const mark = await markOf(bucket)
  if (mark === FREE || (mark !== undefined && mark === id)) return undefined
  if (mark !== undefined) return 'The bucket belongs to another deployment'
  return (await bucket.isEmpty())
    ? undefined
    : 'The bucket contains objects, and no ownership marker says to which deployment they belong'
}

/**
 * Checks that a restored service may use the bucket, before anything is changed.
 *
 * @param adopt whether the operator states that the bucket belongs to the service
 * @throws Error if it does not belong to the service
 */
export async function claim(bucket: Bucket, id: string | undefined, adopt: boolean): Promise<void> {
  const refusal = await bucketRefusal(bucket, id)
  if (refusal !== undefined && !adopt)
    throw new Error(`${refusal}. Nothing was changed. If it is the bucket of this service, add --adopt-bucket.`)
  if (refusal !== undefined || (await markOf(bucket)) === undefined) await setFree(bucket)
}
