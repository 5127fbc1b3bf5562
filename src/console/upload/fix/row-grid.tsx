import { Text } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useId, useMemo, useRef } from 'react'
import { rowCheck } from '#files/check/row-check'
import type { EditableRow } from '#files/fix/editable-rows'
import type { CellEdit, TableColumn } from '#files/fix/table'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { fieldLabel, numberText } from '../../wording'
import type { UploadProcess } from '../process/upload-process'
import { type CellEditing, type CellPosition, type Editing, positionAfter, useCellEditing } from './cell-editing'
import { suggestedValues } from './field-hints'
import { type CheckCells, cellMessage, changedRow, useVisibleRows, withCell } from './grid-rows'

type After = (key: string) => ReturnType<typeof positionAfter>

/** @returns whether the key was used */
function onKeyOutside(cells: CellEditing, key: string, after: After): boolean {
  const cell = after(key)
  if (cell !== undefined) cells.move(cell)
  else if (key === 'Enter' || key === 'F2') cells.begin(cells.active)
  else if (key === 'Delete' || key === 'Backspace') cells.clear()
  else if (key.length === 1) cells.begin(cells.active, key)
  else return false
  return true
}

/** Keys that end what is typed, by the key that leads to the next cell. */
const endOf = (key: string, isBack: boolean): string | undefined => {
  if (key === 'Enter') return 'ArrowDown'
  if (key === 'Tab') return isBack ? 'ArrowLeft' : 'ArrowRight'
  return undefined
}

/** @returns whether the key was used */
function onKeyInside(cells: CellEditing, key: string, isBack: boolean, after: After): boolean {
  if (key === 'Escape') {
    cells.cancel()
    return true
  }
  const next = after(endOf(key, isBack) ?? '')
  if (next !== undefined) cells.commit(next)
  return next !== undefined
}

/** What the keys do in a grid of so many rows and columns. */
const gridKeys = (cells: CellEditing, rows: number, columns: number) => (event: KeyboardEvent) => {
  const { key, shiftKey, ctrlKey, metaKey, altKey, nativeEvent } = event
  if (ctrlKey || metaKey || altKey || nativeEvent.isComposing) return
  const after: After = (move) => positionAfter(move, cells.active, rows, columns)
  const isUsed =
    cells.editing === undefined ? onKeyOutside(cells, key, after) : onKeyInside(cells, key, shiftKey, after)
  if (isUsed) event.preventDefault()
}

/** Pixels. */
const ROW_HEIGHT = 37
const NUMBER_WIDTH = 72
const COLUMN_WIDTH = 168

/** The part of the grid that is in sight. @param count rows */
function useGridView(count: number) {
  const frame = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    // The header row covers the first of them.
    scrollPaddingStart: ROW_HEIGHT,
    scrollMargin: ROW_HEIGHT,
  })
  const items = virtual.getVirtualItems()
  /** Scrolls a cell into sight. */
  const scrollTo = (cell: CellPosition) => {
    virtual.scrollToIndex(cell.row)
    const left = cell.column * COLUMN_WIDTH
    const view = frame.current
    if (view === null) return
    const width = view.clientWidth - NUMBER_WIDTH
    if (left < view.scrollLeft) view.scrollLeft = left
    else if (left + COLUMN_WIDTH > view.scrollLeft + width) view.scrollLeft = left + COLUMN_WIDTH - width
  }
  return {
    frame,
    places: items.map(({ index }) => index),
    /** Heights of the rows that are out of sight. */
    above: (items[0]?.start ?? ROW_HEIGHT) - ROW_HEIGHT,
    below: virtual.getTotalSize() + ROW_HEIGHT - (items.at(-1)?.end ?? 0),
    scrollTo,
  }
}

interface RowGridProps {
  type: RecordType
  upload: UploadProcess
  /** Places of the rows that are shown. */
  indexes: Uint32Array
  columns: readonly TableColumn[]
  version: number
}

/** The rows that are in sight, and the cell of them that is edited. */
function useGrid({ type, upload, indexes, columns, version }: RowGridProps) {
  const table = useRef<HTMLTableElement>(null)
  const view = useGridView(indexes.length)
  const visible = view.places.flatMap((shownIndex) => indexes[shownIndex] ?? [])
  const { rows, replace } = useVisibleRows(upload, visible, version)
  const check = useMemo(() => rowCheck(type, columns), [type, columns])
  const rowAt = (shownIndex: number) => rows.get(indexes[shownIndex] ?? 0)
  const editOf = ({ row, column: shownColumn, text }: Editing): CellEdit[] => {
    const index = indexes[row]
    const column = columns[shownColumn]
    return index === undefined || column === undefined ? [] : [{ index, column: column.column, text }]
  }
  const write = (cells: readonly Editing[]) => {
    const edits = cells.flatMap(editOf)
    for (const { index, column, text } of edits) {
      const row = rows.get(index)
      if (row !== undefined) replace(changedRow(row, column, text, check))
    }
    void upload.edit(edits)
  }
  const textAt = ({ row, column }: CellPosition): string => rowAt(row)?.cells[columns[column]?.column ?? -1] ?? ''
  const takeFocus = () => table.current?.focus({ preventScroll: true })
  const cells = useCellEditing({ rows: indexes.length, textAt, write, scrollTo: view.scrollTo, takeFocus })
  return { table, view, rowAt, check, cells }
}

/**
 * Rows to edit, as in a spreadsheet: with the arrow keys, by typing, by pasting. Only what is in sight is in the page.
 */
export function RowGrid(props: RowGridProps) {
  const { type, indexes, columns } = props
  const id = useId()
  const { table, view, rowAt, check, cells } = useGrid(props)
  const { active, editing } = cells
  return (
    <>
      <div ref={view.frame} className="row-grid-frame scroll-frame">
        <table
          ref={table}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: WAI-ARIA allows it for a table
          role="grid"
          aria-label={`Rows to fix: ${numberText(indexes.length)}`}
          aria-describedby={`${id}-message`}
          aria-rowcount={indexes.length + 1}
          aria-activedescendant={editing === undefined ? `${id}-${active.row}-${active.column}` : undefined}
          tabIndex={0}
          className="row-grid"
          style={{ width: NUMBER_WIDTH + columns.length * COLUMN_WIDTH }}
          onKeyDown={gridKeys(cells, indexes.length, columns.length)}
          onPaste={cells.paste}
        >
          <GridHead columns={columns} />
          <tbody>
            <Space height={view.above} />
            {view.places.map((shownIndex) => (
              <GridRow
                key={indexes[shownIndex]}
                id={id}
                shownIndex={shownIndex}
                row={rowAt(shownIndex)}
                columns={columns}
                activeColumn={active.row === shownIndex ? active.column : undefined}
                editing={editing?.row === shownIndex ? editing : undefined}
                check={check}
                onPick={(column) => {
                  if (active.row === shownIndex && active.column === column) cells.begin(active)
                  else cells.commit({ row: shownIndex, column })
                }}
                onType={cells.type}
                onLeave={() => cells.leave(true)}
              />
            ))}
            <Space height={view.below} />
          </tbody>
        </table>
      </div>
      <Suggestions id={id} type={type} columns={columns} />
      <Text size="sm" id={`${id}-message`} role="status" mih="1.6em" className="breakable">
        {cellMessage(type, rowAt(active.row), columns[active.column], editing, check)}
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

/** The rows that are out of sight. */
const Space = ({ height }: { height: number }) =>
  height > 0 && (
    <tr aria-hidden>
      <td className="row-grid-space" style={{ height }} />
    </tr>
  )

/** Usual values, offered as somebody types. */
const Suggestions = ({ id, type, columns }: { id: string } & Pick<RowGridProps, 'type' | 'columns'>) =>
  columns.map(({ column, field }) => (
    <datalist key={column} id={`${id}-values-${column}`}>
      {suggestedValues(fieldNamed(type, field)).map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  ))

interface GridRowProps {
  /** Beginning of the ids of its cells. */
  id: string
  /** Among the rows that are shown. */
  shownIndex: number
  /** Undefined until it has been fetched. */
  row: EditableRow | undefined
  columns: readonly TableColumn[]
  activeColumn: number | undefined
  editing: Editing | undefined
  check: CheckCells
  onPick: (column: number) => void
  onType: (text: string) => void
  onLeave: () => void
}

function GridRow({ id, shownIndex, row, columns, activeColumn, editing, ...props }: GridRowProps) {
  return (
    <tr aria-rowindex={shownIndex + 2} data-fixed={(row?.isEdited && row.errors.size === 0) || undefined}>
      <th scope="row" className="row-grid-number">
        {row?.row ?? '…'}
      </th>
      {columns.map(({ column, field, header }, position) => {
        const text = row?.cells[column] ?? ''
        const message = row?.errors.get(column)
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys
          <td
            key={column}
            id={`${id}-${shownIndex}-${position}`}
            aria-invalid={message !== undefined}
            data-active={activeColumn === position || undefined}
            title={message ?? text}
            onClick={() => editing?.column !== position && props.onPick(position)}
          >
            {editing?.column === position ? (
              <input
                ref={focusInPlace}
                aria-label={`${fieldLabel(field ?? header)} of row ${row?.row ?? ''}`}
                aria-invalid={row !== undefined && props.check(withCell(row.cells, column, editing.text)).has(column)}
                list={`${id}-values-${column}`}
                value={editing.text}
                onChange={({ currentTarget }) => props.onType(currentTarget.value)}
                onBlur={props.onLeave}
              />
            ) : (
              text
            )}
          </td>
        )
      })}
    </tr>
  )
}

const focusInPlace = (input: HTMLInputElement | null) => input?.focus({ preventScroll: true })
