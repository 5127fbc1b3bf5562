import { ApiError } from '#shared/errors/errors'
import type { Env } from '#worker/env'
import { type Database, firstOf } from './database'
import { retry } from './database-faults'
import { deployment } from './schema/control'

/**
 * The bucket with the bytes of documents and pending uploads. It belongs to one deployment, whose ID is in the object
 * `MARK_KEY`. Two deployments that shared a bucket would delete each other's objects as orphans.
 */
export type Bucket = Pick<R2Bucket, 'delete' | 'list'> & {
  get(key: string): Promise<R2ObjectBody | null>
  put(key: string, bytes: Uint8Array, options?: R2PutOptions): Promise<void>
}

/** No workspace ID begins like this, so no document has this key. */
export const MARK_KEY = '_deployment'

/** The mark of a bucket that the next deployment may adopt. The operator sets it (`--adopt-bucket`). */
const FREE_MARK = 'free'

const ATTEMPTS = 2
const BACKOFF_MS = 100

const MARK_CACHE_MS = 60_000

const unavailable = (reason: string, cause?: unknown): ApiError =>
  new ApiError('unavailable', 'The storage for documents and files is temporarily unavailable. Try again.', {
    reason,
    cause,
  })

/** @throws ApiError 503 if the bucket does not respond */
async function attempt<T>(call: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await call()
    } catch (cause) {
      if (n === ATTEMPTS) throw unavailable('bucket unavailable after retries', cause)
      await new Promise((resolve) => setTimeout(resolve, BACKOFF_MS * Math.random()))
    }
  }
}

/** The ID of the deployment, from the control database. Created when first needed. */
async function readDeploymentId({ orm }: Database): Promise<string> {
  const read = () => orm.select({ id: deployment.deploymentId }).from(deployment)
  const [known] = await read()
  if (known) return known.id
  await retry(() => orm.insert(deployment).values({ number: 1 }).onConflictDoNothing())
  return firstOf(await read()).id
}

/** Marks an empty or released bucket. @throws ApiError 503 if it is another deployment's, or has objects but no mark */
async function requireOwn(bucket: R2Bucket, id: string): Promise<void> {
  const mark = await attempt(async () => {
    const object = await bucket.get(MARK_KEY)
    return object && { etag: object.etag, owner: await object.text() }
  })
  if (mark?.owner === id) return
  if (mark !== null && mark.owner !== FREE_MARK)
    throw unavailable('configuration: the bucket has the ownership marker of another deployment')
  if (mark === null && (await attempt(() => bucket.list({ limit: 1 }))).objects.length > 0) {
    throw unavailable('configuration: the bucket contains objects but no ownership marker')
  }
  const onlyIf = mark === null ? { etagDoesNotMatch: '*' } : { etagMatches: mark.etag }
  const marked = await attempt(() => bucket.put(MARK_KEY, id, { onlyIf }))
  // Another isolate was faster, perhaps of this deployment.
  if (marked === null) return requireOwn(bucket, id)
}

const seenMarks = new WeakMap<Env, number>()

/**
 * The bucket of the deployment. Its methods check the mark first, at most once a minute.
 *
 * @throws (its methods) ApiError 503
 */
export function openBucket(env: Env, control: Database): Bucket {
  const own = async <T>(call: (bucket: R2Bucket) => Promise<T>): Promise<T> => {
    const bucket = env.DOCUMENTS
    if (Date.now() - (seenMarks.get(env) ?? 0) >= MARK_CACHE_MS) {
      await requireOwn(bucket, await readDeploymentId(control))
      seenMarks.set(env, Date.now())
    }
    return attempt(() => call(bucket))
  }
  return {
    get: (key) => own((bucket) => bucket.get(key)),
    put: async (key, bytes, options) => void (await own((bucket) => bucket.put(key, bytes, options))),
    delete: (keys) => own((bucket) => bucket.delete(keys)),
    list: (options) => own((bucket) => bucket.list(options)),
  }
}

/** The bucket for the scheduled run, which deletes orphans: it checks the mark each time. */
export function openBucketAnew(env: Env, control: Database): Bucket {
  seenMarks.delete(env)
  return openBucket(env, control)
}
