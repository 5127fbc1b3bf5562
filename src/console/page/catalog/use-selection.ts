import { useState } from 'react'
import type { RawRecord, RecordType } from '#records/record-type'
import type { Selection } from './selection-bar'
import { MOST_AT_ONCE } from './set-active'

export interface RecordSelection {
  selection: Selection
  isSelected(record: RawRecord): boolean
  /** Whether another one would be too many. */
  isFull: boolean
  select(records: readonly RawRecord[], selected: boolean): void
  clear(): void
}

/** The records that are selected, on whichever page of the list they stand. */
export function useSelection({ idField }: RecordType): RecordSelection {
  const [selection, setSelection] = useState<Selection>(new Map())
  const idOf = (record: RawRecord) => String(record[idField])
  return {
    selection,
    isSelected: (record) => selection.has(idOf(record)),
    isFull: selection.size >= MOST_AT_ONCE,
    select: (records, selected) => {
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
