import { type SQL, sql } from 'drizzle-orm'
import type { Change } from '#shared/records/change'

/** What becomes of a record. All writes, restores, previews and lists of changes decide it here. */

/**
 * What became of a record that has changed, as an expression.
 *
 * @param wasActive whether it was active before; null if it did not exist
 * @param isActive whether it is active after
 */
export const changeOf = (wasActive: string, isActive: string): SQL =>
  sql.raw(`case when ${wasActive} is null then 'inserted'
        when ${wasActive} < ${isActive} then 'reactivated'
        when ${wasActive} > ${isActive} then 'deactivated'
        else 'updated' end`)

/**
 * Condition: a change of this kind. The value is not bound: a statement takes a hundred bound values, and the chunks
 * need them.
 */
export const hasChange = (change: Change): SQL => sql.raw(`change = '${change}'`)

export interface ChangeCounts {
  inserted: number
  reactivated: number
  /** Inserted as active ones, or reactivated. */
  became_active: number
  became_inactive: number
}

/** The columns of `ChangeCounts`, from rows with `was_active`, `is_active` and `change`, null for no change. */
export const CHANGE_COUNTS = sql`count(*) filter (where ${hasChange('inserted')}) as inserted,
        count(*) filter (where ${hasChange('reactivated')}) as reactivated,
        count(*) filter (where was_active is not 1 and is_active = 1) as became_active,
        count(*) filter (where ${hasChange('deactivated')}) as became_inactive`
