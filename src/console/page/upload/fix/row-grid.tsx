import { Text } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ClipboardEvent, type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { rowCheck } from '#import/check/row-check'
import { type EditableRow, WHOLE_ROW } from '#import/fix/editable-rows'
import type { CellEdit, TableColumn } from '#import/fix/table'
import { fieldNamed, type RecordType } from '#records/record-type'
import { fieldLabel, numberText } from '../../wording'
import type { UploadProcess } from '../process/upload-process'
import { suggestedValues, valueReason } from './field-hints'
import { type Place, pastedCells, placeAfter } from './grid-keys'
import { GridRow, withCell } from './grid-row'
import { useVisibleRows } from './use-grid-rows'

/** Pixels. */
const ROW_HEIGHT = 37
const MAX_HEIGHT = 420
const NUMBER_WIDTH = 72
const COLUMN_WIDTH = 168

/** A cell that is being edited, and the text in it. */
export interface Editing extends Place {
  text: string
}

interface RowGridProps {
  type: RecordType
  upload: UploadProcess
  /** Places of the rows that are shown. */
  indexes: Uint32Array
  columns: readonly TableColumn[]
  version: number
}

/** Rows to edit, as in a spreadsheet: with the arrow keys, by typing, by pasting. Only what is in sight is in the page. */
export function RowGrid({ type, upload, indexes, columns, version }: RowGridProps) {
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const grid = useRef<HTMLTableElement>(null)
  const [active, setActive] = useState<Place>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<Editing>()
  // The input loses the focus as it goes: it has been left already then.
  const isOpen = useRef(false)
  const virtual = useVirtualizer({
    count: indexes.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    // The header row covers the first of them.
    scrollPaddingStart: ROW_HEIGHT,
    scrollMargin: ROW_HEIGHT,
  })
  const items = virtual.getVirtualItems()
  const visible = items.map(({ index }) => indexes[index]!)
  const { rows, replace } = useVisibleRows(upload.work, visible, version)
  const check = useMemo(() => rowCheck(type, columns), [type, columns])

  const move = (place: Place) => {
    setActive(place)
    virtual.scrollToIndex(place.row)
    const left = place.column * COLUMN_WIDTH
    const view = frame.current
    if (view === null) return
    const width = view.clientWidth - NUMBER_WIDTH
    if (left < view.scrollLeft) view.scrollLeft = left
    else if (left + COLUMN_WIDTH > view.scrollLeft + width) view.scrollLeft = left + COLUMN_WIDTH - width
  }

  const apply = (edits: readonly CellEdit[]) => {
    for (const { index, column, text } of edits) {
      const row = rows.get(index)
      if (row !== undefined) replace(changed(row, column, text, check))
    }
    void upload.edit(edits)
  }

  const editAt = ({ row, column }: Place, text: string): CellEdit[] => {
    const index = indexes[row]
    const place = columns[column]
    return index === undefined || place === undefined ? [] : [{ index, column: place.column, text }]
  }

  const textAt = ({ row, column }: Place): string =>
    rows.get(indexes[row]!)?.cells[columns[column]!.column] ?? ''

  const begin = (place: Place, text = textAt(place)) => {
    if (indexes.length === 0) return
    isOpen.current = true
    setEditing({ ...place, text })
  }

  const leave = (takes: boolean) => {
    if (!isOpen.current || editing === undefined) return
    isOpen.current = false
    if (takes && editing.text !== textAt(editing)) apply(editAt(editing, editing.text))
    setEditing(undefined)
  }

  const commit = (next: Place) => {
    leave(true)
    move(next)
    grid.current?.focus({ preventScroll: true })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
    const next = editing === undefined ? onKeyOutside(event.key) : onKeyInside(event.key, event.shiftKey)
    if (next) event.preventDefault()
  }

  /** @returns whether the key was used */
  const onKeyOutside = (key: string): boolean => {
    const place = placeAfter(key, active, indexes.length, columns.length)
    if (place !== undefined) move(place)
    else if (key === 'Enter' || key === 'F2') begin(active)
    else if (key === 'Delete' || key === 'Backspace') apply(editAt(active, ''))
    else if (key.length === 1) begin(active, key)
    else return false
    return true
  }

  const onKeyInside = (key: string, isBack: boolean): boolean => {
    if (key === 'Escape') {
      leave(false)
      grid.current?.focus({ preventScroll: true })
    } else if (key === 'Enter') commit(placeAfter('ArrowDown', active, indexes.length, columns.length)!)
    else if (key === 'Tab') {
      commit(placeAfter(isBack ? 'ArrowLeft' : 'ArrowRight', active, indexes.length, columns.length)!)
    } else return false
    return true
  }

  const onPaste = (event: ClipboardEvent) => {
    if (editing !== undefined) return
    event.preventDefault()
    const cells = pastedCells(event.clipboardData.getData('text/plain'))
    apply(
      cells.flatMap((line, i) =>
        line.flatMap((text, k) => editAt({ row: active.row + i, column: active.column + k }, text)),
      ),
    )
  }

  const width = NUMBER_WIDTH + columns.length * COLUMN_WIDTH
  const activeRow = rows.get(indexes[active.row] ?? 0)
  return (
    <>
      <div ref={frame} className="row-grid-frame" style={{ maxHeight: MAX_HEIGHT }}>
        <table
          ref={grid}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: WAI-ARIA allows it for a table
          role="grid"
          aria-label={`Rows to fix: ${numberText(indexes.length)}`}
          aria-describedby={`${id}-message`}
          aria-rowcount={indexes.length + 1}
          aria-activedescendant={editing === undefined ? `${id}-${active.row}-${active.column}` : undefined}
          tabIndex={0}
          className="row-grid"
          style={{ width }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        >
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
          <tbody>
            <Space height={(items[0]?.start ?? ROW_HEIGHT) - ROW_HEIGHT} />
            {items.map(({ index: row }) => (
              <GridRow
                key={indexes[row]}
                id={id}
                place={row}
                row={rows.get(indexes[row]!)}
                columns={columns}
                activeColumn={active.row === row ? active.column : undefined}
                editing={editing?.row === row ? editing : undefined}
                check={check}
                onPick={(column) => {
                  if (active.row === row && active.column === column) begin(active)
                  else commit({ row, column })
                }}
                onType={(text) => editing && setEditing({ ...editing, text })}
                onLeave={() => leave(true)}
              />
            ))}
            <Space height={virtual.getTotalSize() + ROW_HEIGHT - (items.at(-1)?.end ?? 0)} />
          </tbody>
        </table>
      </div>
      {columns.map(({ column, field }) => (
        <datalist key={column} id={`${id}-values-${column}`}>
          {suggestionsFor(type, field).map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      ))}
      <Text size="sm" id={`${id}-message`} role="status" mih="1.6em" className="breakable">
        {messageOf(type, activeRow, columns[active.column], editing, check)}
      </Text>
    </>
  )
}

/** The rows that are out of sight. */
const Space = ({ height }: { height: number }) =>
  height > 0 && (
    <tr aria-hidden>
      <td className="row-grid-space" style={{ height }} />
    </tr>
  )

const suggestionsFor = (type: RecordType, name: string | undefined): string[] => {
  const field = fieldNamed(type, name)
  return field === undefined ? [] : suggestedValues(field)
}

/** A row with one cell changed, checked by its own rules. */
function changed(
  row: EditableRow,
  column: number,
  text: string,
  check: ReturnType<typeof rowCheck>,
): EditableRow {
  const cells = withCell(row.cells, column, text)
  return { ...row, cells, errors: check(cells), isEdited: true }
}

/** What is wrong with the cell that is active, as it is typed. */
function messageOf(
  type: RecordType,
  row: EditableRow | undefined,
  column: TableColumn | undefined,
  editing: Editing | undefined,
  check: ReturnType<typeof rowCheck>,
): string {
  if (row === undefined || column === undefined) return ''
  const shown = editing === undefined ? row : changed(row, column.column, editing.text, check)
  const message = shown.errors.get(column.column)
  const place = `Row ${row.row}, ${fieldLabel(column.field ?? column.header)}`
  if (message !== undefined) return `${place}: ${valueReason(fieldNamed(type, column.field), message)}`
  const ofRow = shown.errors.get(WHOLE_ROW)
  if (ofRow !== undefined) return `Row ${row.row}: ${ofRow}`
  return shown.errors.size > 0 ? `${place}: nothing wrong here` : `Row ${row.row}: fixed`
}
