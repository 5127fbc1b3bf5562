import { ApiError, invalidField, type QuotaError, type ShrinkGuardError } from '#errors'

/** Refusals of a valid write, because the catalog is not what the caller expects. */

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

/**
 * @param revision the catalog's present one
 * @param oldest the oldest one whose versions are kept
 */
export function notRestorable(wanted: number, revision: number, oldest: number): ApiError | null {
  if (wanted > revision)
    return invalidField(
      'revision',
      'not_allowed',
      `must be at most ${revision}, the revision of the catalog`,
      wanted,
    )
  if (wanted >= oldest) return null
  return new ApiError(
    'conflict',
    `Revision ${wanted} can no longer be restored; the oldest restorable revision is ${oldest}. Nothing was written.`,
  )
}
