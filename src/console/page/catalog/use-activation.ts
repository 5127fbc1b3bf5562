import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { RecordType } from '#records/record-type'
import { catalogChanged } from '../catalog-changed'
import { useSession } from '../session'
import { countText } from '../wording'
import { setActive } from './set-active'

interface StateChange {
  ids: readonly string[]
  active: boolean
}

/** A change of state that was made, and can be taken back. */
interface DoneChange extends StateChange {
  /** `12 medications deactivated.` */
  text: string
}

function doneText({ title, plural }: RecordType, { ids, active }: StateChange, isUndo: boolean): string {
  if (ids.length === 0) return 'Nothing had to be changed.'
  const done = isUndo ? (active ? 'active again' : 'inactive again') : active ? 'reactivated' : 'deactivated'
  return `${countText(ids.length, title, plural)} ${done}.`
}

/** Makes records active or inactive, and takes that back. What was loaded of the catalog before is out of date then. */
export function useActivation(type: RecordType, onDone?: () => void) {
  const { client } = useSession()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: async ({ ids, active, isUndo }: StateChange & { isUndo: boolean }): Promise<DoneChange> => {
      const changed = { ids: await setActive(client, type, ids, active), active }
      return { ...changed, text: doneText(type, changed, isUndo) }
    },
    onSuccess: async () => {
      onDone?.()
      await catalogChanged(queries, type)
    },
  })
  const done = change.data
  const notice = useRef<HTMLDivElement>(null)
  return {
    /** Where it is said what was done. */
    notice,
    /** The last change that was made; undefined while another one is being made. */
    done,
    canUndo: done !== undefined && done.ids.length > 0 && change.variables?.isUndo === false,
    isPending: change.isPending,
    error: change.error,
    start: (wanted: StateChange, onSuccess?: () => void) =>
      change.mutate({ ...wanted, isUndo: false }, { onSuccess: () => onSuccess?.() }),
    undo: () => {
      if (done !== undefined) change.mutate({ ids: done.ids, active: !done.active, isUndo: true })
    },
  }
}

export type Activation = ReturnType<typeof useActivation>
