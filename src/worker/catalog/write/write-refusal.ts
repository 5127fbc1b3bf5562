import { ApiError, type EmptiedGuardError, type ShrinkGuardError, type UnknownOutcome } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import { countText } from '#shared/records/warnings'
import type { CatalogKey } from '#worker/storage/catalog-key'
import type { Stop } from '#worker/storage/database-faults'
import type { UnknownWrite } from '#worker/storage/deadline'
import { quotaRefusal } from '#worker/storage/quotas'
import { type EmptiedGuard, emptiedGuardErrors } from './emptied-fields'
import { staleState } from './sql/state'
import type { NewWrite } from './sql/write'

/** The refusal of a write that was stopped (see docs/architecture.md#a-write); null for reasons of other changes. */
export function writeRefusal(stop: Stop, newWrite: NewWrite, type: RecordType): ApiError | null {
  const [first = '', second = ''] = stop.figures
  switch (stop.reason) {
    case 'quota':
      return quotaRefusal(stop) ?? null
    case 'upload_taken':
      return takenMeanwhile()
    case 'stale_revision':
      return staleState(Number(first), newWrite)
    case 'shrink_guard':
      return shrinkRefusal(newWrite, Number(first), Number(second))
    case 'emptied_guard':
      return (
        newWrite.emptiedGuard &&
        emptiedRefusal(emptiedGuardErrors(type, newWrite.emptiedGuard, first), newWrite.emptiedGuard)
      )
    default:
      return null
  }
}

const takenMeanwhile = (): ApiError =>
  new ApiError(
    'conflict',
    'Another request has written or discarded the file at the same time. This request wrote nothing; see ' +
      'the upload for what became of it.',
  )

function emptiedRefusal(errors: EmptiedGuardError[], { maxEmptied }: EmptiedGuard): ApiError {
  const fields = errors.map(({ field }) => field).join(',')
  const counts = errors.map(({ field, emptied }) => `${field} in ${countText(emptied, 'record')}`).join(', ')
  return new ApiError(
    'conflict',
    `The write would empty ${counts}, more than max_emptied=${maxEmptied}. Nothing was written; to write ` +
      `it all the same, send allow_emptied=${fields}.`,
    { errors },
  )
}

/** The error of the shrink guard, for the `errors` of a refusal and for a dry run. */
export const shrinkGuard = (activeBefore: number, wouldDeactivate: number): ShrinkGuardError => ({
  code: 'shrink_guard',
  active_before: activeBefore,
  would_deactivate: wouldDeactivate,
})

function shrinkRefusal({ mode, maxShrink }: NewWrite, activeBefore: number, wouldDeactivate: number): ApiError {
  const limit = maxShrink === 50 ? 'half' : `${maxShrink} percent`
  return new ApiError(
    'conflict',
    `The ${mode} would deactivate ${wouldDeactivate} of ${activeBefore} active records, more than ${limit}` +
      '. Nothing was written; to write it all the same, send confirm_shrink=true.',
    { errors: [shrinkGuard(activeBefore, wouldDeactivate)] },
  )
}

/** What a caller is told if it is not known whether a write was carried out. */
export const unknownWrite = ({ type }: CatalogKey, batchId: string): UnknownWrite => ({
  howToFindOut: `GET /admin/catalogs/v1/${type}/writes/${batchId} answers 200 if it was, and 404 if it was not`,
  errors: [{ code: 'unknown_outcome', batch_id: batchId } satisfies UnknownOutcome],
})

/** The database cannot be asked what became of a write. */
export const unknownOutcome = (catalogKey: CatalogKey, batchId: string, cause: unknown): ApiError => {
  const { howToFindOut, errors } = unknownWrite(catalogKey, batchId)
  return new ApiError(
    'unavailable',
    'The database is not available at the moment. It is not known whether the write was carried out: ' +
      `${howToFindOut}. A retry is safe.`,
    { errors, reason: 'outcome of a write unknown', cause },
  )
}

/** The database has answered since, and does not have the write. */
export const notCarriedOut = (cause: unknown): ApiError =>
  new ApiError(
    'unavailable',
    'The database was not available. It does not have this write, and works again; a retry is safe.',
    { reason: 'database unavailable, write not carried out', cause },
  )
