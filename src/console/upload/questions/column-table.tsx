import { Checkbox, NativeSelect, Text } from '@mantine/core'
import type { FileColumn, Target } from '#files/columns/columns'
import { withUnit } from '#files/columns/units'
import { oppositeOf } from '#files/columns/yes-no'
import { columnLetters } from '#files/text/csv-file'
import type { RecordType } from '#shared/records/record-type'
import { type Column, ItemTable } from '../../widgets/item-table'
import { fieldLabel, numberText } from '../../wording'

interface ColumnTableProps {
  type: RecordType
  columns: readonly FileColumn[]
  /** Fields that have two columns. */
  double: readonly string[]
  disabled: boolean
  onMap: (position: number, target: Target) => void
}

/** How a column is called: by its header or, without one, as the spreadsheet calls it. */
export const columnName = ({ header, position }: Pick<FileColumn, 'header' | 'position'>): string =>
  header === '' ? `Column ${columnLetters(position)}` : header

/** Columns that are shown: a page with more of them would be slow. */
const SHOWN_COLUMNS = 150

const LEFT_OUT = ''
const REVERSED = ' reversed'
const UNIT_OF = ' unit'

/** The fields of a type. One that takes yes or no is there a second time, for columns that say the opposite. */
const choicesOf = ({ fields }: RecordType) => [
  { value: LEFT_OUT, label: 'Leave out' },
  ...fields.flatMap(({ name, kind }) => {
    const label = fieldLabel(name)
    const opposite = { value: name + REVERSED, label: `${label}, reversed (yes means no)` }
    const unit = { value: name + UNIT_OF, label: `Unit of ${label}` }
    return [{ value: name, label }, ...(kind === 'boolean' ? [opposite] : []), ...(name === 'strength' ? [unit] : [])]
  }),
]

function targetOf(value: string, { headerUnit }: FileColumn, type: RecordType): Target {
  if (value === LEFT_OUT) return { field: null }
  if (value.endsWith(REVERSED)) return { field: value.slice(0, -REVERSED.length), reversed: true }
  if (value.endsWith(UNIT_OF)) return { field: null, unitOf: value.slice(0, -UNIT_OF.length) }
  const takesUnit = type.fields.find(({ name }) => name === value)?.kind === 'string'
  return { field: value, ...(takesUnit && headerUnit !== undefined && { unit: headerUnit }) }
}

function choiceOf({ field, reversed: isReversed, unitOf }: FileColumn): string {
  if (unitOf !== undefined) return unitOf + UNIT_OF
  return field === undefined ? LEFT_OUT : `${field.name}${isReversed ? REVERSED : ''}`
}

const GUESS_TEXTS: Partial<Record<NonNullable<FileColumn['by']>, string>> = {
  guess: 'Guessed from the header',
  memory: 'As last time',
}

/** What a person should know of a column, sentence by sentence. */
function notesOn(column: FileColumn, columns: readonly FileColumn[], double: readonly string[]): string[] {
  const { field, by, hasValues, isHidden, isIgnored, reversed: isReversed, examples, unitOf, misfit } = column
  const [first] = examples
  const isUnknown = field === undefined && by === undefined && hasValues && !isIgnored
  const notes = [
    by && GUESS_TEXTS[by],
    isUnknown && 'Not read: its header is not known',
    misfit &&
      `Last time it was ${fieldLabel(misfit)}, which does not fit now: its values are others, or another column has it`,
    unitOf && joinedText(column, columns),
    isHidden && 'Hidden in the spreadsheet',
    field && double.includes(field.name) && `Another column becomes ${fieldLabel(field.name)} too`,
    isReversed && first !== undefined && `“${first}” becomes ${oppositeOf(first)}`,
  ]
  return notes.filter((note) => typeof note === 'string')
}

/** How the units of a column stand behind the numbers of another one. */
function joinedText({ unitOf, examples: [unit = ''] }: FileColumn, columns: readonly FileColumn[]) {
  const numbers = columns.find(({ field }) => field?.name === unitOf)
  const [first] = numbers?.examples ?? []
  return first !== undefined && `${first} becomes ${withUnit(first, unit)}`
}

/** Columns of a file with examples, and the field that each becomes, which can be changed. */
export function ColumnTable({ type, columns, double, disabled, onMap }: ColumnTableProps) {
  const choices = choicesOf(type)
  const tableColumns: readonly Column<FileColumn>[] = [
    { label: 'Column', cell: columnName, isRowHeader: true },
    { label: 'Examples', cell: ({ examples }) => examples.join(' · ') || '—', className: 'value-cell' },
    {
      label: 'Becomes',
      cell: (column) => (
        <>
          <NativeSelect
            aria-label={`Field for the column ${columnName(column)}`}
            data={choices}
            value={choiceOf(column)}
            disabled={disabled}
            onChange={({ currentTarget: { value } }) => onMap(column.position, targetOf(value, column, type))}
          />
          <UnitChoice column={column} disabled={disabled} onMap={onMap} />
          {notesOn(column, columns, double).map((note) => (
            <Text size="xs" c="dimmed" key={note}>
              {note}
            </Text>
          ))}
        </>
      ),
    },
  ]
  const listedColumns = columns.filter(({ header, hasValues }) => header !== '' || hasValues)
  return (
    <>
      <ItemTable
        name="columns of the file"
        items={listedColumns.slice(0, SHOWN_COLUMNS)}
        idOf={({ position }) => String(position)}
        columns={tableColumns}
        minWidth={420}
        maxHeight={420}
        stickyHeader
      />
      {listedColumns.length > SHOWN_COLUMNS && (
        <Text size="sm">
          and {numberText(listedColumns.length - SHOWN_COLUMNS)} more columns, as “
          {columnName(listedColumns[SHOWN_COLUMNS]!)}
          ”. Leave columns that are not needed out of the file to see all others here.
        </Text>
      )}
    </>
  )
}

type UnitChoiceProps = Pick<ColumnTableProps, 'disabled' | 'onMap'> & { column: FileColumn }

/** Whether the unit of the header is written behind each number. */
function UnitChoice({ column, disabled, onMap }: UnitChoiceProps) {
  const { position, field, headerUnit, unit, examples } = column
  if (headerUnit === undefined || field?.kind !== 'string') return null
  const [first = '5'] = examples
  return (
    <Checkbox
      size="xs"
      mt={6}
      label={`Write “${headerUnit}” behind numbers: ${first} becomes ${withUnit(first, headerUnit)}`}
      checked={unit !== undefined}
      disabled={disabled}
      onChange={({ currentTarget: { checked } }) =>
        onMap(position, { field: field.name, ...(checked && { unit: headerUnit }) })
      }
    />
  )
}
