import type { Data } from '#client/api'
import type { ServiceClient } from '#client/client'
import { ServiceError } from '#client/service-error'

type WriteResult = Data<'post', '/admin/datasets/v1/'>
type Write = Data<'get', '/admin/catalogs/v1/{type}/writes/{batch_id}'>

/** What a write has done, as its answer or the list of writes says it. */
export type Written = Pick<
  Write,
  'total' | 'inserted' | 'updated' | 'reactivated' | 'unchanged' | 'deactivated' | 'revision'
> & {
  /** Null if the answer does not name it. */
  batch_id: string | null
  /** Whether the answer was lost, so that this comes from the list of writes. */
  lookedUp: boolean
}

/** The counts in the result of a write. */
export const RESULT_COUNTS = [
  'total',
  'inserted',
  'updated',
  'reactivated',
  'unchanged',
  'deactivated',
] as const

/** Others may have written since, but hardly more often. */
const NEWEST_WRITES = 50

/** Whether a write may have been carried out although its answer is missing or says that something failed. */
export const isLost = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && [0, 500, 502, 503, 504].includes(error.status)

export const writtenOf = (answer: WriteResult | Write, lookedUp: boolean): Written => {
  const { total, inserted, updated, reactivated, unchanged, deactivated, revision, batch_id = null } = answer
  return { total, inserted, updated, reactivated, unchanged, deactivated, revision, batch_id, lookedUp }
}

/** The write that an answer names as uncertain. @returns undefined if it was not carried out */
async function namedWrite(
  client: ServiceClient,
  type: WriteResult['type'],
  batch_id: string,
): Promise<Write | undefined> {
  try {
    return await client.get('/admin/catalogs/v1/{type}/writes/{batch_id}', { params: { type, batch_id } })
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined
    throw error
  }
}

/** The write of a file that waited. @returns undefined if it still waits */
async function writeOfFile(
  client: ServiceClient,
  type: WriteResult['type'],
  upload_id: string,
): Promise<Write | undefined> {
  const { batch_id } = await client.get('/admin/catalogs/v1/{type}/uploads/{upload_id}', {
    params: { type, upload_id },
  })
  return batch_id === null ? undefined : namedWrite(client, type, batch_id)
}

/**
 * Finds a write whose answer was lost. It was sent on condition that the catalog is in the state of the plan. So it
 * made the next revision, and has the counts of the plan.
 *
 * @param lost why there is no answer
 * @returns undefined if it was not carried out
 */
export async function findWrite(
  client: ServiceClient,
  plan: WriteResult,
  lost: ServiceError,
): Promise<Written | undefined> {
  if (plan.upload_id !== undefined) {
    const write = await writeOfFile(client, plan.type, plan.upload_id)
    return write && writtenOf(write, true)
  }
  for (const item of lost.errors) {
    if (!('code' in item) || item.code !== 'unknown_outcome' || !('batch_id' in item)) continue
    const named = await namedWrite(client, plan.type, item.batch_id)
    return named && writtenOf(named, true)
  }
  const { items } = await client.get('/admin/catalogs/v1/{type}/writes', {
    params: { type: plan.type },
    query: { limit: NEWEST_WRITES },
  })
  const found = items.find(
    (write) =>
      write.revision === plan.revision + 1 &&
      write.mode === plan.mode &&
      RESULT_COUNTS.every((name) => write[name] === plan[name]),
  )
  return found && writtenOf(found, true)
}
