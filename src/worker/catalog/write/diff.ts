import type { SQL } from 'drizzle-orm'
import { DIFF_LIST_RECORDS } from '#shared/limits'
import type { ChangeKind } from '#shared/records/change'
import { BYTE_ORDER_MARK, cellOf, lineOf, withoutFormula } from '#shared/records/csv/write'
import type { Field, FieldValue, RecordType } from '#shared/records/record-type'
import type { RecordSource } from '#shared/records/source'
import { isEmptyList, type ReturnedRecord, returnedForm } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import type { Diff, DiffEntry } from '#worker/catalog/schemas'
import { type DiffRow, diffPage, leftOutPage } from '#worker/catalog/write/sql/dry-run'
import {
  asExpectedState,
  type CatalogState,
  type ExpectedState,
  requireState,
  stateStatement,
} from '#worker/catalog/write/sql/state'
import { textInSteps } from '#worker/http/steps'
import { databaseInSlots, firstOf, type WithSlot } from '#worker/storage/database'
import { type CheckedRequest, type CheckOptions, checkRequest, inComparedState } from './check-request'
import type { Chunk } from './sql/sent-records'

/** A field that a write changes, in the returned form. `before` is null for a new record. */
interface FieldChange {
  field: Field
  before: FieldValue
  after: FieldValue
}

interface RecordDiff {
  change: ChangeKind
  id: string
  /** The new name, or the stored name of a record missing from the request. */
  name: string
  /** In the order of the type's definition. Empty for a record that is only deactivated. */
  fields: FieldChange[]
}

/** `change` shows the state, so `is_active` is not among the fields, except for a new inactive record. */
export function recordChange(type: RecordType, row: Omit<DiffRow, 'left_out' | 'position' | 'was_active'>): RecordDiff {
  const { change, record_id: id, is_active } = row
  const before = sideOf(type, id, is_active, row.before)
  const after = sideOf(type, id, is_active, row.after)
  const fields = after === null ? [] : before === null ? presentFields(type, after) : fieldChanges(type, before, after)
  return { change, id, name: String((after ?? before)?.name), fields }
}

/** The returned form of one side, without its time of change. */
const sideOf = (type: RecordType, id: string, isActive: 0 | 1 | null, data: string | null): ReturnedRecord | null =>
  data === null ? null : returnedForm(type, { record_id: id, is_active: isActive ?? 1, written_at: 0, data })

/** Whether the record has no display name of its own. Then the returned form repeats the name. */
const followsName = (record: ReturnedRecord): boolean => record.display_name === record.name

function fieldChanges(type: RecordType, before: ReturnedRecord, after: ReturnedRecord): FieldChange[] {
  const namesFollow = followsName(before) && followsName(after)
  return type.fields
    .map((field) => ({ field, before: before[field.name], after: after[field.name] }))
    .filter(({ field }) => !(field.name === 'display_name' && namesFollow))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

const isPresent = (field: Field, value: unknown): boolean =>
  value !== null && !(field.kind === 'list' && isEmptyList(value))

/** Every field of a new record that has a value of its own, and `is_active` only when it is false. */
function presentFields(type: RecordType, record: ReturnedRecord): FieldChange[] {
  const omittedNames = new Set([type.idField, ...(followsName(record) ? ['display_name'] : [])])
  return type.fields
    .map((field) => ({ field, before: null, after: record[field.name] }))
    .filter(({ field, after }) =>
      field.name === 'is_active' ? after === false : isPresent(field, after) && !omittedNames.has(field.name),
    )
}

export const fieldValues = (fields: readonly FieldChange[]): Record<string, [unknown, unknown]> =>
  Object.fromEntries(fields.map(({ field, before, after }) => [field.name, [before, after]]))

/** A change in the form of JSON responses. A record that is only deactivated has no fields. */
export function returnedEntry({ change, id, name, fields }: RecordDiff): DiffEntry {
  if (change === 'deactivated' && fields.length === 0) return { id, name }
  return { id, name, fields: fieldValues(fields) }
}

/** @param rows in any order */
export function diffOf(type: RecordType, rows: readonly DiffRow[]): Diff {
  const diff: Diff = { inserted: [], updated: [], reactivated: [], deactivated: [] }
  for (const row of byRequestOrder(rows)) {
    const list: DiffEntry[] = diff[row.change]
    if (list.length < DIFF_LIST_RECORDS) list.push(returnedEntry(recordChange(type, row)))
  }
  return diff
}

/** In the order of the request, then missing records by ID. Without the row that means "no changes". */
const byRequestOrder = (rows: readonly DiffRow[]): DiffRow[] =>
  rows.filter(({ change }) => change !== null).sort((a, b) => a.left_out - b.left_out || a.position - b.position)

/** Work (`Work`) per change, in addition to its text: both sides are read and compared field by field. */
const CHANGE_UNITS = 600

const HEADER = lineOf(['change', 'id', 'name', 'field', 'old', 'new'])

/** Changes as CSV, in portions (docs/contract.md#diff). @param safe whether cells are written `withoutFormula` */
export async function* changesCsv(
  type: RecordType,
  safe: boolean,
  pages: AsyncIterable<readonly DiffRow[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + HEADER
  yield* textInSteps(pages, CHANGE_UNITS, (row) => csvLinesOf(recordChange(type, row), safe))
}

function csvLinesOf({ change, id, name, fields }: RecordDiff, safe: boolean): string {
  const line = (cells: string[]) => lineOf(safe ? cells.map(withoutFormula) : cells)
  const whole = change === 'updated' ? '' : line([change, id, name, '', '', ''])
  const lines = fields.map(({ field, before, after }) =>
    line([change, id, name, field.name, cellOf(field, before), cellOf(field, after)]),
  )
  return whole + lines.join('')
}

export interface DiffCsvOptions extends ExpectedState {
  /** Only changes of this kind; null for all. */
  kind: ChangeKind | null
  safe: boolean
  withSlot: WithSlot
}

/** A diff of one state of the catalog. `State` describes it, and is in each row of a page. */
interface PinnedCatalog<State extends CatalogState> extends Catalog {
  withSlot: WithSlot
  /** @throws ApiError 409 if the page is of a different state than the previous pages */
  require(state: State): void
}

/** Pages of changes, each from a statement that receives the last row of the previous page. */
export async function* changePages<State extends CatalogState>(
  { db, require, withSlot }: PinnedCatalog<State>,
  statement: (last: DiffRow | undefined) => SQL<DiffRow & State>,
): AsyncGenerator<DiffRow[]> {
  for (let last: DiffRow | undefined; ; ) {
    const rows = await withSlot(() => db.all(statement(last)))
    require(firstOf(rows))
    const changes = byRequestOrder(rows)
    if (changes.length === 0) return
    yield changes
    last = changes.at(-1)
  }
}

/**
 * The complete diff as CSV, in the order of the request, then missing records by ID. One page is in memory.
 *
 * @returns once all records are checked and the state is as expected
 * @throws ApiError 400 with every error of every record; 409 for an unexpected state, also between two portions
 */
export async function diffCsv(
  catalog: Catalog,
  source: RecordSource,
  options: CheckOptions & DiffCsvOptions,
): Promise<AsyncGenerator<string>> {
  const { mode, kind, safe, withSlot } = options
  const inSlots = { ...catalog, db: databaseInSlots(catalog.db, withSlot) }
  const read = async ({ chunks, idLists, expected }: CheckedRequest) => {
    const state = await inSlots.db.one(stateStatement(catalog.catalogKey))
    requireState(state, expected)
    const leftOut = mode === 'reconcile' && (kind ?? 'deactivated') === 'deactivated' ? idLists : null
    const require = (pageState: CatalogState) => requireState(pageState, asExpectedState(state))
    return changesCsv(catalog.type, safe, diffPages({ ...catalog, withSlot, require }, chunks, leftOut, kind))
  }
  return inComparedState(await checkRequest(inSlots, source, options), read)
}

/** Releases each chunk after reading it. */
async function* diffPages(
  catalog: PinnedCatalog<CatalogState>,
  chunks: Chunk[],
  ids: string[] | null,
  kind: ChangeKind | null,
): AsyncGenerator<DiffRow[]> {
  const { catalogKey } = catalog
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
    const current = chunk
    yield* changePages(catalog, (last) => diffPage(catalogKey, current, last?.position ?? -1, kind))
  }
  if (ids !== null) yield* changePages(catalog, (last) => leftOutPage(catalogKey, ids, last?.record_id ?? ''))
}
