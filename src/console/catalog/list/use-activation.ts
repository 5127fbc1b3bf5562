import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { RecordType } from '#shared/records/record-type'
import { catalogChanged } from '../../catalog-changed'
import { useSession } from '../../session'
import { countText } from '../../wording'
import { changeState, type StateChange, takeBack } from './activation'

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
