import { ApiError, type UnknownOutcome } from '#shared/errors/errors'
import type { CatalogKey } from '#worker/storage/catalog-scope'
import type { UnknownWrite } from '#worker/storage/deadline'

/** What a caller is told if it is not known whether a write was carried out. */
export const unknownWrite = ({ type }: CatalogKey, batchId: string): UnknownWrite => ({
  howToFindOut: `GET /admin/catalogs/v1/${type}/writes/${batchId} answers 200 if it was, and 404 if it was not`,
  errors: [{ code: 'unknown_outcome', batch_id: batchId } satisfies UnknownOutcome],
})

/** The database cannot be asked what became of a write. */
export const unknownOutcome = (scope: CatalogKey, batchId: string, cause: unknown): ApiError => {
  const { howToFindOut, errors } = unknownWrite(scope, batchId)
  return new ApiError(
    'unavailable',
    `The database is not available at the moment. It is not known whether the write was carried out: ${howToFindOut}. A retry is safe.`,
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
