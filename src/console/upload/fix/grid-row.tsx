import type { EditableRow } from '#files/fix/editable-rows'
import type { TableColumn } from '#files/fix/table'
import { fieldLabel } from '../../wording'
import { type CheckCells, withCell } from './changed-row'
import type { Editing } from './grid-keys'

interface GridRowProps {
  /** Beginning of the ids of its cells. */
  id: string
  /** Among the rows that are shown. */
  place: number
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

export function GridRow({ id, place, row, columns, activeColumn, editing, ...props }: GridRowProps) {
  return (
    <tr aria-rowindex={place + 2} data-fixed={(row?.isEdited && row.errors.size === 0) || undefined}>
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
            id={`${id}-${place}-${position}`}
            aria-invalid={message !== undefined}
            data-active={activeColumn === position || undefined}
            title={message ?? text}
            onClick={() => editing?.column !== position && props.onPick(position)}
          >
            {editing?.column === position ? (
              <input
                ref={focusInPlace}
                aria-label={`${fieldLabel(field ?? header)} of row ${row?.row ?? ''}`}
                aria-invalid={
                  row !== undefined && props.check(withCell(row.cells, column, editing.text)).has(column)
                }
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
