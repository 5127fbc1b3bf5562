import { Checkbox, NativeSelect, Text } from '@mantine/core'
import { type FileColumn, isEmptyColumn, type Target } from '#files/columns/file-column'
import type { Meanings } from '#files/columns/meanings'
import { withUnit } from '#files/columns/units'
import { oppositeOf } from '#files/columns/yes-no'
import { columnLetters } from '#files/text/csv-file'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { ItemList } from '../../widgets/item-table'
import { countText, fieldLabel, numberText } from '../../wording'
import type { FileQuestionProps } from './question-card'

interface ColumnTableProps extends FileQuestionProps {
  columns: readonly FileColumn[]
  double: readonly string[]
}

/** The name of a column: its header or, if there is none, its letters in the spreadsheet. */
export const columnName = ({ header, position }: Pick<FileColumn, 'header' | 'position'>): string =>
  header === '' ? `Column ${columnLetters(position)}` : header

/** Most columns to show. More would make the page slow. */
const SHOWN_COLUMNS = 150

const IGNORED = ''
const REVERSED = ' reversed'
const UNIT_OF = ' unit'

/** The fields of a type. Boolean fields have a second entry for columns with the opposite meaning. */
const choicesOf = ({ fields }: RecordType) => [
  { value: IGNORED, label: 'Ignore' },
  ...fields.flatMap(({ name, kind }) => {
    const label = fieldLabel(name)
    const opposite = { value: name + REVERSED, label: `${label}, reversed (yes means no)` }
    const unit = { value: name + UNIT_OF, label: `Unit of ${label}` }
    return [{ value: name, label }, ...(kind === 'boolean' ? [opposite] : []), ...(name === 'strength' ? [unit] : [])]
  }),
]

function targetOf(value: string, { headerUnit }: FileColumn, type: RecordType): Target {
  if (value === IGNORED) return { field: null }
  if (value.endsWith(REVERSED)) return { field: value.slice(0, -REVERSED.length), reversed: true }
  if (value.endsWith(UNIT_OF)) return { field: null, unitOf: value.slice(0, -UNIT_OF.length) }
  const takesUnit = type.fields.find(({ name }) => name === value)?.kind === 'string'
  return { field: value, ...(takesUnit && headerUnit !== undefined && { unit: headerUnit }) }
}

function choiceOf({ field, reversed: isReversed, unitOf }: FileColumn): string {
  if (unitOf !== undefined) return unitOf + UNIT_OF
  return field === undefined ? IGNORED : `${field.name}${isReversed ? REVERSED : ''}`
}

const GUESS_TEXTS: Partial<Record<NonNullable<FileColumn['by']>, string>> = {
  guess: 'Guessed from the header',
  memory: 'As last time',
}

/** Notes for the user about a column, one sentence each. */
function notesOn(column: FileColumn, columns: readonly FileColumn[], double: readonly string[]): string[] {
  const { field, by, filled, isHidden, isIgnored, reversed: isReversed, examples, unitOf, misfit } = column
  const { doubt, namedField, meanings, digits } = column
  const label = fieldLabel(namedField?.name ?? '')
  const [first] = examples
  const isUnknown = field === undefined && by === undefined && filled > 0 && !isIgnored
  const notes = [
    doubt === undefined && by && GUESS_TEXTS[by],
    doubt === 'flags' && `The header says ${label}, but the values do not look like it: ignored`,
    doubt === 'repeats' && `Is this ${label}? The same few words repeat in all rows`,
    meanings && meaningsText(meanings),
    digits !== undefined && `Leading zeros are added: every ID has ${digits} digits`,
    isUnknown && 'Ignored: the header is unknown',
    misfit && misfitText(misfit),
    unitOf && joinedText(column, columns),
    isHidden && 'Hidden in the spreadsheet',
    field && double.includes(field.name) && `Another column is mapped to ${fieldLabel(field.name)} too`,
    isReversed && first !== undefined && `“${first}” becomes ${oppositeOf(first)}`,
  ]
  return notes.filter((note) => typeof note === 'string')
}

function misfitText({ field, because }: NonNullable<FileColumn['misfit']>): string {
  const label = fieldLabel(field)
  const why = because === 'taken' ? `Now another column is mapped to ${label}` : 'Now its values do not fit'
  return `Last time this was mapped to ${label}. ${why}`
}

const MEANINGS_SHOWN = 5

function meaningsText(meanings: Meanings): string {
  const all = Object.entries(meanings)
  const first = all.slice(0, MEANINGS_SHOWN).map(([value, meaning]) => {
    if (meaning === null) return `“${value}”: rows are excluded`
    return meaning === '' ? `“${value}” becomes empty` : `“${value}” becomes “${meaning}”`
  })
  const further = all.length > MEANINGS_SHOWN ? ` and ${numberText(all.length - MEANINGS_SHOWN)} more` : ''
  return first.join(', ') + further
}

/** An example of how a units column is appended to the numbers of another column. */
function joinedText({ unitOf, examples: [unit = ''] }: FileColumn, columns: readonly FileColumn[]) {
  const numbers = columns.find(({ field }) => field?.name === unitOf)
  const [first] = numbers?.examples ?? []
  return first !== undefined && `${first} becomes ${withUnit(first, unit)}`
}

const withoutEmpty = (columns: readonly FileColumn[]) => columns.filter((column) => !isEmptyColumn(column))

/** The columns to show: those that are read or have values. */
export const listedColumns = (columns: readonly FileColumn[]): readonly FileColumn[] =>
  withoutEmpty(columns).slice(0, SHOWN_COLUMNS)

/** Some values of a column. For a mostly empty column, also how many rows have one. @param rows with data */
function examplesText({ examples, filled }: FileColumn, rows: number): string {
  if (filled === 0) return '—'
  const some = examples.join(' · ')
  return filled === rows ? some : `${some} (in ${numberText(filled)} of ${countText(rows, 'row', 'rows')})`
}

/** `7 empty columns are ignored`; nothing if there are none. */
export function emptyColumnsText(columns: readonly FileColumn[]): string {
  const count = columns.filter((column) => isEmptyColumn(column) && column.header !== '').length
  return count === 0 ? '' : `${countText(count, 'empty column is', 'empty columns are')} ignored`
}

/** The columns of a file with examples and their fields, which can be changed. */
export function ColumnTable({ columns, double, ...props }: ColumnTableProps) {
  const becomes = (column: FileColumn) => (
    <FieldChoice {...props} column={column} notes={notesOn(column, columns, double)} />
  )
  const listed = listedColumns(columns)
  const further = withoutEmpty(columns).slice(listed.length)
  const empty = emptyColumnsText(columns)
  return (
    <>
      <ItemList
        name="columns of the file"
        items={listed}
        idOf={({ position }) => String(position)}
        columns={[
          { label: 'Column', cell: columnName, isRowHeader: true },
          { label: 'Examples', cell: (column) => examplesText(column, props.file.csv.rows), className: 'value-cell' },
          { label: 'Becomes', cell: becomes },
        ]}
        minWidth={420}
      />
      {empty !== '' && (
        <Text size="sm" c="dimmed">
          {empty}.
        </Text>
      )}
      {further[0] !== undefined && (
        <Text size="sm">
          and {numberText(further.length)} more columns, such as “{columnName(further[0])}”. To see all of them here,
          remove columns that you do not need from the file.
        </Text>
      )}
    </>
  )
}

interface FieldChoiceProps extends FileQuestionProps {
  column: FileColumn
  notes: readonly string[]
}

function FieldChoice({ column, notes, ...props }: FieldChoiceProps) {
  const { type, upload, disabled } = props
  const onMap = (position: number, target: Target) =>
    upload.changeReading((answers) => answers.mapColumn(position, target))
  return (
    <>
      <NativeSelect
        aria-label={`Field for the column ${columnName(column)}`}
        data={choicesOf(type)}
        value={choiceOf(column)}
        disabled={disabled}
        onChange={({ currentTarget: { value } }) => onMap(column.position, targetOf(value, column, type))}
      />
      <UnitChoice column={column} disabled={disabled} onMap={onMap} />
      {(column.field?.name === type.idField || column.field?.name === 'name') && (
        <AlsoChoice {...props} column={column} />
      )}
      {notes.map((note) => (
        <Text size="xs" c="dimmed" key={note}>
          {note}
        </Text>
      ))}
    </>
  )
}

interface UnitChoiceProps extends Pick<FieldChoiceProps, 'column' | 'disabled'> {
  onMap: (position: number, target: Target) => void
}

function UnitChoice({ column, disabled, onMap }: UnitChoiceProps) {
  const { position, field, headerUnit, unit, examples } = column
  if (headerUnit === undefined || field?.kind !== 'string') return null
  const [first = '5'] = examples
  return (
    <Checkbox
      size="xs"
      mt={6}
      label={`Add “${headerUnit}” after numbers: ${first} becomes ${withUnit(first, headerUnit)}`}
      checked={unit !== undefined}
      disabled={disabled}
      onChange={({ currentTarget: { checked } }) =>
        onMap(position, { field: field.name, ...(checked && { unit: headerUnit }) })
      }
    />
  )
}

/**
 * Maps the ID or name column to a second field, too: the only code in a list may be both its ID and its ICD-10 code.
 */
function AlsoChoice({ type, file, upload, column, disabled }: Omit<FieldChoiceProps, 'notes'>) {
  const { fills } = file.answers
  const also = [...fills].find(([, fill]) => fill.is === 'column' && fill.position === column.position)?.[0]
  const read = file.csv.columns.map(({ field }) => field.name)
  const free = type.fields.filter(({ name }) => name === also || (!read.includes(name) && !fills.has(name)))
  return (
    <NativeSelect
      size="xs"
      mt={4}
      variant="unstyled"
      aria-label={`Second field for the column ${columnName(column)}`}
      disabled={disabled}
      value={also ?? ''}
      data={[
        { value: '', label: 'and nothing else' },
        ...free.map(({ name }) => ({ value: name, label: `and ${fieldLabel(name)} too` })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        upload.changeReading((answers) => {
          if (also !== undefined) answers.fill(also, undefined)
          if (fieldNamed(type, value) !== undefined) answers.fill(value, { is: 'column', position: column.position })
        })
      }
    />
  )
}
