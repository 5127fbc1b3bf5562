import { type SQL, sql } from 'drizzle-orm'
import { CHANGES, type Change } from '#shared/records/change'
import { withinPageBytes } from '#worker/catalog/read/sql/page'
import type { ChangeRow } from '#worker/catalog/write/sql/diff'
import { ofChange } from '#worker/catalog/write/sql/diff'
import { revisionOf } from '#worker/catalog/write/sql/state'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-scope'
import { int } from '#worker/storage/database'
import type { PageRequest } from '#worker/storage/paged'
import { historyFrom, madeAt } from './history'

/** Two revisions, the earlier one first. */
export interface Span {
  from: number
  to: number
}

/** A record that differs, or none, in a row that says the same of all of them. */
export type ComparisonRow = (ChangeRow | { [column in keyof ChangeRow]: null }) &
  Record<Change, number> & {
    /** Present revision, and the oldest one that can be restored. */
    revision: number
    history_from: number
  }

const versionAt = (name: string, scope: CatalogKey, revision: number): SQL => {
  const version = sql.raw(name)
  const time = () => madeAt(scope, revision)
  return sql`left join record_versions ${version} indexed by record_versions_row
    on ${version}.row_id = r.row_id and ${version}.ended_at > ${time()} and ${version}.written_at <= ${time()}`
}

/**
 * Records that differ between two revisions: `a` is a version of the earlier one, `b` of the later one; a record that
 * has not changed since then is in `r` itself. Only keys, so that no text is sorted.
 */
const differences = (scope: CatalogKey, { from, to }: Span): SQL =>
  sql`select r.row_id, a.ended_at as before_at, b.ended_at as after_at,
      case when a.row_id is null then 'inserted'
        when a.is_active < coalesce(b.is_active, r.is_active) then 'reactivated'
        when a.is_active > coalesce(b.is_active, r.is_active) then 'deactivated'
        else 'updated' end as change
    from records r indexed by records_list ${versionAt('a', scope, from)} ${versionAt('b', scope, to)}
    where r.catalog_id = ${catalogIdOf(scope)} and r.is_active in (0, 1) and r.updated_at > ${madeAt(scope, from)}
      and (b.row_id is not null or r.updated_at <= ${madeAt(scope, to)})
      and (a.row_id is null or a.is_active <> coalesce(b.is_active, r.is_active) or a.data <> coalesce(b.data, r.data))`

/**
 * A page of the records that differ, in the order in which they were first written, and how many of each kind there
 * are.
 */
export function comparisonStatement(scope: CatalogKey, span: Span, { limit, offset }: PageRequest): SQL<ComparisonRow> {
  const counts = CHANGES.map((change) => sql`count(*) filter (where ${ofChange(change)}) as ${sql.raw(change)}`)
  const order = sql.raw('row_id')
  const versions = sql`join records r on r.row_id = k.row_id
    left join record_versions a on a.catalog_id = r.catalog_id and a.ended_at = k.before_at and a.row_id = k.row_id
    left join record_versions b on b.catalog_id = r.catalog_id and b.ended_at = k.after_at and b.row_id = k.row_id`
  const keys = sql`select k.*, coalesce(octet_length(a.data), 0) + octet_length(coalesce(b.data, r.data)) as bytes
    from (select * from differing order by row_id limit ${int(limit)} offset ${int(offset)}) as k ${versions}`
  return sql`with differing as materialized (${differences(scope, span)}),
    counted as materialized (select ${revisionOf(scope)} as revision, ${historyFrom(scope)} as history_from,
      ${sql.join(counts, sql`, `)} from differing),
    page as materialized (${withinPageBytes(keys, order)})
    select counted.*, k.change, 0 as left_out, k.row_id as place, r.record_id, a.is_active as was_active,
      coalesce(b.is_active, r.is_active) as is_active, a.data as before, coalesce(b.data, r.data) as after
    from counted left join (page as k ${versions}) on true order by k.row_id`
}
