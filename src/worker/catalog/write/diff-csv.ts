import type { SQL } from 'drizzle-orm'
import type { Change } from '#shared/records/change'
import { BYTE_ORDER_MARK, cellOf, lineOf, withoutFormula } from '#shared/records/csv/write'
import type { RecordSource } from '#shared/records/source'
import type { Catalog } from '#worker/catalog/catalog'
import { type ChangeRow, diffPage, leftOutPage } from '#worker/catalog/write/sql/diff'
import type { Chunk } from '#worker/catalog/write/sql/elements'
import { type CatalogState, stateStatement } from '#worker/catalog/write/sql/state'
import { pause } from '#worker/http/sharing/turns'
import type { Paced } from '#worker/storage/database'
import { firstOf } from '#worker/storage/database'
import { checkAll } from './check'
import { type ExpectedState, requireState } from './conflicts'
import { byRequestOrder, type RecordChange, recordChange } from './diff'
import { KeptFields } from './kept-fields'

/** Rows whose lines are made at once: some ten milliseconds. Then other requests of the isolate have a turn. */
const ROWS_PER_PORTION = 500

export const diffHeader = lineOf(['change', 'id', 'name', 'field', 'old', 'new'])

export interface DiffCsvOptions extends ExpectedState {
  /** Whether fields that are not sent keep their stored values; for a write only. */
  keepsMissing?: boolean | undefined
  /** Only changes of this kind; null for all. */
  only: Change | null
  /** Whether cells are written `withoutFormula`. */
  safe: boolean
  paced: Paced
}

/** A diff of one state of the catalog. `State` is what each row of a page says of it. */
interface Pinned<State extends CatalogState> extends Catalog, Pick<DiffCsvOptions, 'safe' | 'paced'> {
  /** @throws ApiError 409 when the page is of another state than the pages before */
  require(state: State): void
}

/** The page after a row, or the first page. */
type PageAfter<State> = (last: ChangeRow | undefined) => SQL<ChangeRow & State>

/** @throws ApiError 409 when the catalog is no longer in the state in which the diff began */
export const requireSame =
  ({ revision, epoch }: CatalogState) =>
  (found: CatalogState): void =>
    requireState(found, { expectedRevision: revision, expectedEpoch: epoch })

/**
 * The complete diff as CSV, in portions (docs/contract.md#diff): the records sent, in the order of the request, then
 * the records that a reconcile leaves out, by id. It has a line for each changed field, and a line without a field
 * for each record that is inserted, reactivated or deactivated. Writes nothing, and shows neither warnings nor the
 * shrink guard.
 *
 * Reads one page at a time, so that only one page is in memory. The whole diff is of one state: if the catalog
 * changes in between, the portions end with an error.
 *
 * @returns once all records are checked and the catalog is in the expected state
 * @throws ApiError 400 with every error of every record; 409 for another state, also between two portions
 */
export async function diffCsv(
  catalog: Catalog,
  source: RecordSource,
  mode: 'upsert' | 'reconcile',
  options: DiffCsvOptions,
): Promise<AsyncGenerator<string>> {
  const kept = options.keepsMissing ? await KeptFields.begin(catalog, options) : undefined
  const { chunks, idLists } = await checkAll(catalog.type, source, mode, kept)
  const { only } = options
  const state = await catalog.db.one(stateStatement(catalog.scope))
  requireState(state, kept?.expected ?? options)
  const leftOut = mode === 'reconcile' && (only ?? 'deactivated') === 'deactivated' ? idLists : null
  const require = requireSame(state)
  return csvOf({ ...catalog, require, safe: options.safe, paced: options.paced }, chunks, leftOut, only)
}

/** A diff as CSV, from statements that give one page after another. */
export async function* changeLines<State extends CatalogState>(
  pinned: Pinned<State>,
  statement: PageAfter<State>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + diffHeader
  yield* pages(pinned, statement)
}

async function* csvOf(
  pinned: Pinned<CatalogState>,
  chunks: Chunk[],
  ids: string[] | null,
  only: Change | null,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + diffHeader
  const { scope } = pinned
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
    const sent = chunk
    yield* pages(pinned, (last) => diffPage(scope, sent, last?.place ?? -1, only))
  }
  if (ids !== null) yield* pages(pinned, (last) => leftOutPage(scope, ids, last?.record_id ?? ''))
}

/** @throws ApiError 409 when the catalog is no longer what it was at the first page */
async function* pages<State extends CatalogState>(
  { db, type, require, safe, paced }: Pinned<State>,
  statement: PageAfter<State>,
): AsyncGenerator<string> {
  let last: ChangeRow | undefined
  for (;;) {
    const rows = await paced(() => db.all(statement(last)))
    require(firstOf(rows))
    const changes = byRequestOrder(rows.filter(({ change }) => change !== null))
    if (changes.length === 0) return
    for (let start = 0; start < changes.length; start += ROWS_PER_PORTION) {
      if (start > 0) await pause()
      const portion = changes.slice(start, start + ROWS_PER_PORTION)
      yield portion.map((row) => csvLinesOf(recordChange(type, row), safe)).join('')
    }
    last = changes.at(-1)
  }
}

export function csvLinesOf({ change, id, name, fields }: RecordChange, safe: boolean): string {
  const line = (cells: string[]) => lineOf(safe ? cells.map(withoutFormula) : cells)
  const whole = change === 'updated' ? '' : line([change, id, name, '', '', ''])
  const lines = fields.map(({ field, before, after }) =>
    line([change, id, name, field.name, cellOf(field, before), cellOf(field, after)]),
  )
  return whole + lines.join('')
}
