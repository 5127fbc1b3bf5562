import { ApiError, invalidField, type ShrinkGuardError } from '#shared/errors/errors'
import type { CatalogState } from '#worker/catalog/write/sql/state'

/** Refusals of a valid write that the state of the catalog does not allow. */

/** The state that a request expects, or in which a diff began; null if it expects none. */
export interface ExpectedState {
  expectedRevision: number | null
  expectedEpoch: string | null
}

export const expecting = ({ revision, epoch }: CatalogState): ExpectedState => ({
  expectedRevision: revision,
  expectedEpoch: epoch,
})

/** @throws ApiError 409 when the catalog is in another state */
export function requireState(state: CatalogState, expected: ExpectedState): void {
  const { expectedRevision, expectedEpoch } = expected
  const isSame =
    (expectedRevision ?? state.revision) === state.revision && (expectedEpoch ?? state.epoch) === state.epoch
  if (!isSame) throw staleState(state.revision, expected)
}

/** @param revision that of the catalog */
export function staleState(revision: number, { expectedRevision }: ExpectedState): ApiError {
  const isOfRevision = expectedRevision !== null && expectedRevision !== revision
  const what = isOfRevision
    ? `but ${expectedRevision} was expected (expected_revision)`
    : 'and its epoch is not the one that was expected (expected_epoch)'
  return new ApiError(
    'conflict',
    `The catalog has changed: its revision is ${revision}, ${what}. Nothing was written; ` +
      'read the catalog and try again.',
    { noted: { outcome: 'stale', revision, expected_revision: isOfRevision ? expectedRevision : null } },
  )
}

export const takenMeanwhile = (): ApiError =>
  new ApiError(
    'conflict',
    'Another request has written or discarded the file at the same time. This request wrote nothing; see ' +
      'the upload for what became of it.',
  )

/** The error of the shrink guard, for the `errors` of a refusal and for a dry run. */
export const shrinkGuard = (activeBefore: number, wouldDeactivate: number): ShrinkGuardError => ({
  code: 'shrink_guard',
  active_before: activeBefore,
  would_deactivate: wouldDeactivate,
})

export const beyondRevision = (field: string, wanted: number, current: number): ApiError =>
  invalidField(field, 'not_allowed', `must be at most ${current}, the current revision of the catalog`, wanted, {
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
export function notRestorable(wanted: number, revision: number, oldest: number): ApiError | null {
  if (wanted > revision) return beyondRevision('revision', wanted, revision)
  if (wanted >= oldest) return null
  return new ApiError(
    'conflict',
    `Revision ${wanted} can no longer be restored; the oldest restorable revision is ${oldest}. Nothing was written.`,
  )
}
