import { ApiError, invalidField, type QuotaError, type ShrinkGuardError } from '#errors'

/** Refusals of a valid write that the state of the catalog does not allow. */

/** @param expected the `expected_revision` of the request, or the revision at which a diff began */
export const staleRevision = (revision: number, expected: number): ApiError =>
  new ApiError(
    'conflict',
    `The catalog has changed: its revision is ${revision}, but ${expected} was expected (expected_revision). Nothing was written; read the catalog and try again.`,
  )

/** The error of the shrink guard, for the `errors` of a refusal and for a dry run. */
export const shrinkGuard = (activeBefore: number, wouldDeactivate: number): ShrinkGuardError => ({
  code: 'shrink_guard',
  active_before: activeBefore,
  would_deactivate: wouldDeactivate,
})

export const overQuota = (error: QuotaError): ApiError =>
  new ApiError(
    'conflict',
    error.quota === 'history'
      ? `Earlier versions of the workspace's records take ${error.used} bytes, and may take ${error.limit}. Nothing was ` +
          'written. The oldest versions are deleted within minutes: try again then.'
      : `The workspace may store ${error.limit} ${error.quota}, has ${error.used}, and would have ${error.needed}. ` +
          'Nothing was written. Send fewer or smaller records, or ask the operator of the service to raise the quota.',
    { errors: [error] },
  )

export const beyondRevision = (field: string, wanted: number, current: number): ApiError =>
  invalidField(
    field,
    'not_allowed',
    `must be at most ${current}, the current revision of the catalog`,
    wanted,
    { max: current },
  )

/** @param oldest the oldest revision that can be restored */
export function notRestorable(wanted: number, revision: number, oldest: number): ApiError | null {
  if (wanted > revision) return beyondRevision('revision', wanted, revision)
  if (wanted >= oldest) return null
  return new ApiError(
    'conflict',
    `Revision ${wanted} can no longer be restored; the oldest restorable revision is ${oldest}. Nothing was written.`,
  )
}
