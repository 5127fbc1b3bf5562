import { Alert, NativeSelect, Stack, Text } from '@mantine/core'
import { CircleHelp } from 'lucide-react'
import type { FileColumn } from '#files/columns/columns'
import { type Fill, idOfTexts, tellingFields } from '#files/columns/fills'
import { missingFields } from '#files/file-summary'
import type { Field, RecordType } from '#shared/records/record-type'
import { fieldLabel, fieldWord } from '../../wording'
import { allowedValues } from '../fix/field-hints'
import { columnName } from './column-table'
import type { FileQuestionProps } from './question-card'

/** What to do if no column has a field. */
export const ADD_A_COLUMN = 'If the file has no such column, add one in your spreadsheet and choose the file again.'

const TEXTS = 'texts'
const COLUMN = 'column '
const VALUE = 'value '

const columnText = (column: FileColumn): string =>
  column.examples.length === 0
    ? columnName(column)
    : `${columnName(column)} (${column.examples.slice(0, 2).join(', ')})`

/** The columns of which ids can be made, in the order in which they become part of one; none without names. */
function idColumns(columns: readonly FileColumn[]) {
  const read = columns.flatMap((column) => (column.field === undefined ? [] : [{ ...column, field: column.field }]))
  return read.some(({ field }) => field.name === 'name') ? tellingFields(read) : []
}

const choiceOf = (fill: Fill | undefined): string => {
  switch (fill?.is) {
    case 'texts':
      return TEXTS
    case 'column':
      return COLUMN + fill.position
    case 'value':
      return VALUE + fill.text
    case undefined:
      return ''
  }
}

/** The fields that every record needs and that no column has: from which column they come, or what all rows have. */
export function MissingFields(props: FileQuestionProps & { advice: string }) {
  const { type, file, advice } = props
  const { fills } = file.answers
  const missing = missingFields(file)
  const fields = type.fields.filter(({ name, required }) => missing.includes(name) || (required && fills.has(name)))
  if (fields.length === 0) return null
  const words = missing.map(fieldWord)
  return (
    <Alert
      color="yellow"
      icon={<CircleHelp />}
      {...(missing.length > 0 && { role: 'alert' })}
      title={missing.length > 0 ? `No column is called ${words.join(' or ')}` : undefined}
    >
      <Stack gap="sm">
        {missing.length > 0 && (
          <Text size="sm">
            Every {type.title} needs {missing.length === 1 ? 'it' : 'them'}. {advice}
          </Text>
        )}
        {fields.map((field) => (
          <FieldSource key={field.name} {...props} field={field} />
        ))}
      </Stack>
    </Alert>
  )
}

function FieldSource({ type, file, upload, disabled, field }: FileQuestionProps & { field: Field }) {
  const { name } = field
  const filled = file.csv.fileColumns.filter(({ hasValues }) => hasValues)
  const idParts = name === type.idField ? idColumns(file.csv.fileColumns) : []
  const fill = file.answers.fills.get(name)
  const onChoose = (value: string) =>
    upload.changeReading((answers) => {
      if (value.startsWith(COLUMN)) {
        const position = Number(value.slice(COLUMN.length))
        const isFree = filled.find((column) => column.position === position)?.field === undefined
        // A column that is another field already becomes both.
        if (isFree) answers.mapColumn(position, { field: name })
        else answers.fill(name, { is: 'column', position })
      } else if (value === TEXTS) answers.fill(name, { is: 'texts' })
      else answers.fill(name, value === '' ? undefined : { is: 'value', text: value.slice(VALUE.length) })
    })
  return (
    <>
      <NativeSelect
        label={`Where does the ${fieldWord(name)} come from?`}
        maw={480}
        disabled={disabled}
        value={choiceOf(fill)}
        data={[
          { value: '', label: 'Choose…' },
          ...(allowedValues(field).length === 0 ? [] : [{ group: 'The same in all rows', items: sameValues(field) }]),
          ...(idParts.length === 0
            ? []
            : [
                {
                  value: TEXTS,
                  label: `Make ids from ${idParts.map((part) => fieldWord(part.field.name)).join(', ')}`,
                },
              ]),
          {
            group: 'A column of the file',
            items: filled.map((column) => ({ value: COLUMN + column.position, label: columnText(column) })),
          },
        ]}
        onChange={({ currentTarget: { value } }) => onChoose(value)}
      />
      {fill?.is === 'texts' && <MadeIds type={type} parts={idParts} />}
      {fill?.is === 'column' && (
        <Text size="sm" c="dimmed">
          The column is used twice: as {fieldLabel(name)}, and as what is chosen for it below.
        </Text>
      )}
    </>
  )
}

const sameValues = (field: Field) =>
  allowedValues(field).map(({ value, label }) => ({ value: VALUE + value, label: `All are: ${label}` }))

interface MadeIdsProps {
  type: RecordType
  parts: readonly (FileColumn & { field: Field })[]
}

const MadeIds = ({ type, parts }: MadeIdsProps) => (
  <Text size="sm" className="breakable">
    The first row gets the id <b>{idOfTexts(parts.map(({ examples: [first = ''] }) => first))}</b>. In a later file, the
    same texts give the same id. If a text is spelt differently there, that row is added as another {type.title}, and
    the one that you have stays as it is.
  </Text>
)
