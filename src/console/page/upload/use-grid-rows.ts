import { useCallback, useEffect, useRef, useState } from 'react'
import type { EditableRow, ErrorChoice } from './work/file-work'
import type { RemoteWork } from './work/remote-work'
import type { TableColumn } from './work/table'

const NO_ROWS = new Uint32Array()
const NO_COLUMNS: readonly TableColumn[] = []

/**
 * The places of the rows with some errors, as they are at one moment: a row that is fixed stays where it is.
 *
 * @param moment another value looks for them again
 */
export function useFailingRows(work: RemoteWork, { group, text }: ErrorChoice, moment: number): Uint32Array {
  const [found, setFound] = useState<Uint32Array>(NO_ROWS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another moment is a reason to look again
  useEffect(() => {
    let isLast = true
    work.failing({ group, text }).then(
      (rows) => isLast && setFound(rows),
      // The file has been replaced, and this page with it.
      () => undefined,
    )
    return () => {
      isLast = false
    }
  }, [work, group, text, moment])
  return found
}

export function useColumns(work: RemoteWork, version: number): readonly TableColumn[] {
  const [columns, setColumns] = useState(NO_COLUMNS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change may add a column
  useEffect(() => {
    work.columns().then(
      // Columns are only added.
      (found) => setColumns((known) => (known.length === found.length ? known : found)),
      () => undefined,
    )
  }, [work, version])
  return columns
}

/**
 * The rows that are in sight, by their places, fetched from the worker as they come into sight.
 *
 * @param version of the rows; another one fetches them again
 */
export function useVisibleRows(work: RemoteWork, indexes: readonly number[], version: number) {
  const [rows, setRows] = useState<ReadonlyMap<number, EditableRow>>(new Map())
  const key = indexes.join()
  const last = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the indexes
  useEffect(() => {
    const request = ++last.current
    work.rows(indexes).then(
      (found) => {
        if (request === last.current) setRows(new Map(found.map((row) => [row.index, row])))
      },
      () => undefined,
    )
  }, [work, key, version])
  /** Shows a row as it is being changed. */
  const replace = useCallback(
    (row: EditableRow) => setRows((known) => new Map(known).set(row.index, row)),
    [],
  )
  return { rows, replace }
}
