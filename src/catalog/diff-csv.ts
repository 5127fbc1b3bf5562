import type { SQL } from 'drizzle-orm'
import { type ChangeRow, changesPage, leftOutPage, revisionStatement } from '#catalog/sql/diff'
import type { Chunk } from '#catalog/sql/write'
import type { Paced } from '#http/expensive-reads'
import type { Change } from '#records/change'
import { BYTE_ORDER_MARK, cellOf, lineOf, withoutFormula } from '#records/csv/write'
import type { RecordSource } from '#records/source'
import type { Catalog } from './catalog'
import { checkAll } from './check'
import { staleRevision } from './conflicts'
import { byRequestOrder, type RecordChange, recordChange } from './diff'

export const diffHeader = lineOf(['change', 'id', 'name', 'field', 'old', 'new'])

export interface DiffCsvOptions {
  expectedRevision: number | null
  /** Only changes of this kind; null for all. */
  only: Change | null
  /** Whether cells are written `withoutFormula`. */
  safe: boolean
  paced: Paced
}

/** A diff at one revision of the catalog. */
interface Pinned extends Catalog, Pick<DiffCsvOptions, 'safe' | 'paced'> {
  revision: number
}

/**
 * The complete diff as CSV, in portions (docs/contract.md#diff): the records sent, in the order of the request, then
 * the records that a reconcile leaves out, by id. It has a line for each changed field, and a line without a field
 * for each record that is inserted, reactivated or deactivated. Writes nothing, and shows neither warnings nor the
 * shrink guard.
 *
 * Reads one page at a time, so that only one page is in memory. The whole diff is of one revision: if the catalog
 * changes in between, the portions end with an error.
 *
 * @returns once all records are checked and the revision is the expected one
 * @throws ApiError 400 with every error of every record; 409 for a stale revision, also between two portions
 */
export async function diffCsv(
  catalog: Catalog,
  source: RecordSource,
  mode: 'upsert' | 'reconcile',
  { expectedRevision, only, safe, paced }: DiffCsvOptions,
): Promise<AsyncGenerator<string>> {
  const { chunks, ids } = await checkAll(catalog.type, source, mode)
  const [row] = await catalog.db.all<{ revision: number }>(revisionStatement(catalog.scope))
  const { revision } = row!
  if (expectedRevision !== null && expectedRevision !== revision)
    throw staleRevision(revision, expectedRevision)
  const leftOut = mode === 'reconcile' && (only ?? 'deactivated') === 'deactivated' ? ids : null
  return csvOf({ ...catalog, revision, safe, paced }, chunks, leftOut, only)
}

/** A diff as CSV, from statements that give one page after another. */
export async function* changeLines(
  pinned: Pinned,
  statement: (last: ChangeRow | undefined) => SQL,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + diffHeader
  yield* pages(pinned, statement)
}

async function* csvOf(
  pinned: Pinned,
  chunks: Chunk[],
  ids: string[] | null,
  only: Change | null,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + diffHeader
  const { scope } = pinned
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
    const sent = chunk
    yield* pages(pinned, (last) => changesPage(scope, sent, last?.place ?? -1, only))
  }
  if (ids !== null) yield* pages(pinned, (last) => leftOutPage(scope, ids, last?.record_id ?? ''))
}

/**
 * @param statement the page after a row, or the first page
 * @throws ApiError 409 when the catalog is no longer at the revision
 */
async function* pages(
  { db, type, revision, safe, paced }: Pinned,
  statement: (last: ChangeRow | undefined) => SQL,
): AsyncGenerator<string> {
  let last: ChangeRow | undefined
  for (;;) {
    const rows = await paced(() => db.all<ChangeRow & { revision: number }>(statement(last)))
    if (rows[0]!.revision !== revision) throw staleRevision(rows[0]!.revision, revision)
    const changes = byRequestOrder(rows.filter(({ change }) => change !== null))
    if (changes.length === 0) return
    yield changes.map((row) => linesOf(recordChange(type, row), safe)).join('')
    last = changes.at(-1)
  }
}

export function linesOf({ change, id, name, fields }: RecordChange, safe: boolean): string {
  const line = (cells: string[]) => lineOf(safe ? cells.map(withoutFormula) : cells)
  const whole = change === 'updated' ? '' : line([change, id, name, '', '', ''])
  const lines = fields.map(({ field, before, after }) =>
    line([change, id, name, field.name, cellOf(field, before), cellOf(field, after)]),
  )
  return whole + lines.join('')
}
