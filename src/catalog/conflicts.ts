import { ApiError, type QuotaError, type ShrinkGuardError } from '#errors'

/** What stops a write that is valid in itself: the catalog is not what the caller takes it for. */

export const staleRevision = (revision: number): ApiError =>
  new ApiError('conflict', `The catalog has moved on: its revision is ${revision}. Nothing was written.`)

export const shrinkGuard = (activeBefore: number, wouldDeactivate: number): ShrinkGuardError => ({
  code: 'shrink_guard',
  active_before: activeBefore,
  would_deactivate: wouldDeactivate,
})

export const overQuota = (error: QuotaError): ApiError =>
  new ApiError(
    'conflict',
    `The workspace may store ${error.limit} ${error.quota}, has ${error.used}, and would have ${error.needed}. ` +
      'Nothing was written; the operator of the service can raise the quota.',
    { errors: [error] },
  )
