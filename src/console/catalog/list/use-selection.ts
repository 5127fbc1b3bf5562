import { useState } from 'react'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import type { ListState } from '../../record/address'
import { MOST_BY_HAND } from './activation'

/** Records that are selected: their names, by their ids. */
export interface Selection {
  names: ReadonlyMap<string, string>
  /** The list that was selected as a whole; undefined if records were selected one by one. */
  list: ListState | undefined
}

const NONE: Selection = { names: new Map(), list: undefined }

/** The records that are selected, on whichever page of the list they stand. */
export function useSelection({ idField }: RecordType) {
  const [selection, setSelection] = useState(NONE)
  const { names, list } = selection
  const idOf = (record: RawRecord) => String(record[idField])
  const namesOf = (records: readonly RawRecord[]) =>
    records.map((record) => [idOf(record), String(record.name)] as const)
  return {
    selection,
    isSelected: (record: RawRecord) => names.has(idOf(record)),
    /** Whether another one would be too many. */
    isFull: list === undefined && names.size >= MOST_BY_HAND,
    select: (records: readonly RawRecord[], selected: boolean) => {
      const next = new Map(names)
      for (const [id, name] of namesOf(records)) {
        if (!selected) next.delete(id)
        else if (list !== undefined || next.size < MOST_BY_HAND) next.set(id, name)
      }
      setSelection({ names: next, list: next.size === 0 ? undefined : list })
    },
    /** All records that a list has. */
    selectAll: (records: readonly RawRecord[], whole: ListState) =>
      setSelection({ names: new Map(namesOf(records)), list: whole }),
    clear: () => setSelection(NONE),
  }
}

export type RecordSelection = ReturnType<typeof useSelection>
