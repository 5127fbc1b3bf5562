import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { valueError } from '#files/check/row-check'
import type { FileColumn } from '#files/columns/file-column'
import { type Fill, idOfTexts, tellingFields } from '#files/columns/fills'
import { type FileSummary, missingFields, sparseFields } from '#files/file-summary'
import type { Field, RecordType } from '#shared/records/record-type'
import { countText, fieldLabel, fieldWord, numberText, valueLabel } from '../../wording'
import { allowedValues } from '../fix/field-hints'
import { columnName } from './column-table'
import type { FileQuestionProps } from './question-card'

/** Advice if there is no column for a field. */
export const ADD_A_COLUMN = 'If the file has no such column, add one in your spreadsheet and choose the file again.'

const TEXTS = 'texts'
const COLUMN = 'column '
const VALUE = 'value '
const NOTHING = 'nothing'

const columnText = (column: FileColumn): string =>
  column.examples.length === 0
    ? columnName(column)
    : `${columnName(column)} (${column.examples.slice(0, 2).join(', ')})`

/** The columns from which IDs can be created, in that order; none if there is no column of names. */
function idColumns(columns: readonly FileColumn[]) {
  const read = columns.flatMap((column) => (column.field === undefined ? [] : [{ ...column, field: column.field }]))
  return read.some(({ field }) => field.name === 'name') ? tellingFields(read) : []
}

function choiceOf(field: Field, fill: Fill | undefined): string {
  if (fill === undefined) return ''
  if (fill.is === 'column') return COLUMN + fill.position
  if (fill.is !== 'value') return fill.is
  return allowedValues(field).length > 0 ? VALUE + fill.text : ''
}

/** Which rows of a file need a value of a field: `all`, those with an empty cell, or those that meet a condition. */
type Need =
  | { rows: 'all' }
  | { rows: number; of: number }
  | { rows: number; when: FileSummary['needed'][number]['when'] }

/** The fields that rows need but lack, or that the user has filled. */
function needsOf({ fields, conditions }: RecordType, file: FileSummary): { field: Field; need: Need }[] {
  const [missing, sparse] = [missingFields(file), sparseFields(file)]
  return fields.flatMap((field): { field: Field; need: Need }[] => {
    const { name } = field
    const column = file.csv.fileColumns.find((one) => one.field?.name === name)
    const condition = conditions.find((one) => one.field === name && one.rule === 'required')
    const open = file.needed.find((one) => one.field === name)?.rows ?? 0
    const isFilled = file.answers.fills.has(name)
    if (field.required && column !== undefined && (isFilled || sparse.includes(name)))
      return [{ field, need: { rows: file.csv.rows - column.filled, of: file.csv.rows } }]
    if (missing.includes(name) || (isFilled && field.required)) return [{ field, need: { rows: 'all' } }]
    return condition !== undefined && (open > 0 || isFilled)
      ? [{ field, need: { rows: open, when: condition.when } }]
      : []
  })
}

function titleOf(missing: readonly string[], { csv }: FileSummary): string {
  const empty = csv.fileColumns.filter(({ emptyField }) => emptyField && missing.includes(emptyField.name))
  const names = empty.map((column) => `“${columnName(column)}”`)
  if (names.length === 0) return `No column named ${missing.map(fieldWord).join(' or ')}`
  return names.length === 1 ? `The column ${names[0]} has no values` : `The columns ${names.join(', ')} have no values`
}

/** The fields that rows need but lack, with choices: a column, or a value for these rows. */
export function MissingFields(props: FileQuestionProps & { advice: string }) {
  const { type, file, advice } = props
  const missing = missingFields(file)
  const needs = needsOf(type, file)
  if (needs.length === 0) return null
  return (
    <Alert
      color="yellow"
      icon={<CircleHelp />}
      {...(missing.length > 0 && { role: 'alert' })}
      title={missing.length > 0 ? titleOf(missing, file) : undefined}
    >
      <Stack gap="sm">
        {missing.length > 0 && (
          <Text size="sm">
            Every {type.title} needs {missing.length === 1 ? 'it' : 'them'}. {advice}
          </Text>
        )}
        {needs.map(({ field, need }) => (
          <FieldSource key={field.name} {...props} field={field} need={need} />
        ))}
      </Stack>
    </Alert>
  )
}

function questionOf(type: RecordType, { name }: Field, need: Need): string {
  const word = fieldWord(name)
  if (need.rows === 'all') return `Where does the ${word} come from?`
  if ('of' in need) return `${numberText(need.rows)} of ${countText(need.of, 'row', 'rows')} have no ${word}. Use:`
  const { field, equals } = need.when
  const kind = type.fields.find((one) => one.name === field)
  const value = kind?.kind === 'enum' ? valueLabel(kind, equals) : equals
  const who = need.rows === 0 ? 'Rows need' : countText(need.rows, 'row needs', 'rows need')
  return `${who} the ${word} (${fieldLabel(field)}: ${value}). Use:`
}

function FieldSource({ type, file, upload, disabled, field, need }: FileQuestionProps & { field: Field; need: Need }) {
  const { name } = field
  const filled = file.csv.fileColumns
    .filter((column) => column.filled > 0 && column.field?.name !== name)
    // The generic name of a drug is most likely also its name.
    .toSorted((a, b) => Number(b.field?.name === 'generic_name') - Number(a.field?.name === 'generic_name'))
  const idParts = name === type.idField ? idColumns(file.csv.fileColumns) : []
  const fill = file.answers.fills.get(name)
  const sameValues = allowedValues(field).map(({ value, label }) => ({
    value: VALUE + value,
    label: `All are: ${label}`,
  }))
  const isTypable = sameValues.length === 0 && field.required !== true
  const onFill = (newFill: Fill | undefined) => upload.changeReading((answers) => answers.fill(name, newFill))
  const onChoose = (value: string) => {
    if (value === TEXTS || value === NOTHING) return onFill({ is: value })
    if (!value.startsWith(COLUMN))
      return onFill(value === '' ? undefined : { is: 'value', text: value.slice(VALUE.length) })
    const position = Number(value.slice(COLUMN.length))
    const isFree = filled.find((column) => column.position === position)?.field === undefined
    // A column that is already mapped to another field, or completes another column, gets both roles.
    if (!isFree || need.rows !== 'all') return onFill({ is: 'column', position })
    return upload.changeReading((answers) => answers.mapColumn(position, { field: name }))
  }
  const question = questionOf(type, field, need)
  return (
    <>
      {isTypable && (
        <TypedValue
          key={fill?.is === 'value' ? fill.text : ''}
          type={type}
          field={field}
          label={question}
          text={fill?.is === 'value' ? fill.text : ''}
          disabled={disabled}
          onUse={(text) => onFill({ is: 'value', text })}
        />
      )}
      <NativeSelect
        label={isTypable ? `Or from a column: ${fieldLabel(name)}` : question}
        maw={480}
        disabled={disabled}
        value={choiceOf(field, fill)}
        data={[
          { value: '', label: 'Choose…' },
          ...(sameValues.length === 0 ? [] : [{ group: 'The same in all of these rows', items: sameValues }]),
          ...(idParts.length === 0
            ? []
            : [
                {
                  value: TEXTS,
                  label: `Create IDs from ${idParts.map((part) => fieldWord(part.field.name)).join(', ')}`,
                },
              ]),
          ...(need.rows !== 'all' && field.required ? [{ value: NOTHING, label: 'Fix these rows later' }] : []),
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

interface TypedValueProps extends Pick<FileQuestionProps, 'type' | 'disabled'> {
  field: Field
  label: string
  /** The current value. */
  text: string
  onUse: (text: string) => void
}

/** A text input for the rows without a value. */
function TypedValue({ type, field, label, text: used, disabled, onUse }: TypedValueProps) {
  const [typed, setTyped] = useState(used)
  const text = typed.trim()
  const error = text === '' ? undefined : valueError(type, field, text)
  const isUsable = text !== '' && text !== used && error === undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isUsable) onUse(text)
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          label={label}
          w={360}
          maw="100%"
          value={typed}
          error={error}
          disabled={disabled}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <Button type="submit" disabled={disabled || !isUsable}>
          Use
        </Button>
      </Group>
    </form>
  )
}

interface MadeIdsProps {
  type: RecordType
  parts: readonly (FileColumn & { field: Field })[]
}

const MadeIds = ({ type, parts }: MadeIdsProps) => (
  <Text size="sm" className="breakable">
    The first row gets the ID <b>{idOfTexts(parts.map(({ examples: [first = ''] }) => first))}</b>. In a later file, the
    same text gives the same ID. If it is spelled differently there, that row is added as another {type.title}, and the
    existing one stays as it is.
  </Text>
)
