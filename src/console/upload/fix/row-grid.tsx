import { Text } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { rowCheck } from '#files/check/row-check'
import type { EditableRow } from '#files/fix/editable-rows'
import type { TableColumn } from '#files/fix/table'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { fieldLabel, numberText } from '../../wording'
import type { UploadProcess } from '../process/upload-process'
import { suggestedValues } from './field-hints'
import { type CellPosition, type CellText, cellMessage, changedRow, pastedCells, useVisibleRows } from './grid-rows'

/** Number of rows that a key moves down. */
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, Enter: 1, PageUp: -10, PageDown: 10 }

/** In pixels. */
const ROW_HEIGHT = 37
const NUMBER_WIDTH = 72
const COLUMN_WIDTH = 168

/** Reserves the space of a grid while its rows are loaded. */
export const GridPlace = ({ rows }: { rows: number }) => (
  <>
    <div className="row-grid-frame scroll-frame" style={{ height: (rows + 1) * ROW_HEIGHT + 2 }} />
    <Text size="sm" mih="1.6em" />
  </>
)

interface RowGridProps {
  type: RecordType
  upload: UploadProcess
  indexes: Uint32Array
  columns: readonly TableColumn[]
  version: number
}

/** The visible rows, and the text that is being typed into a cell. */
function useGrid({ type, upload, indexes, columns, version }: RowGridProps) {
  const frame = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: indexes.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    // The header row covers the topmost rows.
    scrollPaddingStart: ROW_HEIGHT,
    scrollMargin: ROW_HEIGHT,
  })
  const items = virtual.getVirtualItems()
  const shownRows = items.map(({ index }) => index)
  const { rows, show } = useVisibleRows(
    upload,
    shownRows.flatMap((shownRow) => indexes[shownRow] ?? []),
    version,
  )
  const check = useMemo(() => rowCheck(type, columns), [type, columns])
  /** The cell that has or had the focus, and its typed text that is not yet written. */
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 })
  const [typed, setTyped] = useState<string>()
  const storedAt = (shownRow: number) => rows?.get(indexes[shownRow] ?? 0)
  const activeColumn = columns[active.column]?.column ?? 0
  const rowAt = (shownRow: number) => {
    const row = storedAt(shownRow)
    return row === undefined || typed === undefined || shownRow !== active.row
      ? row
      : changedRow(row, activeColumn, typed, check)
  }
  const write = (cells: readonly CellText[]) => {
    const edits = cells.flatMap(({ row: shownRow, column: shownColumn, text }) => {
      const index = indexes[shownRow]
      const column = columns[shownColumn]?.column
      return index === undefined || column === undefined ? [] : [{ index, column, text }]
    })
    const changed = new Map(rows)
    for (const { index, column, text } of edits) {
      const row = changed.get(index)
      if (row !== undefined) changed.set(index, changedRow(row, column, text, check))
    }
    show(changed)
    setTyped(undefined)
    void upload.edit(edits)
  }
  const commit = () => {
    if (typed === undefined) return
    if (typed === storedAt(active.row)?.cells[activeColumn]) setTyped(undefined)
    else write([{ ...active, text: typed }])
  }
  const isInSight = shownRows.includes(active.row)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the input is unmounted, which triggers no blur event
  useEffect(() => {
    if (!isInSight) commit()
  }, [isInSight])
  return {
    frame,
    shownRows,
    active,
    rowAt,
    above: (items[0]?.start ?? ROW_HEIGHT) - ROW_HEIGHT,
    below: virtual.getTotalSize() + ROW_HEIGHT - (items.at(-1)?.end ?? 0),
    scrollTo: (row: number) => virtual.scrollToIndex(row),
    setActive,
    typed,
    type: setTyped,
    write,
    commit,
  }
}

/** Handles the keyboard and the clipboard in a grid. @param id of the grid */
function useCellKeys(grid: ReturnType<typeof useGrid>, id: string, rowCount: number) {
  const { active, typed } = grid
  const takesFocus = useRef(false)
  // After every render, because the cell may become visible later.
  useEffect(() => {
    const input = document.getElementById(cellId(id, active))
    if (!takesFocus.current || !(input instanceof HTMLInputElement)) return
    takesFocus.current = false
    input.select()
  })
  return {
    onKeyDown: (event: KeyboardEvent) => {
      const { key, nativeEvent } = event
      if (key === 'Escape') grid.type(undefined)
      const step = STEPS[key]
      // While the user types, the arrow keys select a suggestion.
      if (step === undefined || nativeEvent.isComposing || (typed !== undefined && key.startsWith('Arrow'))) return
      event.preventDefault()
      grid.commit()
      const row = Math.max(0, Math.min(rowCount - 1, active.row + step))
      takesFocus.current = true
      grid.scrollTo(row)
      grid.setActive({ ...active, row })
    },
    onPaste: (event: ClipboardEvent) => {
      const cells = pastedCells(active, event.clipboardData.getData('text/plain'))
      if (cells.length < 2) return
      event.preventDefault()
      grid.write(cells)
    },
  }
}

const cellId = (id: string, { row, column }: CellPosition): string => `${id}-${row}-${column}`

/** A grid of editable rows: each cell is an input. Only visible rows are rendered. */
export function RowGrid(props: RowGridProps) {
  const { type, indexes, columns } = props
  const id = useId()
  const grid = useGrid(props)
  const { active, rowAt } = grid
  const activeRow = rowAt(active.row)
  const activeColumn = columns[active.column]
  return (
    <>
      <div ref={grid.frame} className="row-grid-frame scroll-frame">
        <table
          aria-label={`Rows to fix: ${numberText(indexes.length)}`}
          aria-rowcount={indexes.length + 1}
          className="row-grid"
          style={{ width: NUMBER_WIDTH + columns.length * COLUMN_WIDTH }}
          {...useCellKeys(grid, id, indexes.length)}
        >
          <GridHead columns={columns} />
          <tbody>
            <Space height={grid.above} />
            {grid.shownRows.map((shownRow) => (
              <GridRow
                key={indexes[shownRow]}
                id={id}
                shownRow={shownRow}
                row={rowAt(shownRow)}
                columns={columns}
                isActive={shownRow === active.row}
                onFocus={(column) => grid.setActive({ row: shownRow, column })}
                onType={grid.type}
                onLeave={grid.commit}
              />
            ))}
            <Space height={grid.below} />
          </tbody>
        </table>
      </div>
      <Suggestions id={id} type={type} columns={columns} />
      <Text size="sm" id={`${id}-message`} role="status" mih="1.6em" className="breakable">
        {activeRow !== undefined && activeColumn !== undefined && cellMessage(type, activeRow, activeColumn)}
      </Text>
    </>
  )
}

const GridHead = ({ columns }: Pick<RowGridProps, 'columns'>) => (
  <thead>
    <tr aria-rowindex={1}>
      <th scope="col" className="row-grid-number">
        Row
      </th>
      {columns.map(({ column, header, field }) => (
        <th scope="col" key={column} title={header}>
          {fieldLabel(field ?? header)}
        </th>
      ))}
    </tr>
  </thead>
)

const Space = ({ height }: { height: number }) =>
  height > 0 && (
    <tr aria-hidden>
      <td className="row-grid-space" style={{ height }} />
    </tr>
  )

const Suggestions = ({ id, type, columns }: { id: string } & Pick<RowGridProps, 'type' | 'columns'>) =>
  columns.map(({ column, field }) => (
    <datalist key={column} id={`${id}-values-${column}`}>
      {suggestedValues(fieldNamed(type, field)).map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  ))

interface GridRowProps {
  /** Prefix of the IDs of its cells. */
  id: string
  shownRow: number
  /** Undefined until loaded. */
  row: EditableRow | undefined
  columns: readonly TableColumn[]
  /** Whether the Tab key stops at its cells. Otherwise, leaving the grid would take hundreds of Tab presses. */
  isActive: boolean
  onFocus: (column: number) => void
  onType: (text: string) => void
  onLeave: () => void
}

const GridRow = ({ id, shownRow, row, columns, isActive, onFocus, onType, onLeave }: GridRowProps) => (
  <tr aria-rowindex={shownRow + 2} data-fixed={(row?.isEdited && row.errors.size === 0) || undefined}>
    <th scope="row" className="row-grid-number">
      {row?.row ?? '…'}
    </th>
    {columns.map(({ column, field, header }, position) => {
      const text = row?.cells[column] ?? ''
      const message = row?.errors.get(column)
      return (
        <td key={column} title={message ?? text}>
          <input
            id={cellId(id, { row: shownRow, column: position })}
            aria-label={`${fieldLabel(field ?? header)} of row ${row?.row ?? ''}`}
            aria-invalid={message !== undefined}
            aria-describedby={`${id}-message`}
            list={`${id}-values-${column}`}
            autoComplete="off"
            tabIndex={isActive ? 0 : -1}
            readOnly={row === undefined}
            value={text}
            onFocus={() => onFocus(position)}
            onChange={({ currentTarget }) => onType(currentTarget.value)}
            onBlur={onLeave}
          />
        </td>
      )
    })}
  </tr>
)
