import { ApiError, invalidField } from '#shared/errors/errors'

/** Refusals of requests that name a revision or an epoch. */

export const beyondRevision = (field: string, target: number, current: number): ApiError =>
  invalidField(field, 'not_allowed', `must be at most ${current}, the current revision of the catalog`, target, {
    max: current,
  })

/** A mirror names a state that the catalog never had or no longer knows. No list of changes would make it complete. */
export const startAgain = (field: 'epoch' | 'cursor', value: unknown): ApiError =>
  invalidField(
    field,
    'start_again',
    'names a state that the catalog does not know: the catalog went back to an earlier state, or forgot one so old. ' +
      'Empty the copy and start again with since_revision=0',
    value,
  )

/** @param oldest the oldest revision that can be restored */
export function notRestorable(target: number, revision: number, oldest: number): ApiError | null {
  if (target > revision) return beyondRevision('revision', target, revision)
  if (target >= oldest) return null
  return new ApiError(
    'conflict',
    `Revision ${target} can no longer be restored; the oldest restorable revision is ${oldest}. Nothing was written.`,
  )
}
