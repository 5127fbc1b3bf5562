import { ApiError } from '#shared/errors/errors'
import type { Env } from '#worker/env'
import { type Database, firstOf } from './database'
import { retry } from './database-faults'
import { deployment } from './schema/control'

/**
 * The bucket with the bytes of documents and of files that wait. It belongs to one deployment, whose id the object
 * `MARK_KEY` holds. Two deployments with one bucket would delete each other's objects as unknown.
 */
export type Bucket = Pick<R2Bucket, 'delete' | 'list'> & {
  get(key: string): Promise<R2ObjectBody | null>
  put(key: string, bytes: Uint8Array, options?: R2PutOptions): Promise<void>
}

/** No workspace has a name with this beginning, so nobody's document is there. */
export const MARK_KEY = '_deployment'

/** The mark of a bucket that the next deployment may take. The operator sets it (`--adopt-bucket`). */
const FREE_MARK = 'free'

const ATTEMPTS = 2
const BACKOFF_MS = 100

const MARK_CACHE_MS = 60_000

const unavailable = (reason: string, cause?: unknown): ApiError =>
  new ApiError('unavailable', 'The storage for documents and files is temporarily unavailable. Try again.', {
    reason,
    cause,
  })

/** @throws ApiError 503 when the store does not answer */
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

/** The id of the deployment, from the control database. It is made when it is first needed. */
async function readDeploymentId({ orm }: Database): Promise<string> {
  const read = () => orm.select({ id: deployment.deploymentId }).from(deployment)
  const [known] = await read()
  if (known) return known.id
  await retry(() => orm.insert(deployment).values({ number: 1 }).onConflictDoNothing())
  return firstOf(await read()).id
}

/** Marks a bucket that is empty or free. @throws ApiError 503 for another deployment's, or objects without a mark */
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
  // Somebody else was faster, perhaps another isolate of this deployment.
  if (marked === null) return requireOwn(bucket, id)
}

const seenMarks = new WeakMap<Env, number>()

/**
 * The bucket of the deployment. Its methods look at the mark first, at most once in a minute.
 *
 * @throws (they) ApiError 503
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

/** The bucket as a scheduled run uses it, which may delete what it does not know: it looks at the mark each time. */
export function openBucketAnew(env: Env, control: Database): Bucket {
  seenMarks.delete(env)
  return openBucket(env, control)
}
