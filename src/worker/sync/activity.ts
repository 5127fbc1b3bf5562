import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { HELD_REFUSAL_SECONDS } from '#shared/limits'
import { RECORD_TYPES, type RecordTypeName } from '#shared/records/record-type'
import { scope } from '#worker/auth/access'
import { CATALOGS_PATH } from '#worker/catalog/parameters'
import { typeSchema } from '#worker/catalog/schemas'
import { IS_PREVIEW } from '#worker/catalog/uploads/sql/uploads'
import { catalogDatabaseOf } from '#worker/http/databases'
import { envelopedAs } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { countSchema } from '#worker/http/endpoint/values'
import { withDatabaseSlot } from '#worker/http/limits/database-slots'
import { type Database, int } from '#worker/storage/database'
import { type Day, lastDays } from './days'

const ACTIVITY_DAYS = 30

const isTimeZone = (timeZone: string): boolean => {
  try {
    return lastDays(new Date(), timeZone, 1).length === 1
  } catch {
    return false
  }
}

const activityQuerySchema = z.object({
  time_zone: z
    .string()
    .refine(isTimeZone, { error: 'must be the name of a time zone, such as Asia/Kolkata' })
    .default('UTC')
    .meta({ description: 'Where the days begin and end: the IANA name of a time zone.', example: 'Asia/Kolkata' }),
})

/** The records that a write changed: its `updated` also counts identical ones. */
const COUNTS = {
  inserted: 'inserted',
  updated: 'updated - unchanged',
  reactivated: 'reactivated',
  deactivated: 'deactivated',
} as const

const daySchema = z
  .strictObject({
    date: z.iso.date().meta({ example: '2026-11-29' }),
    active: countSchema.meta({ description: 'Active records at the end of the day, or now.' }),
    inserted: countSchema,
    updated: countSchema,
    reactivated: countSchema,
    deactivated: countSchema,
    writes: countSchema.meta({ description: 'Writes of the day, including those that changed nothing.' }),
    rejected: countSchema.meta({ description: 'Uploads that were not written, pending ones included.' }),
    not_sent: countSchema.meta({ description: 'Reported sync runs that ended before they sent a file.' }),
    upload_id: z.uuid().nullable().meta({
      description: 'The upload to look at: the last one that was not written, else the last one with changes.',
    }),
    batch_id: z.uuid().nullable().meta({ description: 'ID of the write, if that upload was written.' }),
  })
  .meta({ id: 'ActivityDay', description: 'What happened to a catalog on one day.' })

const activitySchema = z.strictObject({
  items: z.array(z.strictObject({ type: typeSchema, days: z.array(daySchema) })),
})

type Activity = z.output<typeof activitySchema>

/** The uploads of a day. Days are numbered from 0; null is before the first day. */
interface DayRow extends Omit<z.output<typeof daySchema>, 'date' | 'active'> {
  type: RecordTypeName
  active_records: number
  day: number | null
  /** Growth in active records. */
  grown: number
}

/** Number of records that an upload changed. */
const changed = sql.raw(Object.values(COUNTS).join(' + '))
/** The day's most important upload: with `max()`, SQLite takes the other columns from the same row. */
const RANK = sql`max(iif(written_at is null, 2, ${changed} > 0) * 100000000000000 + at)`

/**
 * The daily activity in a workspace's catalogs, in one statement. Includes earlier uploads, because an upload may be
 * approved long after it was received.
 */
async function readActivity(db: Database, workspaceId: string, days: readonly Day[]): Promise<Activity> {
  const starts = days.map(({ start }) => start)
  const sums = Object.entries(COUNTS).map(
    ([name, count]) => sql`coalesce(sum(${sql.raw(count)}), 0) as ${sql.raw(name)}`,
  )
  const rows = await db.all(sql<DayRow>`
    with days as materialized (select key as day, value as start from json_each(${JSON.stringify(starts)})),
    dated as (
      select *, (select max(day) from days where start <= at) as day
      from (
        select type, active_records, uploads.*, coalesce(uploads.written_at, uploads.received_at) as at
        from catalogs
        left join uploads on uploads.catalog_id = catalogs.catalog_id
          and uploads.received_at >= ${int(Math.min(...starts) - 1000 * HELD_REFUSAL_SECONDS)} and not ${IS_PREVIEW}
        where catalogs.workspace_id = ${workspaceId}))
    select type, active_records, day, ${sql.join(sums, sql`, `)}, count(written_at) as writes,
      count(iif(written_at is null and outcome <> 'not_sent', 1, null)) as rejected,
      count(iif(outcome = 'not_sent', 1, null)) as not_sent,
      coalesce(sum(active_after - active_before), 0) as grown,
      ${RANK} as rank, upload_id, iif(written_at is null, null, upload_id) as batch_id
    from dated group by type, day`)
  return {
    items: RECORD_TYPES.map((type) => ({
      type,
      days: daysOf(
        rows.filter((row) => row.type === type),
        days,
      ),
    })),
  }
}

const NOTHING: Omit<DayRow, 'type' | 'active_records' | 'day'> = {
  ...{ inserted: 0, updated: 0, reactivated: 0, deactivated: 0, grown: 0 },
  ...{ writes: 0, rejected: 0, not_sent: 0, upload_id: null, batch_id: null },
}

/** @param rows rows of one catalog */
function daysOf(rows: readonly DayRow[], days: readonly Day[]): Activity['items'][number]['days'] {
  // From now backward: records added on a day did not exist at the end of the previous day.
  let active = rows[0]?.active_records ?? 0
  return days
    .map(({ date }, n) => ({ date, row: rows.find(({ day }) => day === n) ?? NOTHING }))
    .toReversed()
    .map(({ date, row }) => {
      const { inserted, updated, reactivated, deactivated, writes, rejected, not_sent, upload_id, batch_id } = row
      const changes = { inserted, updated, reactivated, deactivated }
      const shown = { date, active, ...changes, writes, rejected, not_sent, upload_id, batch_id }
      active -= row.grown
      return shown
    })
    .toReversed()
}

/** Registered before the status of one catalog, whose path has a parameter in the same place. */
export const activityEndpoint = endpoint(
  {
    tag: 'History',
    method: 'get',
    path: `${CATALOGS_PATH}/activity`,
    access: scope('catalog:read'),
    operationId: 'getActivity',
    summary: `Get what happened to the four catalogs on each of the last ${ACTIVITY_DAYS} days`,
    description: 'Active records, changes, and uploads that were rejected or missing, by day, oldest first.',
    query: activityQuerySchema,
    answer: envelopedAs(`The last ${ACTIVITY_DAYS} days`, activitySchema),
  },
  ({ c, query: { time_zone }, now }) => {
    const days = lastDays(now, time_zone, ACTIVITY_DAYS)
    return withDatabaseSlot(c, () => readActivity(catalogDatabaseOf(c), c.var.caller.workspaceId, days))
  },
)
