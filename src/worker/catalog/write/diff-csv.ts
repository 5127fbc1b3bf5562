import type { SQL } from 'drizzle-orm'
import type { Change } from '#shared/records/change'
import { BYTE_ORDER_MARK, cellOf, lineOf, withoutFormula } from '#shared/records/csv/write'
import type { RecordType } from '#shared/records/record-type'
import type { RecordSource } from '#shared/records/source'
import type { Catalog } from '#worker/catalog/catalog'
import { type ChangeRow, diffPage, leftOutPage } from '#worker/catalog/write/sql/dry-run'
import {
  asExpectedState,
  type CatalogState,
  type ExpectedState,
  requireState,
  stateStatement,
} from '#worker/catalog/write/sql/state'
import { pause } from '#worker/http/sharing/large-bodies'
import { firstOf, type ReadInTurn } from '#worker/storage/database'
import { type CheckOptions, checkRequest } from './check-request'
import type { Chunk } from './chunks'
import { byRequestOrder, type RecordChange, recordChange } from './diff'

/** Rows whose lines are made at once: some ten milliseconds. Then other requests of the isolate have a turn. */
const ROWS_PER_PORTION = 500

const HEADER = lineOf(['change', 'id', 'name', 'field', 'old', 'new'])

/**
 * Changes as CSV, in portions (docs/contract.md#diff): a line for each changed field, and a line without a field for
 * each record that is inserted, reactivated or deactivated.
 *
 * @param safe whether cells are written `withoutFormula`
 */
export async function* changesCsv(
  type: RecordType,
  safe: boolean,
  pages: AsyncIterable<readonly ChangeRow[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + HEADER
  for await (const rows of pages) {
    for (let start = 0; start < rows.length; start += ROWS_PER_PORTION) {
      if (start > 0) await pause()
      const portion = rows.slice(start, start + ROWS_PER_PORTION)
      yield portion.map((row) => csvLinesOf(recordChange(type, row), safe)).join('')
    }
  }
}

function csvLinesOf({ change, id, name, fields }: RecordChange, safe: boolean): string {
  const line = (cells: string[]) => lineOf(safe ? cells.map(withoutFormula) : cells)
  const whole = change === 'updated' ? '' : line([change, id, name, '', '', ''])
  const lines = fields.map(({ field, before, after }) =>
    line([change, id, name, field.name, cellOf(field, before), cellOf(field, after)]),
  )
  return whole + lines.join('')
}

export interface DiffCsvOptions extends ExpectedState {
  /** Only changes of this kind; null for all. */
  kind: Change | null
  /** Whether cells are written `withoutFormula`. */
  safe: boolean
  readInTurn: ReadInTurn
}

/** A diff of one state of the catalog. `State` is what each row of a page says of it. */
interface PinnedCatalog<State extends CatalogState> extends Catalog {
  readInTurn: ReadInTurn
  /** @throws ApiError 409 when the page is of another state than the pages before */
  require(state: State): void
}

/** Pages of changes, each from a statement that is given the last row of the page before. */
export async function* changePages<State extends CatalogState>(
  { db, require, readInTurn }: PinnedCatalog<State>,
  statement: (last: ChangeRow | undefined) => SQL<ChangeRow & State>,
): AsyncGenerator<ChangeRow[]> {
  for (let last: ChangeRow | undefined; ; ) {
    const rows = await readInTurn(() => db.all(statement(last)))
    require(firstOf(rows))
    const changes = byRequestOrder(rows)
    if (changes.length === 0) return
    yield changes
    last = changes.at(-1)
  }
}

/**
 * The complete diff as CSV: the records sent, in the order of the request, then those that a reconcile leaves out, by
 * id. Only one page is in memory.
 *
 * @returns once all records are checked and the catalog is in the expected state
 * @throws ApiError 400 with every error of every record; 409 for another state, also between two portions
 */
export async function diffCsv(
  catalog: Catalog,
  source: RecordSource,
  options: CheckOptions & DiffCsvOptions,
): Promise<AsyncGenerator<string>> {
  const { chunks, idLists, expected } = await checkRequest(catalog, source, options)
  const { mode, kind, safe, readInTurn } = options
  const state = await catalog.db.one(stateStatement(catalog.catalogKey))
  requireState(state, expected)
  const leftOut = mode === 'reconcile' && (kind ?? 'deactivated') === 'deactivated' ? idLists : null
  const pinnedCatalog = {
    ...catalog,
    readInTurn,
    require: (pageState: CatalogState) => requireState(pageState, asExpectedState(state)),
  }
  return changesCsv(catalog.type, safe, diffPages(pinnedCatalog, chunks, leftOut, kind))
}

/** Drops each chunk after it was read. */
async function* diffPages(
  catalog: PinnedCatalog<CatalogState>,
  chunks: Chunk[],
  ids: string[] | null,
  kind: Change | null,
): AsyncGenerator<ChangeRow[]> {
  const { catalogKey } = catalog
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
    const current = chunk
    yield* changePages(catalog, (last) => diffPage(catalogKey, current, last?.position ?? -1, kind))
  }
  if (ids !== null) yield* changePages(catalog, (last) => leftOutPage(catalogKey, ids, last?.record_id ?? ''))
}
