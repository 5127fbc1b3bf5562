import { type SQL, sql } from 'drizzle-orm'
import { ApiError, apiErrorOf } from '#shared/errors/errors'
import { hasSlot } from '#shared/records/stored-form'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { NO_EPOCH } from '#worker/storage/schema/catalogs'

/** Identifies a state of a catalog; see `catalogs.epoch`. */
export interface CatalogState {
  revision: number
  epoch: string
  /** See `catalogs.used_slots`. */
  used_slots: number
}

const revisionOf = (catalogKey: CatalogKey): SQL =>
  sql`coalesce((select revision from catalogs where catalog_id = ${catalogIdOf(catalogKey)}), 0)`

const epochOf = (catalogKey: CatalogKey): SQL =>
  sql`coalesce((select epoch from catalogs where catalog_id = ${catalogIdOf(catalogKey)}), ${NO_EPOCH})`

const usedSlotsOf = (catalogKey: CatalogKey): SQL =>
  sql`coalesce((select used_slots from catalogs where catalog_id = ${catalogIdOf(catalogKey)}), 0)`

export const stateColumns = (catalogKey: CatalogKey): SQL =>
  sql`${revisionOf(catalogKey)} as revision, ${epochOf(catalogKey)} as epoch, ${usedSlotsOf(catalogKey)} as used_slots`

export const stateStatement = (catalogKey: CatalogKey): SQL<CatalogState> => sql`select ${stateColumns(catalogKey)}`

/** The epoch after a write, from its row in `uploads`. After a write that changed nothing, that of its revision. */
export const EPOCH_AFTER = sql.raw(`iif(uploads.revision > uploads.revision_before, uploads.upload_id, coalesce(
    (select made_by.upload_id from uploads as made_by where made_by.catalog_id = uploads.catalog_id
      and made_by.revision = uploads.revision and made_by.revision > made_by.revision_before), '${NO_EPOCH}'))`)

/** Condition: the catalog has or had this epoch, and was not restored to an earlier state since. */
export const knowsEpoch = (catalogKey: CatalogKey, epoch: string): SQL =>
  sql`(${epoch} = ${epochOf(catalogKey)} or exists (select 1 from uploads
    where upload_id = ${epoch} and catalog_id = ${catalogIdOf(catalogKey)} and revision > revision_before))`

/** The state that a request expects, or in which a diff started; null if it expects none. */
export interface ExpectedState {
  expectedRevision: number | null
  expectedEpoch: string | null
  /** Slots that no record may use; see `catalogs.used_slots`. */
  unusedSlots?: readonly number[]
}

export const asExpectedState = ({ revision, epoch }: Omit<CatalogState, 'used_slots'>): ExpectedState => ({
  expectedRevision: revision,
  expectedEpoch: epoch,
})

/** @throws ApiError 409 if the catalog is in a different state */
export function requireState(state: CatalogState, expected: ExpectedState): void {
  const { expectedRevision, expectedEpoch, unusedSlots = [] } = expected
  const isSame =
    (expectedRevision ?? state.revision) === state.revision && (expectedEpoch ?? state.epoch) === state.epoch
  const usesMore = unusedSlots.some((slot) => hasSlot(state.used_slots, slot))
  if (!isSame || usesMore) throw staleState(state.revision, expected)
}

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

/** The error for a caller who expects no state, in place of one from `staleState`. */
export function changedMeanwhile(stale: unknown): ApiError {
  const entry = apiErrorOf(stale)?.details.logEntry
  return new ApiError(
    'conflict',
    'Other requests changed the catalog at the same time. Nothing was written; send the request again.',
    entry && 'outcome' in entry ? { logEntry: { ...entry, expected_revision: null } } : {},
  )
}

/** Whether an error comes from `staleState`. */
export function isStaleState(error: unknown): boolean {
  const entry = apiErrorOf(error)?.details.logEntry
  return entry !== undefined && 'outcome' in entry && entry.outcome === 'stale'
}
