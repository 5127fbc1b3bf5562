import { ApiError, type ShrinkGuardError } from '#errors'

/** What stops a write that is valid in itself: the catalog is not what the caller takes it for. */

export const staleRevision = (revision: number): ApiError =>
  new ApiError('conflict', `The catalog has moved on: its revision is ${revision}. Nothing was written.`)

export const shrinkGuard = (activeBefore: number, wouldDeactivate: number): ShrinkGuardError => ({
  code: 'shrink_guard',
  active_before: activeBefore,
  would_deactivate: wouldDeactivate,
})
