import { type SQL, sql } from 'drizzle-orm'
import { type CatalogScope, catalogIdOf } from '#storage/catalog-scope'
import { type Chunk, ELEMENT, elementsOf } from './write'

/** Revision of the catalog, 0 before its first write. */
export const revisionOf = (scope: CatalogScope): SQL =>
  sql`coalesce((select revision from catalogs where catalog_id = ${catalogIdOf(scope)}), 0)`

/** Active records of the catalog. */
export const activeOf = (scope: CatalogScope): SQL =>
  sql`coalesce((select active_records from catalogs where catalog_id = ${catalogIdOf(scope)}), 0)`

/**
 * The columns in which a dry run counts what it would do with the records sent.
 *
 * @param before activity of the stored record; null where there is none
 * @param after activity as it is sent
 * @param unchanged condition: the record is stored just so
 */
export const outcomeCounts = (before: SQL, after: SQL, unchanged: SQL): SQL =>
  sql`count(*) as total,
    count(*) filter (where ${before} is null) as inserted,
    count(*) filter (where ${before} = 0 and ${after} = 1) as reactivated,
    count(*) filter (where ${unchanged}) as unchanged,
    count(*) filter (where ${before} is not 1 and ${after} = 1) as gained,
    count(*) filter (where ${before} = 1 and ${after} = 0) as lost,
    count(*) filter (where ${before} = 1) as active_sent`

/** The row of a dry run, from which the counts of `batches` follow. */
export interface DryRunRow {
  revision: number
  active_before: number
  total: number
  inserted: number
  reactivated: number
  unchanged: number
  gained: number
  lost: number
  active_sent: number
}

/**
 * What a write would do, without writing: the counts of `batches`, from one read-only statement.
 *
 * @param chunks as for the write
 */
export const dryRunStatement = (scope: CatalogScope, chunks: readonly Chunk[]): SQL =>
  sql`with sent as materialized (select
      ${ELEMENT.id} as id, ${ELEMENT.isActive} as is_active, ${ELEMENT.data} as data
    from ${elementsOf(chunks)})
  select ${revisionOf(scope)} as revision, ${activeOf(scope)} as active_before,
    ${outcomeCounts(sql.raw('r.is_active'), sql.raw('sent.is_active'), sql.raw('r.is_active = sent.is_active and r.data = sent.data'))}
  from sent left join records r on r.catalog_id = ${catalogIdOf(scope)} and r.record_id = sent.id`
