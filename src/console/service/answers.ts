import type { Data } from '#client/api'
import type { ChangeKind } from '#shared/records/change'

/** The console's names for types of responses. */

export type WriteResult = Data<'post', '/admin/datasets/v1/'>
export type RestoreResult = Data<'post', '/admin/catalogs/v1/{type}/restore'>
export type CatalogStatus = Data<'get', '/admin/catalogs/v1/{type}'>
export type ActivityDay = Data<'get', '/admin/catalogs/v1/activity'>['items'][number]['days'][number]
export type Upload = Data<'get', '/admin/catalogs/v1/{type}/uploads/{upload_id}'>
export type Write = Data<'get', '/admin/catalogs/v1/{type}/writes/{batch_id}'>
/** A write as the list returns it. Small writes include their changes. */
export type ListedWrite = Data<'get', '/admin/catalogs/v1/{type}/writes'>['items'][number]
export type ChangesPage = Data<'get', '/admin/catalogs/v1/{type}/writes/{batch_id}/changes'>
export type WriteChange = ChangesPage['items'][number]
export type RecordVersion = Data<'get', '/admin/catalogs/v1/{type}/records/{entity_id}/history'>['items'][number]
export type RecordPage = Data<'get', '/admin/datasets/v1/'>
export type SearchResult = Data<'get', '/medical-db/v1/search/'>
export type SearchSource = SearchResult['source']

/** The first records of each kind of change. */
export interface Diff {
  diff: NonNullable<WriteResult['diff']>
}

/** The result of a dry run of a write or a restore. */
export type Preview = (WriteResult | RestoreResult) & Diff

/** Identifies a state of a catalog. */
export type CatalogState = Pick<CatalogStatus, 'revision' | 'epoch'>

/** Parameters that make a write depend on the catalog state that was seen. */
export const expecting = ({ revision, epoch }: CatalogState) => ({
  expected_revision: revision,
  expected_epoch: epoch,
})

/** Parameters of a dry run that returns all changed records, or those of one kind, as a file. */
export const fullList = (state: CatalogState, change: ChangeKind | undefined) =>
  ({
    ...expecting(state),
    dry_run: true,
    include: 'diff',
    format: 'csv',
    safe: '1',
    change,
  }) as const

/** For a response without lists, which is not expected: it has nothing to show. */
const NO_CHANGES: Diff['diff'] = { inserted: [], updated: [], reactivated: [], deactivated: [] }

export const withDiff = <Result extends WriteResult | RestoreResult>(result: Result): Result & Diff => ({
  ...result,
  diff: result.diff ?? NO_CHANGES,
})
