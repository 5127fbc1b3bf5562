import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { typeSchema as recordType } from '#worker/catalog/schemas'
import { oneOf, timestampSchema } from '#worker/http/endpoint/values'
import { type Database, int } from '#worker/storage/database'
import { asPage, type Page, type PageRequest, timeOf } from '#worker/storage/list-page'
import type { ServedDatabase } from '#worker/storage/placement/served-database'
import { workspaces } from '#worker/storage/schema/control'
import { type SyncRow, watchStates } from './sync-state'

export const lateSchema = z
  .strictObject({
    workspace_id: z.string(),
    name: z.string().meta({ description: 'Name of the workspace.' }),
    type: recordType,
    state: oneOf(['late', 'refused']),
    since: timestampSchema.meta({ description: 'When this state began.' }),
    due_at: timestampSchema.meta({ description: 'When the catalog became late, or will become late.' }),
    last_success_at: timestampSchema.nullable(),
    upload_id: z.uuid().nullable().meta({ description: 'The newest upload by a client.' }),
  })
  .meta({ id: 'LateCatalog', description: 'A monitored catalog that clients do not keep up to date.' })

type LateCatalog = z.output<typeof lateSchema>

/** `total` counts all late catalogs in the database. */
interface LateRow extends SyncRow {
  state: 'late' | 'refused'
  since: number
  due_at: number
  workspace_id: string
  total: number
}

/** The first catalogs of a database with the state late or refused, in the order of `since`. */
function lateIn({ all, serves }: ServedDatabase, most: number, now: number): Promise<LateRow[]> {
  const watches = sql`(select * from watches where ${serves(sql`watches.workspace_id`)})`
  return all(
    sql<LateRow>`select *, count(*) over () as total from (${watchStates(watches, sql.empty(), now)})
      where state in ('late', 'refused') order by since, workspace_id, type limit ${int(most)}`,
  )
}

const keyOf = ({ workspace_id, type }: LateRow): string => `${workspace_id}\n${type}`

const byAge = (a: LateRow, b: LateRow): number => a.since - b.since || (keyOf(a) < keyOf(b) ? -1 : 1)

async function workspaceNames(control: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const { workspaceId, name } = workspaces
  const isAmong = sql`${workspaceId} in (select value from json_each(${JSON.stringify(ids)}))`
  const rows = await control.orm.select({ workspaceId, name }).from(workspaces).where(isAmong)
  return new Map(rows.map((row) => [row.workspaceId, row.name]))
}

/** The monitored catalogs of all databases with the state late or refused, in the order of `since`. */
export async function listLate(
  control: Database,
  databases: readonly ServedDatabase[],
  page: PageRequest,
  now: Date,
): Promise<Page<LateCatalog>> {
  const most = page.offset + page.limit
  const perDatabase = await Promise.all(databases.map((database) => lateIn(database, most, now.getTime())))
  const rows = perDatabase.flat().sort(byAge).slice(page.offset, most)
  const names = await workspaceNames(
    control,
    rows.map(({ workspace_id }) => workspace_id),
  )
  const items = rows.map(({ workspace_id, type, state, since, due_at, last_success_at, last_upload_id }) => ({
    workspace_id,
    name: names.get(workspace_id) ?? '',
    type,
    state,
    since: timeOf(since),
    due_at: timeOf(due_at),
    last_success_at: timeOf(last_success_at),
    upload_id: last_upload_id,
  }))
  const total = perDatabase.reduce((sum, [first]) => sum + (first?.total ?? 0), 0)
  return asPage(items, total, page)
}
