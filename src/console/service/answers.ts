import type { Data } from '#client/api'
import type { ChangeKind } from '#shared/records/change'

/** What the service answers, under the names that the console has for it. */

export type WriteResult = Data<'post', '/admin/datasets/v1/'>
export type RestoreResult = Data<'post', '/admin/catalogs/v1/{type}/restore'>
export type CatalogStatus = Data<'get', '/admin/catalogs/v1/{type}'>
export type ActivityDay = Data<'get', '/admin/catalogs/v1/activity'>['items'][number]['days'][number]
export type Upload = Data<'get', '/admin/catalogs/v1/{type}/uploads/{upload_id}'>
export type Write = Data<'get', '/admin/catalogs/v1/{type}/writes/{batch_id}'>
/** As it is in a list, in which small ones say what they changed. */
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

/** What a write or a restore would do, as its dry run says. */
export type Preview = (WriteResult | RestoreResult) & Diff

/** What names a state of a catalog. */
export type CatalogState = Pick<CatalogStatus, 'revision' | 'epoch'>

/** What makes a write depend on the state in which the catalog was seen. */
export const expecting = ({ revision, epoch }: CatalogState) => ({
  expected_revision: revision,
  expected_epoch: epoch,
})

/** What asks a dry run on a state for all records that change, or those of one kind, as a file to read. */
export const fullList = (state: CatalogState, change: ChangeKind | undefined) =>
  ({
    ...expecting(state),
    dry_run: true,
    include: 'diff',
    format: 'csv',
    safe: '1',
    change,
  }) as const

/** A dry run that answers without lists is not expected: it would have nothing to show. */
const NO_CHANGES: Diff['diff'] = { inserted: [], updated: [], reactivated: [], deactivated: [] }

export const withDiff = <Result extends WriteResult | RestoreResult>(result: Result): Result & Diff => ({
  ...result,
  diff: result.diff ?? NO_CHANGES,
})
