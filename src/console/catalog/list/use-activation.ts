import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { RecordType } from '#shared/records/record-type'
import { catalogChanged } from '../../catalog-changed'
import { useSession } from '../../session'
import { countText } from '../../wording'
import { carryOut, planChange, type StateChange, type StateChangePlan, takeBack } from './activation'

/** What was done last, or that it is done otherwise. */
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
  const onSuccess = async (done: Done | StateChangePlan) => {
    if ('text' in done) onDone?.()
    await catalogChanged(queries, type)
  }

  /** @param plan that the person has seen; undefined for a change that is done at once */
  const change = useMutation({
    mutationFn: async ({ wanted, plan }: { wanted: StateChange; plan?: StateChangePlan | undefined }) => {
      const planned = plan ?? (await planChange(client, type, wanted))
      const outcome = await carryOut(client, type, wanted, planned)
      if (outcome.is === 'other' && outcome.plan.check !== undefined) return outcome.plan
      if (outcome.is === 'other') {
        return { text: 'Nothing had to be changed.', count: 0, active: wanted.active, revision: undefined }
      }
      const { revision } = outcome.result
      const count = planned.records.length
      const text = doneText(type, count, wanted.active ? 'reactivated' : 'deactivated')
      return { text, count, active: wanted.active, revision }
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

  const changed = change.data !== undefined && 'text' in change.data ? change.data : undefined
  const done = undo.data ?? changed
  return {
    /** Where it is said what was done. */
    notice,
    /** The last change that was made; undefined while another one is being made. */
    done,
    canUndo: done?.revision !== undefined,
    /** The change to confirm again: somebody else has changed what the person has seen. */
    moved: change.data !== undefined && !('text' in change.data) ? change.data : undefined,
    isPending: change.isPending || undo.isPending,
    error: change.error ?? undo.error,
    start: (wanted: StateChange, plan?: StateChangePlan, onSaved?: () => void) => {
      undo.reset()
      change.mutate({ wanted, plan }, { onSuccess: (result) => 'text' in result && onSaved?.() })
    },
    /** What was done, or is to be confirmed again, is over. */
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
