import { type SQL, sql } from 'drizzle-orm'
import { logLine } from '#shared/errors/log-line'
import type { WebhookEvent } from '#shared/webhook-events'
import { isHeld } from '#worker/catalog/uploads/sql/uploads'
import { type Database, int } from '#worker/storage/database'
import { timeOf } from '#worker/storage/list-page'
import type { ServedDatabase } from '#worker/storage/placement/served-database'
import { type Event, insertEventMessages } from '#worker/webhooks/messages'
import { type SyncRow, type SyncState, watchStates } from './sync-state'

/**
 * The scheduled run compares each state with the last one notified. One transaction stores the messages and the new
 * state, so each change is notified exactly once, even if runs overlap or die.
 */

/** Monitored catalogs compared per statement: about 10 ms in a large database. */
const WATCHES_PER_STEP = 500

interface WatchedRow extends SyncRow {
  workspace_id: string
  notified_state: SyncState
  notified_since: number
  notified_upload_at: number
  /** JSON list of integrations' pending uploads that no message has reported yet, oldest first. */
  held: string
  /** Time of the newest upload. */
  newest_at: number
}

/** The pending uploads, except previews. Literal conditions, so that the partial index applies. */
const heldFiles = (now: number) =>
  sql`(select json_group_array(upload_id) from (select uploads.upload_id from uploads
      where uploads.catalog_id = catalogs.catalog_id and ${isHeld(now)} and uploads.held_for <> 'dry_run'
        and uploads.by_program = 1 and uploads.held_since > watches.notified_upload_at order by uploads.held_since))`

const NEWEST_AT = sql`coalesce((select max(received_at) from uploads where catalog_id = catalogs.catalog_id), 0)`

/** The monitored catalogs for the next step. */
const watchesAfter = ({ serves }: ServedDatabase, rowId: number) =>
  sql`(select rowid as id, * from watches where rowid > ${int(rowId)} and ${serves(sql`watches.workspace_id`)}
    order by rowid limit ${int(WATCHES_PER_STEP)})`

const lastWatch = (watches: SQL) => sql<{ last: number | null }>`select max(id) as last from ${watches}`

const rowsToNotifyOf = (watches: SQL, now: number) =>
  sql<WatchedRow>`select *
    from (${watchStates(watches, sql`, ${heldFiles(now)} as held, ${NEWEST_AT} as newest_at`, now)})
    where state <> notified_state or held <> '[]'`

const EVENT_OF: Record<Exclude<SyncState, 'unwatched'>, WebhookEvent> = {
  late: 'sync.late',
  refused: 'sync.refused',
  on_time: 'sync.recovered',
}

/** One event for a change of state, and one for each further pending upload while the state is not good. */
function eventsOf(row: WatchedRow): Event[] {
  const { type, state, notified_state, last_upload_id } = row
  if (state === 'unwatched') return []
  const event = (name: WebhookEvent, uploadId: string | null): Event => ({
    id: `msg_${crypto.randomUUID().replaceAll('-', '')}`,
    event: name,
    data: { type, state, since: timeOf(row.since), due_at: timeOf(row.due_at), upload_id: uploadId },
  })
  const isNewState = state !== notified_state
  const files: string[] = state === 'on_time' ? [] : JSON.parse(row.held)
  const further = isNewState ? files.filter((id) => id !== last_upload_id) : files
  return [
    ...(isNewState ? [event(EVENT_OF[state], last_upload_id)] : []),
    ...further.map((id) => event('sync.refused', id)),
  ]
}

/** Some monitored catalogs with their new states and events, unless another run was faster. */
const changedWatches = (changes: string) =>
  sql`(select watch.rowid as id, watch.workspace_id, change.value -> 'events' as events,
      change.value ->> 'state' as state, change.value ->> 'since' as since, change.value ->> 'newest_at' as newest_at
    from json_each(${changes}) as change
    join watches as watch on watch.workspace_id = change.value ->> 'workspace_id'
      and watch.type = change.value ->> 'type'
      and watch.notified_state = change.value ->> 'notified_state'
      and watch.notified_since = change.value ->> 'notified_since'
      and watch.notified_upload_at = change.value ->> 'notified_upload_at')`

/** Stores messages about some catalogs. @returns the catalogs for which no other run was faster */
async function notifyOf(database: Database, rows: readonly WatchedRow[], now: number): Promise<WatchedRow[]> {
  const changes = JSON.stringify(rows.map((row) => ({ ...row, events: eventsOf(row) })))
  const [, updated] = await database.retry(() =>
    database.batch([
      insertEventMessages(changedWatches(changes), now),
      sql<
        Pick<WatchedRow, 'workspace_id' | 'type'>
      >`update watches set notified_state = changed.state, notified_since = changed.since,
          notified_upload_at = changed.newest_at from ${changedWatches(changes)} as changed
        where watches.rowid = changed.id
        returning watches.workspace_id, watches.type`,
    ]),
  )
  return rows.filter((row) =>
    updated.some(({ workspace_id, type }) => workspace_id === row.workspace_id && type === row.type),
  )
}

function logChange({ workspace_id, type, state, since, due_at, last_upload_id }: WatchedRow): void {
  const times = { since: timeOf(since), due_at: timeOf(due_at) }
  logLine({ sync: state, workspace: workspace_id, type, ...times, upload_id: last_upload_id })
}

/**
 * Reports changes of state by webhooks and in the log.
 *
 * @param mayGoOn checked before each step
 * @returns number of catalogs
 */
export async function notifyOfSync(database: ServedDatabase, now: number, mayGoOn: () => boolean): Promise<number> {
  let count = 0
  for (let after: number | null = 0; after !== null && mayGoOn(); ) {
    const watches = watchesAfter(database, after)
    const [[step], rows]: [{ last: number | null }[], WatchedRow[]] = await database.batch([
      lastWatch(watches),
      rowsToNotifyOf(watches, now),
    ])
    const notifiedRows = rows.length === 0 ? [] : await notifyOf(database, rows, now)
    for (const row of notifiedRows) if (row.state !== row.notified_state) logChange(row)
    count += notifiedRows.length
    after = step?.last ?? null
  }
  return count
}
