import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Query } from '#client/api'
import type { ServiceClient } from '#client/client'
import { DEFAULT_MAX_SHRINK } from '#shared/limits'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { catalogChanged } from '../../catalog-changed'
import type { ListState } from '../../record/address'
import { queryOf } from '../../record/filters'
import type { WriteResult } from '../../service/answers'
import { useSession } from '../../session'
import { countText } from '../../wording'

/** What was done last. */
interface Done {
  /** `12 medications deactivated.` */
  text: string
  count: number
  active: boolean
  /** That the change made; undefined if it cannot be taken back. */
  revision: number | undefined
}

const doneText = ({ title, plural }: RecordType, count: number, word: string): string =>
  `${countText(count, title, plural)} ${word}.`

/** Makes records active or inactive, and takes that back. What was loaded of the catalog before is out of date then. */
export function useActivation(type: RecordType, onDone?: () => void) {
  const { client } = useSession()
  const queries = useQueryClient()
  const notice = useRef<HTMLDivElement>(null)
  const onSuccess = async () => {
    onDone?.()
    await catalogChanged(queries, type)
  }

  /** @param confirmed whether the person has seen how many that are */
  const change = useMutation({
    mutationFn: async ({ wanted, confirmed }: { wanted: StateChange; confirmed: boolean }): Promise<Done> => {
      const { active } = wanted
      const query = { confirm_shrink: confirmed || undefined }
      const { revision, total, unchanged } = await changeState(client, type, wanted, query)
      const count = total - unchanged
      if (count === 0) return { text: 'Nothing had to be changed.', count, active, revision: undefined }
      const text = doneText(type, count, active ? 'reactivated' : 'deactivated')
      return { text, count, active, revision }
    },
    onSuccess,
  })
  const undo = useMutation({
    mutationFn: async ({ count, active, revision }: Done) => {
      if (revision !== undefined) await takeBack(client, type, revision)
      return {
        text: doneText(type, count, active ? 'inactive again' : 'active again'),
        count,
        active,
        revision: undefined,
      }
    },
    onSuccess,
  })

  const done = undo.data ?? change.data
  return {
    /** Where it is said what was done. */
    notice,
    /** The last change that was made; undefined while another one is being made. */
    done,
    canUndo: done?.revision !== undefined,
    isPending: change.isPending || undo.isPending,
    error: change.error ?? undo.error,
    start: (wanted: StateChange, confirmed: boolean, onSaved?: () => void) => {
      undo.reset()
      change.mutate({ wanted, confirmed }, { onSuccess: () => onSaved?.() })
    },
    /** What was done is over. */
    reset: () => {
      change.reset()
      undo.reset()
    },
    undo: () => {
      if (done !== undefined) undo.mutate(done)
    },
  }
}

export type Activation = ReturnType<typeof useActivation>

/** Records that can be selected one by one, and all that a search has found. */
export const MOST_BY_HAND = 200
export const MOST_FOUND = 2000

/** Records of one page of a list, as many as the service gives. */
const READ_PER_PAGE = 1000

/** Records that are to become active or inactive. */
interface StateChange {
  ids: readonly string[]
  active: boolean
}

/** All records of a list, page by page. */
export async function readList(client: ServiceClient, type: RecordType, list: ListState): Promise<RawRecord[]> {
  const records: RawRecord[] = []
  for (let offset = 0; ; ) {
    const query = { ...queryOf(type, list), limit: READ_PER_PAGE, offset }
    const page = await client.get('/admin/datasets/v1/', { query })
    records.push(...page.items)
    offset += page.count
    if (!page.has_more || page.count === 0) return records
  }
}

/**
 * Makes records active or inactive, or says what that would do. All other values stay, also those that others write
 * meanwhile.
 *
 * @throws ServiceError 409 if too many would be deactivated, and nobody has confirmed it
 */
export const changeState = (
  client: ServiceClient,
  { name, idField }: RecordType,
  { ids, active }: StateChange,
  query: Omit<Query<'post', '/admin/datasets/v1/'>, 'type'>,
  signal?: AbortSignal,
): Promise<WriteResult> =>
  client.post('/admin/datasets/v1/', {
    // The guard of a file holds here too.
    query: { type: name, keep_missing: true, max_shrink: DEFAULT_MAX_SHRINK, ...query },
    body: ids.map((id) => ({ [idField]: id, is_active: active })),
    ...(signal !== undefined && { signal }),
  })

/** Takes back a write of this page, but for records that were changed later. @throws ServiceError */
async function takeBack(client: ServiceClient, { name }: RecordType, revision: number): Promise<void> {
  const params = { type: name }
  const { items } = await client.get('/admin/catalogs/v1/{type}/writes', { params, query: { limit: 100 } })
  const write = items.find((one) => one.revision === revision && one.total > one.unchanged)
  if (write === undefined) throw new Error('This change is too old to be taken back here. See the history.')
  await client.post('/admin/catalogs/v1/{type}/writes/{batch_id}/undo', {
    params: { ...params, batch_id: write.batch_id },
    query: { confirm_shrink: true, leave_changed: true },
  })
}
