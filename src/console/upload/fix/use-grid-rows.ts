import { useCallback, useEffect, useState } from 'react'
import type { ErrorChoice } from '#files/check/error-choice'
import type { EditableRow } from '#files/fix/editable-rows'
import type { TableColumn } from '#files/fix/table'
import type { RemoteFileWork } from '../process/upload-file'

const NO_ROWS = new Uint32Array()
const NO_COLUMNS: readonly TableColumn[] = []

/** The answer of the worker; the earlier answer until it comes. @param reasons to ask again */
export function useAnswer<Answer>(ask: () => Promise<Answer>, first: Answer, reasons: readonly unknown[]) {
  const [answer, setAnswer] = useState(first)
  useEffect(() => {
    let isLast = true
    ask().then(
      (found) => isLast && setAnswer(found),
      // The file has been replaced, and this page with it.
      () => undefined,
    )
    return () => {
      isLast = false
    }
    // biome-ignore lint/correctness/useExhaustiveDependencies: the caller knows them
  }, reasons)
  return [answer, setAnswer] as const
}

/**
 * The places of the rows with some errors, as they are at one moment: a row that is fixed stays where it is.
 *
 * @param moment another value looks for them again
 */
export function useFailingRows(work: RemoteFileWork, { group, text }: ErrorChoice, moment: number): Uint32Array {
  const ask = () => work.failing({ group, text })
  return useAnswer<Uint32Array>(ask, NO_ROWS, [work, group, text, moment])[0]
}

/** @param moment another value asks again: a change of many rows may add a column */
export const useColumns = (work: RemoteFileWork, moment: number): readonly TableColumn[] =>
  useAnswer(() => work.columns(), NO_COLUMNS, [work, moment])[0]

/**
 * The rows that are in sight, by their places, fetched from the worker as they come into sight.
 *
 * @param version of the rows; another one fetches them again
 */
export function useVisibleRows(work: RemoteFileWork, indexes: readonly number[], version: number) {
  const ask = async () => new Map((await work.rows(indexes)).map((row) => [row.index, row]))
  const [rows, setRows] = useAnswer<ReadonlyMap<number, EditableRow>>(ask, new Map(), [work, indexes.join(), version])
  /** Shows a row as it is being changed. */
  const replace = useCallback((row: EditableRow) => setRows((known) => new Map(known).set(row.index, row)), [setRows])
  return { rows, replace }
}
