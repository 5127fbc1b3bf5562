import { Text } from '@mantine/core'
import { useId, useMemo, useRef } from 'react'
import { rowCheck } from '#files/check/row-check'
import type { CellEdit, TableColumn } from '#files/fix/table'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { fieldLabel, numberText } from '../../wording'
import type { UploadProcess } from '../process/upload-process'
import { cellMessage, changedRow } from './changed-row'
import { suggestedValues } from './field-hints'
import { gridKeys } from './grid-events'
import type { CellPlace, Editing } from './grid-keys'
import { GridRow } from './grid-row'
import { useCellEditing } from './use-cell-editing'
import { useVisibleRows } from './use-grid-rows'
import { COLUMN_WIDTH, NUMBER_WIDTH, useGridView } from './use-grid-view'

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
  const visible = view.places.flatMap((place) => indexes[place] ?? [])
  const { rows, replace } = useVisibleRows(upload.work, visible, version)
  const check = useMemo(() => rowCheck(type, columns), [type, columns])
  const rowAt = (place: number) => rows.get(indexes[place] ?? 0)
  const editOf = ({ row, column, text }: Editing): CellEdit[] => {
    const index = indexes[row]
    const place = columns[column]
    return index === undefined || place === undefined ? [] : [{ index, column: place.column, text }]
  }
  const write = (cells: readonly Editing[]) => {
    const edits = cells.flatMap(editOf)
    for (const { index, column, text } of edits) {
      const row = rows.get(index)
      if (row !== undefined) replace(changedRow(row, column, text, check))
    }
    void upload.edit(edits)
  }
  const textAt = ({ row, column }: CellPlace): string =>
    rowAt(row)?.cells[columns[column]?.column ?? -1] ?? ''
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
      <div ref={view.frame} className="row-grid-frame">
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
            {view.places.map((place) => (
              <GridRow
                key={indexes[place]}
                id={id}
                place={place}
                row={rowAt(place)}
                columns={columns}
                activeColumn={active.row === place ? active.column : undefined}
                editing={editing?.row === place ? editing : undefined}
                check={check}
                onPick={(column) => {
                  if (active.row === place && active.column === column) cells.begin(active)
                  else cells.commit({ row: place, column })
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
      {suggestionsFor(type, field).map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  ))

const suggestionsFor = (type: RecordType, name: string | undefined): string[] => {
  const field = fieldNamed(type, name)
  return field === undefined ? [] : suggestedValues(field)
}
