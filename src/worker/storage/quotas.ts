import { ApiError, type QuotaError } from '#shared/errors/errors'
import { REGISTRATION_SECONDS } from '#shared/limits'
import { messageOf } from './d1'

/**
 * The refusals of quotas. Triggers hold each insert against its quota, in the transaction of the insert (see
 * docs/architecture.md#rules-in-triggers).
 */

/** What the figures of a quota count. */
const COUNTED: Record<QuotaError['quota'], string> = {
  records: 'records',
  bytes: 'bytes of records',
  documents: 'documents',
  document_bytes: 'bytes of documents',
  registrations: 'pending registrations',
}

const SEND_LESS = 'Send fewer or smaller records'
const DELETE_DOCUMENTS = 'Delete documents'

const WAY_OUT: typeof COUNTED = {
  records: SEND_LESS,
  bytes: SEND_LESS,
  documents: DELETE_DOCUMENTS,
  document_bytes: DELETE_DOCUMENTS,
  registrations: `Wait until some have ended, ${REGISTRATION_SECONDS / 60} minutes after they began`,
}

const messageFor = ({ quota, limit, used, needed }: QuotaError): string =>
  `The workspace may store ${limit} ${COUNTED[quota]}, has ${used}, and would have ${needed}. ` +
  `Nothing was written. ${WAY_OUT[quota]}, or ask the operator of the service to raise the quota.`

const isQuota = (name: string | undefined): name is QuotaError['quota'] =>
  name !== undefined && Object.hasOwn(COUNTED, name)

/** The refusal for an error of these triggers: 409. Undefined for any other error. */
export function quotaRefusal(error: unknown): ApiError | undefined {
  const [, quota, ...figures] = /quota:(\w+):(\d+):(\d+):(\d+)/.exec(messageOf(error)) ?? []
  if (!isQuota(quota)) return undefined
  const [limit = 0, used = 0, needed = 0] = figures.map(Number)
  const item: QuotaError = { code: 'quota', quota, limit, used, needed }
  return new ApiError('conflict', messageFor(item), { errors: [item] })
}

/** Runs an insert that a quota may stop. @throws ApiError 409 when it does */
export async function withinQuota<T>(insert: () => Promise<T>): Promise<T> {
  try {
    return await insert()
  } catch (error) {
    throw quotaRefusal(error) ?? error
  }
}
