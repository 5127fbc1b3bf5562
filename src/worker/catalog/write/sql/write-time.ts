import { type SQL, sql } from 'drizzle-orm'
import { int } from '#worker/storage/database'

/** The database's own time in milliseconds, one value for all of a statement. */
const DATABASE_TIME = sql.raw("cast(round(unixepoch('subsec') * 1000) as integer)")

const LAST_WRITTEN = sql.raw(
  '(select max(written_at) from uploads where catalog_id = catalogs.catalog_id and written_at is not null)',
)
const LAST_RECEIVED = sql.raw('(select max(received_at) from uploads where catalog_id = catalogs.catalog_id)')

/**
 * The time of a new row of `uploads`, as an expression on its row of `catalogs`. The database takes it inside the
 * transaction: the request may have waited long before, and a reader who asks for what has changed since then must find
 * the write. It is later than that of every earlier row and write of the catalog, even if a clock is set back or
 * another machine's is ahead: a revision is found by its time (`madeAt`), and messages are sent of what came after a
 * time.
 *
 * @param now of the request, in milliseconds
 */
export const writeTime = (now: number): SQL =>
  sql`max(${DATABASE_TIME}, ${int(now)}, catalogs.written_at + 1,
    coalesce(${LAST_WRITTEN}, 0) + 1, coalesce(${LAST_RECEIVED}, 0) + 1)`
