import { type SQL, sql } from 'drizzle-orm'
import { CHANGES, type Change } from '#shared/records/change'
import type { Catalog } from '#worker/catalog/catalog'
import { historyFrom, madeAt } from '#worker/catalog/history/sql/history'
import { withinPageBytes } from '#worker/catalog/read/sql/page'
import { type ChangeRow, changeBetween, ofChange } from '#worker/catalog/write/sql/diff'
import { revisionOf } from '#worker/catalog/write/sql/state'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-scope'
import { firstOf, int } from '#worker/storage/database'
import type { PageRequest } from '#worker/storage/paged'
import { beyondRevision, notRestorable } from './refusals'

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

/** Two revisions, the earlier one first. */
interface Span {
  from: number
  to: number
}

/** A record that differs, or none, in a row that says the same of all of them. */
type ComparisonRow = (ChangeRow | { [column in keyof ChangeRow]: null }) &
  Record<Change, number> & {
    /** Present revision, and the oldest one that can be restored. */
    revision: number
    history_from: number
  }

const isListed = (row: ComparisonRow): row is ComparisonRow & ChangeRow => row.change !== null

const versionAt = (name: string, scope: CatalogKey, revision: number): SQL => {
  const version = sql.raw(name)
  const time = () => madeAt(scope, revision)
  return sql`left join record_versions ${version} indexed by record_versions_row
    on ${version}.row_id = now.row_id and ${version}.ended_at > ${time()} and ${version}.written_at <= ${time()}`
}

/**
 * Records that differ between two revisions: `earlier` and `later` are their versions; a record that has not changed
 * since then is in `now` itself. Only keys, so that no text is sorted.
 */
const differences = (scope: CatalogKey, { from, to }: Span): SQL =>
  sql`select now.row_id, earlier.ended_at as before_at, later.ended_at as after_at,
      ${changeBetween('earlier', 'coalesce(later.is_active, now.is_active)')} as change
    from records now indexed by records_list
      ${versionAt('earlier', scope, from)}
      ${versionAt('later', scope, to)}
    where now.catalog_id = ${catalogIdOf(scope)} and now.is_active in (0, 1) and now.updated_at > ${madeAt(scope, from)}
      and (later.row_id is not null or now.updated_at <= ${madeAt(scope, to)})
      and (earlier.row_id is null or earlier.is_active <> coalesce(later.is_active, now.is_active)
        or earlier.data <> coalesce(later.data, now.data))`

/**
 * A page of the records that differ, in the order in which they were first written, and how many of each kind there
 * are.
 */
function comparisonStatement(scope: CatalogKey, span: Span, { limit, offset }: PageRequest): SQL<ComparisonRow> {
  const counts = CHANGES.map((change) => sql`count(*) filter (where ${ofChange(change)}) as ${sql.raw(change)}`)
  const order = sql.raw('row_id')
  const version = (name: string, endedAt: string) =>
    sql.raw(`left join record_versions ${name} on ${name}.catalog_id = now.catalog_id
      and ${name}.ended_at = listed.${endedAt} and ${name}.row_id = listed.row_id`)
  const versions = sql`join records now on now.row_id = listed.row_id
    ${version('earlier', 'before_at')}
    ${version('later', 'after_at')}`
  const keys = sql`select listed.*,
      coalesce(octet_length(earlier.data), 0) + octet_length(coalesce(later.data, now.data)) as bytes
    from (select * from differing order by row_id limit ${int(limit)} offset ${int(offset)}) as listed ${versions}`
  return sql`with differing as materialized (${differences(scope, span)}),
    counted as materialized (
      select ${revisionOf(scope)} as revision, ${historyFrom(scope)} as history_from, ${sql.join(counts, sql`, `)}
      from differing),
    page as materialized (${withinPageBytes(keys, order)})
    select counted.*, listed.change, 0 as left_out, listed.row_id as position, now.record_id,
      earlier.is_active as was_active, coalesce(later.is_active, now.is_active) as is_active,
      earlier.data as before, coalesce(later.data, now.data) as after
    from counted left join (page as listed ${versions}) on true
    order by listed.row_id`
}
