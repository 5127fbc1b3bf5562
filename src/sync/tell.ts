import { sql } from 'drizzle-orm'
import { columnOf } from '#catalog/uploads/sql/rows'
import { logLine } from '#http/log'
import { type Database, int } from '#storage/database'
import { isRefused } from '#storage/placement/fences'
import type { WebhookEvent } from '#webhooks/events'
import { type Event, tellOfEvents } from '#webhooks/messages'
import { type SyncRow, type SyncState, watched } from './states'
import { timeOf } from './sync'

/**
 * The scheduled run compares the state of each watched catalog with the one that was told last, tells of the difference
 * and notes it, in one transaction. So each change is told once, whatever runs overlap, and a run that dies has told and
 * noted it, or neither.
 */

/** Catalogs that one step tells of. */
const CATALOGS_PER_STEP = 200

interface ToldRow extends SyncRow {
  workspace_id: string
  told_state: SyncState
  told_since: number
  told_upload_at: number
  last_upload_id: string | null
  /** JSON list of the files of programs that wait and have not been told, oldest first. */
  held: string
  /** When the newest upload was noted. */
  newest_at: number
}

/** The files that wait, apart from previews. Literal conditions, so that the partial index serves them. */
const held = (now: number) =>
  sql`(select json_group_array(upload_id) from (select u.upload_id from uploads u
      where u.workspace_id = w.workspace_id and u.type = w.type and u.outcome = 'held' and u.held_until > ${int(now)}
        and u.held_for = 'shrink_guard' and u.by_program = 1 and u.noted_at > w.told_upload_at order by u.noted_at))`

const NEWEST_AT = sql`coalesce((select max(u.noted_at) from uploads u
    where u.workspace_id = w.workspace_id and u.type = w.type), 0)`

const untold = (now: number) =>
  sql<ToldRow>`select *, ${columnOf(sql`last_upload`, 'upload_id')} as last_upload_id
    from (${watched(sql`, ${held(now)} as held, ${NEWEST_AT} as newest_at`, sql`not ${isRefused(sql`w.workspace_id`)}`, now)})
    where state <> told_state or held <> '[]' limit ${int(CATALOGS_PER_STEP)}`

const EVENT_OF: Record<Exclude<SyncState, 'unwatched'>, WebhookEvent> = {
  late: 'sync.late',
  refused: 'sync.refused',
  on_time: 'sync.recovered',
}

/** One event for a change of the state, and one for each further file that waits while something is wrong. */
function eventsOf(row: ToldRow): Event[] {
  const { type, state, told_state, last_upload_id } = row
  if (state === 'unwatched') return []
  const event = (name: WebhookEvent, uploadId: string | null): Event => ({
    id: `msg_${crypto.randomUUID().replaceAll('-', '')}`,
    event: name,
    data: { type, state, since: timeOf(row.since), due_at: timeOf(row.due_at), upload_id: uploadId },
  })
  const changed = state !== told_state
  const files: string[] = state === 'on_time' ? [] : JSON.parse(row.held)
  const further = changed ? files.filter((id) => id !== last_upload_id) : files
  return [
    ...(changed ? [event(EVENT_OF[state], last_upload_id)] : []),
    ...further.map((id) => event('sync.refused', id)),
  ]
}

/** What was told of a catalog, if nobody has told of it since it was read: `t`. */
const told = (changes: string) =>
  sql`(select t.rowid as id, t.workspace_id, j.value -> 'events' as events, j.value ->> 'state' as state,
      j.value ->> 'since' as since, j.value ->> 'newest_at' as newest_at
    from json_each(${changes}) as j join watches t on t.workspace_id = j.value ->> 'workspace_id' and t.type = j.value ->> 'type'
      and t.told_state = j.value ->> 'told_state' and t.told_since = j.value ->> 'told_since'
      and t.told_upload_at = j.value ->> 'told_upload_at'
    where not ${isRefused(sql`t.workspace_id`)})`

/**
 * Tells of what has changed in the watched catalogs of a database, by webhooks and in the log.
 *
 * @returns number of catalogs
 */
export async function tellOfSync(database: Database, now: number, mayGoOn: () => boolean): Promise<number> {
  let count = 0
  while (mayGoOn()) {
    const rows = await database.all(untold(now))
    if (rows.length === 0) return count
    const changes = JSON.stringify(rows.map((row) => ({ ...row, last_upload: null, events: eventsOf(row) })))
    const [, noted] = await database.retrying(() =>
      database.batch([
        tellOfEvents(told(changes), now),
        sql<{ workspace_id: string; type: string }>`update watches set told_state = e.state, told_since = e.since,
            told_upload_at = e.newest_at from ${told(changes)} as e where watches.rowid = e.id
          returning watches.workspace_id, watches.type`,
      ]),
    )
    for (const row of rows) {
      const isNoted = noted.some(({ workspace_id, type }) => workspace_id === row.workspace_id && type === row.type)
      if (isNoted && row.state !== row.told_state) logChange(row)
    }
    count += noted.length
    // Another run tells of the others, or a move has begun.
    if (noted.length === 0) return count
  }
  return count
}

function logChange({ workspace_id, type, state, since, due_at, last_upload_id }: ToldRow): void {
  logLine({
    sync: state,
    workspace: workspace_id,
    type,
    since: timeOf(since),
    due_at: timeOf(due_at),
    upload_id: last_upload_id,
  })
}
