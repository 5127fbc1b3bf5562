import { CHANGES } from '#shared/records/change'
import type { Catalog } from '#worker/catalog/catalog'
import { type ComparisonRow, comparisonStatement, type Span } from '#worker/catalog/history/sql/comparison'
import { beyondRevision, notRestorable } from '#worker/catalog/write/conflicts'
import type { ChangeRow } from '#worker/catalog/write/sql/diff'
import { firstOf } from '#worker/storage/database'
import type { PageRequest } from '#worker/storage/paged'

const isListed = (row: ComparisonRow): row is ComparisonRow & ChangeRow => row.change !== null

/**
 * Some of how a catalog differs between two revisions, whatever happened in between, and how many changes of each kind
 * there are.
 *
 * @throws ApiError 400 for a revision that the catalog has not reached; 409 for one that is no longer kept
 */
export async function readComparison({ db, scope }: Catalog, span: Span, page: PageRequest) {
  const all = await db.all(comparisonStatement(scope, span, page))
  const { revision, history_from, inserted, updated, reactivated, deactivated } = firstOf(all)
  if (span.to > revision) throw beyondRevision('to', span.to, revision)
  const refusal = notRestorable(span.from, revision, history_from)
  if (refusal) throw refusal
  const counts = { inserted, updated, reactivated, deactivated }
  return { rows: all.filter(isListed), total: CHANGES.reduce((sum, change) => sum + counts[change], 0), counts }
}
