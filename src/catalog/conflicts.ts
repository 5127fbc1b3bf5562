import { ApiError, invalidField, type ShrinkGuardError } from '#errors'

/** What stops a write that is valid in itself: the catalog is not what the caller takes it for. */

export const staleRevision = (revision: number): ApiError =>
  new ApiError('conflict', `The catalog has moved on: its revision is ${revision}. Nothing was written.`)

export const shrinkGuard = (activeBefore: number, wouldDeactivate: number): ShrinkGuardError => ({
  code: 'shrink_guard',
  active_before: activeBefore,
  would_deactivate: wouldDeactivate,
})

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
