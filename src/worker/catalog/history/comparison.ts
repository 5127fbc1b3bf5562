import { type SQL, sql } from 'drizzle-orm'
import { CHANGES, type Change } from '#shared/records/change'
import type { Catalog } from '#worker/catalog/catalog'
import { historyFrom, madeAt } from '#worker/catalog/history/sql/history'
import { withinPageBytes } from '#worker/catalog/read/sql/page'
import { type ChangeRow, changeBetween, hasChange } from '#worker/catalog/write/sql/diff'
import { revisionOf } from '#worker/catalog/write/sql/state'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { firstOf, int } from '#worker/storage/database'
import type { PageRequest } from '#worker/storage/list-page'
import { beyondRevision, notRestorable } from './refusals'

/**
 * Some of how a catalog differs between two revisions, whatever happened in between, and how many changes of each kind
 * there are.
 *
 * @throws ApiError 400 for a revision that the catalog has not reached; 409 for one that is no longer kept
 */
export async function readComparison({ db, catalogKey }: Catalog, span: Span, page: PageRequest) {
  const all = await db.all(comparisonStatement(catalogKey, span, page))
  const { revision, history_from, inserted, updated, reactivated, deactivated } = firstOf(all)
  if (span.to > revision) throw beyondRevision('to', span.to, revision)
  const refusal = notRestorable(span.from, revision, history_from)
  if (refusal) throw refusal
  const counts = { inserted, updated, reactivated, deactivated }
  return { rows: all.filter(isChange), total: CHANGES.reduce((sum, change) => sum + counts[change], 0), counts }
}

/** Two revisions, the earlier one first. */
interface Span {
  from: number
  to: number
}

/** A record that differs, or null in each of its columns, beside the counts of all. */
type ComparisonRow = (ChangeRow | { [column in keyof ChangeRow]: null }) &
  Record<Change, number> & {
    /** Present revision, and the oldest one that can be restored. */
    revision: number
    history_from: number
  }

const isChange = (row: ComparisonRow): row is ComparisonRow & ChangeRow => row.change !== null

const versionAt = (name: string, catalogKey: CatalogKey, revision: number): SQL => {
  const version = sql.raw(name)
  const time = () => madeAt(catalogKey, revision)
  return sql`left join record_versions ${version} indexed by record_versions_row
    on ${version}.row_id = present_record.row_id
      and ${version}.ended_at > ${time()} and ${version}.written_at <= ${time()}`
}

/**
 * Records that differ between two revisions: `version_before` and `version_after` are their versions. A record
 * that has not changed since then has none and is `present_record` itself. Only keys, so that no text is sorted.
 */
const differences = (catalogKey: CatalogKey, { from, to }: Span): SQL =>
  sql`select present_record.row_id, version_before.ended_at as before_at, version_after.ended_at as after_at,
      ${changeBetween('version_before', 'coalesce(version_after.is_active, present_record.is_active)')} as change
    from records present_record indexed by records_list
      ${versionAt('version_before', catalogKey, from)}
      ${versionAt('version_after', catalogKey, to)}
    where present_record.catalog_id = ${catalogIdOf(catalogKey)} and present_record.is_active in (0, 1)
      and present_record.updated_at > ${madeAt(catalogKey, from)}
      and (version_after.row_id is not null or present_record.updated_at <= ${madeAt(catalogKey, to)})
      and (version_before.row_id is null
        or version_before.is_active <> coalesce(version_after.is_active, present_record.is_active)
        or version_before.data <> coalesce(version_after.data, present_record.data))`

/**
 * A page of the records that differ, in the order in which they were first written, and how many of each kind there
 * are.
 */
function comparisonStatement(catalogKey: CatalogKey, span: Span, { limit, offset }: PageRequest): SQL<ComparisonRow> {
  const counts = CHANGES.map((change) => sql`count(*) filter (where ${hasChange(change)}) as ${sql.raw(change)}`)
  const order = sql.raw('row_id')
  const joinVersion = (name: string, endedAt: string) =>
    sql.raw(`left join record_versions ${name} on ${name}.catalog_id = present_record.catalog_id
      and ${name}.ended_at = page_keys.${endedAt} and ${name}.row_id = page_keys.row_id`)
  const versions = sql`join records present_record on present_record.row_id = page_keys.row_id
    ${joinVersion('version_before', 'before_at')}
    ${joinVersion('version_after', 'after_at')}`
  const keys = sql`select page_keys.*,
      coalesce(octet_length(version_before.data), 0)
        + octet_length(coalesce(version_after.data, present_record.data)) as bytes
    from (select * from differing order by row_id limit ${int(limit)} offset ${int(offset)}) as page_keys ${versions}`
  return sql`with differing as materialized (${differences(catalogKey, span)}),
    counted as materialized (
      select ${revisionOf(catalogKey)} as revision, ${historyFrom(catalogKey)} as history_from,
        ${sql.join(counts, sql`, `)}
      from differing),
    page as materialized (${withinPageBytes(keys, order)})
    select counted.*, page_keys.change, 0 as left_out, page_keys.row_id as position, present_record.record_id,
      version_before.is_active as was_active, coalesce(version_after.is_active, present_record.is_active) as is_active,
      version_before.data as before, coalesce(version_after.data, present_record.data) as after
    from counted left join (page as page_keys ${versions}) on true
    order by page_keys.row_id`
}
