import { type SQL, sql } from 'drizzle-orm'
import { asJson, type CatalogColumns, isHeld, notedUploads, writtenByProgram, writtenUploads } from './rows'

/**
 * What programs sent to a catalog, for its status: columns of a statement that reads a row of `catalogs`, or of none.
 */

export interface ProgramColumns {
  /**
   * JSON of the newest upload by a program, for `rowOf`; null if there is none. A dry run is none until it is written.
   */
  last_upload: string | null
  /** When a program last wrote, or a file of a program was approved, in milliseconds since the epoch; null if never. */
  last_success_at: number | null
}

/** @param now time against which a file that waits expires */
const newest = (catalog: CatalogColumns, now: number): SQL =>
  sql`(select ${asJson} from (
      select * from (${notedUploads(catalog, now, {
        where: sql`by_program = 1 and (held_for is not 'dry_run' or outcome = 'approved')`,
        most: 1,
      })})
      union all select * from (${writtenUploads(catalog, { where: writtenByProgram, most: 1 })})
      order by at desc limit 1))`

/** Restores and dry runs are no successes. The approval of a file counts from the moment of the approval. */
const success = ({ workspaceId, type, catalogId }: CatalogColumns): SQL =>
  sql`(select max(at) from (
      select max(ended_at) as at from uploads
        where workspace_id = ${workspaceId} and type = ${type} and by_program = 1 and outcome = 'approved'
      union all select * from (select written_at as at from batches
        where catalog_id = ${catalogId} and +format <> 'restore' and ${writtenByProgram}
        order by written_at desc limit 1)))`

/** The columns `last_upload` and `last_success_at` of a catalog. */
export const programColumns = (catalog: CatalogColumns, now: number): SQL =>
  sql`${newest(catalog, now)} as last_upload, ${success(catalog)} as last_success_at`

/** JSON of the files of programs that wait, newest first, for `rowsOf`. Previews are among them. */
export const heldOfPrograms = (catalog: CatalogColumns, now: number): SQL =>
  sql`(select json_group_array(json(held)) from (select ${asJson} as held
    from (${notedUploads(catalog, now, { where: sql`by_program = 1 and ${isHeld(now)}` })})))`
