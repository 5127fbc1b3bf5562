import type { Query } from '#client/api'
import type { ServiceClient } from '#client/client'
import { isStale } from '#client/service-error'
import { DEFAULT_MAX_SHRINK } from '#shared/limits'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import type { ListState } from '../../record/address'
import { queryOf } from '../../record/filters'
import { expecting, type Preview, type WriteResult, withDiff } from '../../service/answers'
import { repeatOnConflict } from '../../service/failures'
import { readRecord } from '../use-record'

/** Records that can be selected one by one, and all that a search has found. */
export const MOST_BY_HAND = 200
export const MOST_FOUND = 2000

/** Records of one page of a list, as many as the service gives. */
const READ_PER_PAGE = 1000

/** Records that are read beside each other. */
const READ_AT_ONCE = 6

/** Records that are to become active or inactive. */
export interface StateChange {
  ids: readonly string[]
  active: boolean
  /** The list that has all or most of them, which is read at once; undefined if they are read one by one. */
  list?: ListState | undefined
}

/** What a change of state would do, and the records that it sends. */
export interface StateChangePlan {
  /** Without those that are in that state already. */
  records: readonly RawRecord[]
  /** Undefined if nothing is to be changed. */
  check: Preview | undefined
}

const recordIdOf = ({ idField }: RecordType, record: RawRecord): string => String(record[idField])

/** All records of a list, page by page. */
export async function readList(
  client: ServiceClient,
  type: RecordType,
  list: ListState,
): Promise<RawRecord[]> {
  const records: RawRecord[] = []
  for (let offset = 0; ; ) {
    const query = { ...queryOf(type, list), limit: READ_PER_PAGE, offset }
    const page = await client.get('/admin/datasets/v1/', { query, exact: true })
    records.push(...page.items)
    offset += page.count
    if (!page.has_more || page.count === 0) return records
  }
}

async function readEach(
  client: ServiceClient,
  type: RecordType,
  ids: readonly string[],
): Promise<RawRecord[]> {
  const records: RawRecord[] = []
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    const portion = ids.slice(from, from + READ_AT_ONCE)
    records.push(...(await Promise.all(portion.map((id) => readRecord(client, type, id)))))
  }
  return records
}

/** The records as they are now. What somebody else took out of the list meanwhile is read by itself. */
async function readRecords(
  client: ServiceClient,
  type: RecordType,
  { ids, list }: StateChange,
): Promise<RawRecord[]> {
  if (list === undefined) return readEach(client, type, ids)
  const wanted = new Set(ids)
  const found = (await readList(client, type, list)).filter((record) =>
    wanted.delete(recordIdOf(type, record)),
  )
  return [...found, ...(await readEach(client, type, [...wanted]))]
}

type ActivationQuery = Omit<Query<'post', '/admin/datasets/v1/'>, 'type'>

/**
 * Looks at what a change of state would do. All other values stay: the records are read after the state of the catalog,
 * and the write is refused if anything was written since.
 *
 * @throws ServiceError 409 if the catalog is written to all the time
 */
export function planChange(
  client: ServiceClient,
  type: RecordType,
  change: StateChange,
): Promise<StateChangePlan> {
  return repeatOnConflict(async () => {
    const state = await client.get('/admin/catalogs/v1/{type}', { params: { type: type.name } })
    const records = await readRecords(client, type, change)
    const changing = records
      .filter(({ is_active }) => is_active !== change.active)
      .map((record) => ({ ...record, is_active: change.active }))
    if (changing.length === 0) return { records: changing, check: undefined }
    const dryRun = { ...expecting(state), dry_run: true, include: 'diff' } as const
    return { records: changing, check: withDiff(await send(client, type, changing, dryRun)) }
  })
}

const send = (
  client: ServiceClient,
  type: RecordType,
  records: readonly RawRecord[],
  query: ActivationQuery,
): Promise<WriteResult> =>
  client.post('/admin/datasets/v1/', {
    // The guard of a file holds here too.
    query: { type: type.name, max_shrink: DEFAULT_MAX_SHRINK, ...query },
    body: records,
  })

const idsOf = (type: RecordType, { records }: StateChangePlan): string =>
  JSON.stringify(records.map((record) => recordIdOf(type, record)).toSorted())

/** What became of a plan: done, or another one, because somebody else has changed what it is about. */
type ActivationOutcome = { is: 'done'; result: WriteResult } | { is: 'other'; plan: StateChangePlan }

/**
 * Does what was planned, in one write. If somebody else has written meanwhile, their values stay: it is planned again,
 * and done if it is still about the same records.
 *
 * @throws ServiceError
 */
export async function carryOut(
  client: ServiceClient,
  type: RecordType,
  change: StateChange,
  plan: StateChangePlan,
): Promise<ActivationOutcome> {
  const { records, check } = plan
  if (check === undefined) return { is: 'other', plan }
  const confirm_shrink = check.shrink_guard === undefined ? undefined : true
  try {
    const query = { ...expecting(check), confirm_shrink }
    return { is: 'done', result: await send(client, type, records, query) }
  } catch (error) {
    if (!isStale(error)) throw error
    const next = await planChange(client, type, change)
    return idsOf(type, next) === idsOf(type, plan)
      ? carryOut(client, type, change, next)
      : { is: 'other', plan: next }
  }
}

/** Takes back a write of this page, unless later writes changed its records. @throws ServiceError */
export async function takeBack(client: ServiceClient, { name }: RecordType, revision: number): Promise<void> {
  const params = { type: name }
  const { items } = await client.get('/admin/catalogs/v1/{type}/writes', { params, query: { limit: 100 } })
  const write = items.find((one) => one.revision === revision && one.total > one.unchanged)
  if (write === undefined) throw new Error('This change is too old to be taken back here. See the history.')
  await client.post('/admin/catalogs/v1/{type}/writes/{batch_id}/undo', {
    params: { ...params, batch_id: write.batch_id },
    query: { confirm_shrink: true },
  })
}
