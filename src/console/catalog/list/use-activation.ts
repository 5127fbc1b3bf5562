import { useRef, useState } from 'react'
import { sentRecord } from '#client/api'
import type { ServiceClient } from '#client/client'
import { DEFAULT_MAX_SHRINK } from '#shared/limits'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { changesIn } from '../../changes/change-texts'
import type { WriteCalls } from '../../changes/previewed-write'
import { PREVIEW, useCatalogChange } from '../../queries'
import type { ListState } from '../../record/catalog-address'
import { queryOf } from '../../record/filters'
import type { WriteResult } from '../../service/answers'
import { countText } from '../../wording'

interface ActivationOutcome {
  /** `12 medications deactivated.` */
  text: string
  active: boolean
  /** The write with the change; undefined if it cannot be undone. */
  batchId: string | undefined
}

const NOTHING_CHANGED = 'Nothing had to be changed.'

const doneText = ({ title, plural }: RecordType, count: number, word: string): string =>
  `${countText(count, title, plural)} ${word}.`

function outcomeOf(type: RecordType, { batch_id, total, unchanged }: WriteResult, active: boolean): ActivationOutcome {
  const count = total - unchanged
  if (count === 0) return { text: NOTHING_CHANGED, active, batchId: undefined }
  return { text: doneText(type, count, active ? 'reactivated' : 'deactivated'), active, batchId: batch_id }
}

/** Activates or deactivates a record, returns the result of the last change, and undoes it. */
export function useActivation(type: RecordType, onDone?: () => void) {
  const notice = useRef<HTMLDivElement>(null)
  const [outcome, setOutcome] = useState<ActivationOutcome>()
  const done = (newOutcome: ActivationOutcome) => {
    setOutcome(newOutcome)
    onDone?.()
  }

  const change = useCatalogChange(type, async (client, { id, active }: { id: string; active: boolean }) =>
    outcomeOf(type, await stateCalls(client, type, { ids: [id], active }).send({ confirm_shrink: true }), active),
  )
  const undo = useCatalogChange(
    type,
    async (client, { active, batch_id }: { active: boolean; batch_id: string }): Promise<ActivationOutcome> => {
      // Records that were changed later are kept.
      const result = await client.post('/admin/catalogs/v1/{type}/writes/{batch_id}/undo', {
        params: { type: type.name, batch_id },
        query: { confirm_shrink: true, leave_changed: true },
      })
      const count = changesIn(result)
      const text = count === 0 ? NOTHING_CHANGED : doneText(type, count, active ? 'inactive again' : 'active again')
      return { text, active, batchId: undefined }
    },
  )
  const reset = () => {
    setOutcome(undefined)
    change.reset()
    undo.reset()
  }

  return {
    notice,
    outcome,
    canUndo: outcome?.batchId !== undefined,
    isPending: change.isPending || undo.isPending,
    error: change.error ?? undo.error,
    start: (id: string, active: boolean) => {
      reset()
      change.mutate({ id, active }, { onSuccess: done })
    },
    /** Shows a change that was made elsewhere. */
    show: (result: WriteResult, active: boolean) => done(outcomeOf(type, result, active)),
    reset,
    undo: () => {
      if (outcome?.batchId === undefined) return
      undo.mutate({ active: outcome.active, batch_id: outcome.batchId }, { onSuccess: done })
    },
  }
}

export type Activation = ReturnType<typeof useActivation>

/** The longest list that can be selected as a whole. */
export const MOST_SELECTED = 2000

/** Records per request: the service's maximum. */
const READ_PER_PAGE = 1000

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
 * The requests that activate or deactivate records. All other values are kept, including concurrent changes. As with
 * files, many deactivations are rejected unless the user confirms them.
 */
export function stateCalls(
  client: ServiceClient,
  { name, idField }: RecordType,
  { ids, active }: StateChange,
): WriteCalls<WriteResult> {
  const query = { type: name, keep_missing: true, max_shrink: DEFAULT_MAX_SHRINK }
  const body = ids.map((id) => sentRecord({ [idField]: id, is_active: active }))
  return {
    key: [PREVIEW, name, 'state', active, ids],
    send: (options, signal) => client.post('/admin/datasets/v1/', { query: { ...query, ...options }, body, signal }),
    list: (options) => client.file('post', '/admin/datasets/v1/', { query: { ...query, ...options }, body }),
  }
}
