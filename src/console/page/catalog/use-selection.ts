import { useState } from 'react'
import type { RawRecord, RecordType } from '#records/record-type'
import type { Selection } from './selection-bar'
import { MOST_AT_ONCE } from './set-active'

/** The records that are selected, on whichever page of the list they stand. */
export function useSelection({ idField }: RecordType) {
  const [selection, setSelection] = useState<Selection>(new Map())
  const idOf = (record: RawRecord) => String(record[idField])
  return {
    selection,
    isSelected: (record: RawRecord) => selection.has(idOf(record)),
    /** Whether another one would be too many. */
    isFull: selection.size >= MOST_AT_ONCE,
    select: (records: readonly RawRecord[], selected: boolean) => {
      const next = new Map(selection)
      for (const record of records) {
        if (!selected) next.delete(idOf(record))
        else if (next.size < MOST_AT_ONCE) next.set(idOf(record), String(record.name))
      }
      setSelection(next)
    },
    clear: () => setSelection(new Map()),
  }
}

export type RecordSelection = ReturnType<typeof useSelection>
