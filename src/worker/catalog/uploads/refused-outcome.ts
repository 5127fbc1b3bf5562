import { ApiError, listedErrors } from '#shared/errors/errors'
import { NotArrivedError } from '#worker/http/body/body-stream'
import type { NewUpload } from './sql/note'

export type RefusedOutcome = Exclude<NewUpload['outcome'], 'held'>

/** Null for a refusal that is not listed: the body did not arrive, or was not read. */
export function outcomeOf(error: ApiError): RefusedOutcome | null {
  if (error instanceof NotArrivedError) return null
  if (error.status >= 500) return 'failed'
  if (error.code === 'invalid_request') return 'invalid'
  if (error.code !== 'conflict') return null
  const code = listedErrors(error)[0]?.code
  return code === 'quota' || code === 'shrink_guard' || code === 'emptied_guard' ? code : 'stale'
}

/** A fault, as the list of uploads tells of it. */
export const internalFault = (cause: unknown): ApiError =>
  new ApiError('internal', 'The service had an internal fault.', { cause })
