import type * as z from 'zod'
import { EXPORT_PAGE_ROWS } from '#shared/limits'
import { CHANGES } from '#shared/records/change'
import type { Catalog } from '#worker/catalog/catalog'
import { type ComparisonRow, comparisonStatement, type Span } from '#worker/catalog/history/sql/comparison'
import { beyondRevision, notRestorable } from '#worker/catalog/write/conflicts'
import type { ChangeRow } from '#worker/catalog/write/sql/diff'
import { firstOf, type Paced } from '#worker/storage/database'
import { asPage, type PageRequest } from '#worker/storage/paged'
import type { comparisonPageSchema } from './schemas'
import { changesCsv, returnedChange } from './writes'

const isListed = (row: ComparisonRow): row is ComparisonRow & ChangeRow => row.change !== null

/** @throws ApiError 400 for a revision that the catalog has not reached; 409 for one that is no longer kept */
async function readComparison({ db, scope }: Catalog, span: Span, page: PageRequest) {
  const all = await db.all(comparisonStatement(scope, span, page))
  const first = firstOf(all)
  if (span.to > first.revision) throw beyondRevision('to', span.to, first.revision)
  const refusal = notRestorable(span.from, first.revision, first.history_from)
  if (refusal) throw refusal
  return { first, rows: all.filter(isListed), total: CHANGES.reduce((sum, change) => sum + first[change], 0) }
}

/**
 * A page of how a catalog differs between two revisions, whatever happened in between.
 *
 * @throws ApiError as `readComparison`
 */
export async function compare(
  catalog: Catalog,
  span: Span,
  page: PageRequest,
): Promise<z.output<typeof comparisonPageSchema>> {
  const { first, rows, total } = await readComparison(catalog, span, page)
  const { inserted, updated, reactivated, deactivated } = first
  const items = rows.map((row) => returnedChange(catalog.type, row))
  return { ...span, inserted, updated, reactivated, deactivated, ...asPage(items, total, page) }
}

/** The same as CSV, in portions. @throws ApiError as `readComparison`, also between two portions */
export const comparisonCsv = (
  catalog: Catalog,
  span: Span,
  safe: boolean,
  paced: Paced,
): Promise<AsyncGenerator<string>> =>
  changesCsv(catalog.type, safe, (offset) =>
    paced(() => readComparison(catalog, span, { limit: EXPORT_PAGE_ROWS, offset })),
  )
