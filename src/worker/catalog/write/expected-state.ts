import { ApiError } from '#shared/errors/errors'
import type { CatalogState } from '#worker/catalog/write/sql/state'

/** The state that a request expects, or in which a diff began; null if it expects none. */
export interface ExpectedState {
  expectedRevision: number | null
  expectedEpoch: string | null
}

export const asExpectedState = ({ revision, epoch }: CatalogState): ExpectedState => ({
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
    { logEntry: { outcome: 'stale', revision, expected_revision: isOfRevision ? expectedRevision : null } },
  )
}
