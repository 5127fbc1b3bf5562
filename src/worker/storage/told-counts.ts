import { sql } from 'drizzle-orm'

/**
 * What a row of `batches` tells of its write (docs/contract.md#write-counts). The columns count a record that was
 * sent as inactive as updated, so that writes of earlier releases are told by the same rule. Those of the first
 * releases have no `active_lost`.
 */

/** Records that were active before the write and are not after it. */
export const TOLD_DEACTIVATED = sql.raw('max(active_lost, deactivated)')

export const TOLD_UPDATED = sql.raw('updated + deactivated - max(active_lost, deactivated)')

/** Both as columns. */
export const TOLD_COUNTS = sql`${TOLD_UPDATED} as told_updated, ${TOLD_DEACTIVATED} as told_deactivated`
