import { type SQL, sql } from 'drizzle-orm'
import { DIFF_LIST_RECORDS, DIFF_PAGE_ROWS } from '#shared/limits'
import { CHANGES, type Change } from '#shared/records/change'
import {
  committedRow,
  countChanges,
  describeWrite,
  nameLengthIn,
  openWrite,
  recordBytes,
  tellWebhooks,
  updateSearchIndex,
  type Write,
  type WriteHead,
} from '#worker/catalog/write/sql/commit'
import { type After, type ChangeRow, ofChange, withStored } from '#worker/catalog/write/sql/diff'
import { activeOf } from '#worker/catalog/write/sql/dry-run'
import { emptiedCounts, emptiedSlots } from '#worker/catalog/write/sql/emptied-fields'
import { type CatalogState, stateColumns } from '#worker/catalog/write/sql/state'
import type { CommittedRow } from '#worker/catalog/write/sql/writes'
import { type CatalogKey, catalogIdOf, firstRowId } from '#worker/storage/catalog-scope'
import { type Ending, int } from '#worker/storage/database'
import { stopIf } from '#worker/storage/guards'
import { historyFrom, madeAt } from './history'
import { laterChanges, type UndoneWrite } from './undo'

/**
 * The SQL of a restore: the catalog becomes what it was after a revision. Each record becomes what its version of
 * that time was. A record that did not exist yet becomes inactive, because nothing is ever deleted. The batch that
 * writes also decides everything, and the records never leave the database.
 */

/** What goes back, and how far. */
export interface WayBack {
  /** Records become what they were after it. */
  revision: number
  /** The write that alone is taken back, which made the next revision; undefined if the whole catalog goes back. */
  undone?: UndoneWrite | undefined
  /** Whether records that later writes changed stay as they are. Without it they stop the undoing of a write. */
  leavesChanged?: boolean | undefined
}

/** A time at which the records were what they become. */
const timeThen = (scope: CatalogKey, { revision, undone }: WayBack): SQL =>
  undone === undefined ? madeAt(scope, revision) : int(undone.written_at - 1)

/** Condition on the record `r`: it is as the write left it that is taken back. Begins with `and`. */
const leftByUndone = ({ undone }: WayBack): SQL =>
  undone === undefined ? sql.empty() : sql` and r.updated_at = ${int(undone.written_at)}`

/** The version `v` of the record `r` that was current then; none if the record did not exist yet. */
const versionThen = (scope: CatalogKey, back: WayBack, record: string): SQL =>
  sql`record_versions v indexed by record_versions_row on v.row_id = ${sql.raw(record)}.row_id
    and v.ended_at > ${timeThen(scope, back)} and v.written_at <= ${timeThen(scope, back)}`

/** Records `r` that have changed since then, beside their versions `v` of that time, if the two differ. */
const differing = (scope: CatalogKey, back: WayBack): SQL =>
  sql`from records r indexed by records_list left join ${versionThen(scope, back, 'r')}
    where r.catalog_id = ${catalogIdOf(scope)} and r.is_active in (0, 1)
      and r.updated_at > ${timeThen(scope, back)}${leftByUndone(back)}
      and (r.is_active <> coalesce(v.is_active, 0) or r.data <> v.data)`

/**
 * The search text or the codes of the record's version `v`: the first ones kept from then on, because a version with
 * the same ones as the next one has none.
 */
const textThen = (scope: CatalogKey, back: WayBack, column: 'search_text' | 'codes'): SQL => {
  const name = sql.raw(column)
  return sql`iif(v.row_id is null, records.${name}, coalesce(
    (select s.${name} from record_versions s indexed by record_versions_row
      where s.row_id = records.row_id and s.ended_at > ${timeThen(scope, back)} and s.${name} is not null
      order by s.ended_at limit 1), records.${name}))`
}

/**
 * Writes the old values back, one record at a time, so that the database never holds all of them twice. The trigger
 * that keeps versions adds only later versions, which this statement does not read. Stops after one record too many.
 */
const writeBack = ({ scope, writtenAt }: Write, back: WayBack, most: number): SQL =>
  sql`update records set updated_at = ${writtenAt}, place = 0, state_before = 1 + is_active,
      size_before = ${recordBytes},
      (is_active, data, text_changed, name_length, search_text, codes) = (
        select is_active, data, search_text <> records.search_text or codes <> records.codes,
          ${nameLengthIn(sql.raw('search_text'))}, search_text, codes
        from (select coalesce(v.is_active, 0) as is_active, coalesce(v.data, records.data) as data,
            ${textThen(scope, back, 'search_text')} as search_text, ${textThen(scope, back, 'codes')} as codes
          from (select 1) left join ${versionThen(scope, back, 'records')} limit 1))
    where row_id in (select r.row_id ${differing(scope, back)} limit ${int(most + 1)})`

/** Stops a restore to a revision that never was, or is no longer kept. */
const stopUnlessKept = ({ workspaceId, type }: CatalogKey, revision: number): SQL =>
  stopIf(
    sql`'unrestorable_revision:' || revision || ':' || history_from`,
    sql`catalogs where workspace_id = ${workspaceId} and type = ${type}
      and (${int(revision)} > revision or ${int(revision)} < history_from)`,
  )

/** Stops a restore of too many records. */
const stopIfTooMany = ({ changed }: Write, most: number): SQL =>
  stopIf(
    sql`'too_many_restored:' || number`,
    sql`(select count(*) as number from records where ${changed}) where number > ${int(most)}`,
  )

/**
 * Stops the undoing of a write if later writes changed some of its records. Before anything is written back: after
 * that, every record has been changed later.
 */
const stopIfChangedLater = (scope: CatalogKey, undone: UndoneWrite): SQL =>
  stopIf(
    sql`'changed_later:' || number`,
    sql`(select count(*) as number ${laterChanges(scope, undone)}) where number > 0`,
  )

/** Why the database stopped a restore, from its message, with figures; no word for other errors. */
export function restoreStop(message: string): [word: string, first: number, second: number] {
  const [, word = '', first, second] =
    /(unrestorable_revision|too_many_restored|changed_later):(\d+)(?::(\d+))?/.exec(message) ?? []
  return [word, Number(first), Number(second)]
}

const RESTORE_COUNTS = sql.raw(`total = n.changed, reactivated = n.reactivated, deactivated = n.lost,
      updated = n.changed - n.reactivated - n.lost, revision = revision_before + (n.changed > 0),
      inserted = 0, unchanged = 0, outcome = iif(n.changed = 0, 'unchanged', outcome),
      active_after = active_before + n.gained - n.lost`)

/**
 * The statements of a restore, to be run as one batch. The last one returns the row of the write.
 *
 * @param most records that it may change
 */
export function restoreStatements(
  scope: CatalogKey,
  head: WriteHead,
  back: WayBack,
  most: number,
): Ending<CommittedRow> {
  const write = describeWrite(scope, head)
  const { revision, undone, leavesChanged } = back
  return [
    ...openWrite(write),
    stopUnlessKept(scope, revision),
    ...(undone === undefined || leavesChanged ? [] : [stopIfChangedLater(scope, undone)]),
    writeBack(write, back, most),
    stopIfTooMany(write, most),
    ...countChanges(write, RESTORE_COUNTS),
    ...updateSearchIndex(write),
    tellWebhooks(write),
    committedRow(write),
  ]
}

/** What a restore would do to each record that differs: the table `compared`. */
const restoredRecords = (scope: CatalogKey, back: WayBack): SQL =>
  sql`select r.row_id, r.record_id as id, v.ended_at, r.is_active as was_active, coalesce(v.is_active, 0) as is_active,
      case when r.is_active < coalesce(v.is_active, 0) then 'reactivated'
        when r.is_active > coalesce(v.is_active, 0) then 'deactivated' else 'updated' end as change,
      iif(r.data <> v.data, ${emptiedSlots(scope.type, sql.raw('r.data'), sql.raw('v.data'))}, 0) as emptied
    ${differing(scope, back)}`

export interface RestorableState extends CatalogState {
  /** The oldest revision that can be restored. */
  history_from: number
}

export interface RestoreRow extends RestorableState {
  active_before: number
  total: number
  reactivated: number
  deactivated: number
  /** See `emptiedCounts`. */
  emptied: string
}

const restoreOutcome = (scope: CatalogKey): SQL<RestoreRow> =>
  sql`select ${stateColumns(scope)}, ${historyFrom(scope)} as history_from, ${activeOf(scope)} as active_before,
    count(*) as total, count(*) filter (where change = 'reactivated') as reactivated,
    count(*) filter (where change = 'deactivated') as deactivated, ${emptiedCounts(sql.raw('compared'))} as emptied
  from compared`

const RESTORED_COLUMNS = sql.raw('change, 0 as left_out, row_id as place, id, row_id, ended_at, was_active, is_active')

/** It is in the version that the restore goes back to. */
const IN_VERSION: After = {
  data: sql.raw('v.data'),
  joins: sql.raw(`left join record_versions v on v.catalog_id = r.catalog_id and v.ended_at = l.ended_at
      and v.row_id = l.row_id`),
}

const comparing = (scope: CatalogKey, back: WayBack): SQL =>
  sql`with compared as materialized (${restoredRecords(scope, back)})`

/** The counts of a restore: one row. */
export const restoreDryRun = (scope: CatalogKey, back: WayBack): SQL<RestoreRow> =>
  sql`${comparing(scope, back)} ${restoreOutcome(scope)}`

/**
 * The counts of a restore and the first changes of each kind, in the order in which the records
 * were first written. One statement, so that the whole answer is of one moment.
 */
export function restoreDiff(scope: CatalogKey, back: WayBack): SQL<RestoreRow & ChangeRow> {
  const lists = CHANGES.map(
    (change) =>
      sql`select * from (select ${RESTORED_COLUMNS} from compared
        where ${ofChange(change)}
        order by row_id limit ${int(DIFF_LIST_RECORDS)})`,
  )
  return sql`${comparing(scope, back)}, counted as materialized (${restoreOutcome(scope)})
    ${withStored(sql`counted`, sql.join(lists, sql` union all `), 'each kind', IN_VERSION)}`
}

/** One row: the state of the catalog, and the oldest revision that can be restored. */
const pinned = (scope: CatalogKey): SQL<RestorableState> =>
  sql`(select ${stateColumns(scope)}, ${historyFrom(scope)} as history_from)`

/** A page of what a restore would change after a row id, in any order; every row has the columns of `pinned`. */
export function restoreChangesPage(
  scope: CatalogKey,
  back: WayBack,
  after: number,
  only: Change | null,
): SQL<ChangeRow & RestorableState> {
  const wanted = only === null ? sql.empty() : sql`and ${ofChange(only)}`
  const beyond = after < 0 ? firstRowId(catalogIdOf(scope)) : sql`${int(after)} + 1`
  return withStored(
    pinned(scope),
    sql`select ${RESTORED_COLUMNS} from (${restoredRecords(scope, back)})
      where row_id >= ${beyond} ${wanted} order by row_id limit ${int(DIFF_PAGE_ROWS)}`,
    'all',
    IN_VERSION,
  )
}
