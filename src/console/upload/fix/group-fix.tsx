import { Autocomplete, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ErrorChoice } from '#files/check/error-choice'
import { valueError } from '#files/check/row-check'
import type { ErrorGroup, ErrorValue } from '#files/check/row-errors'
import { type Field, fieldNamed, type RecordType } from '#shared/records/record-type'
import { fieldLabel, numberText } from '../../wording'
import type { UploadProcess } from '../process/upload-process'
import { allowedValues, hintOf, suggestedValues } from './field-hints'
import { type ChangeRows, PatternFix, TooLongFix } from './pattern-fix'

/** Actions on many errors at once. */
export interface GroupActions {
  upload: UploadProcess
  onChange: ChangeRows
  /** Omitted if rows must not be excluded. */
  onLeaveOut?: (choice: ErrorChoice) => void
}

interface GroupFixProps extends GroupActions {
  type: RecordType
  group: ErrorGroup
  /**
   * Whether the file has no column for the field, so that existing records keep their values and only new ones lack it.
   */
  isKept: boolean
}

const NEW_RECORDS =
  'These IDs are new, and the file has no such column. Exclude these rows, or add the column in your spreadsheet.'

/** Fixes all errors of a group at once, or only those with one value. */
export function GroupFix({ type, group, isKept, ...actions }: GroupFixProps) {
  const [chosenValue, setChosenValue] = useState<string>()
  // If the chosen value has been fixed, the actions apply to all remaining errors.
  const value = group.values.find((one) => one.value === chosenValue)?.value
  const field = fieldNamed(type, group.field)
  const isInRows = field !== undefined && !isKept && !group.ofFile
  // IDs must be distinct.
  const settable = isInRows && field.name !== type.idField ? field : undefined
  const hasValues = !group.ofFile && (group.values.length > 1 || group.values[0]?.value !== '')
  const choice = { group: group.key, ...(value !== undefined && { value }) }
  return (
    <Stack gap="sm">
      <Text size="sm">{isKept ? NEW_RECORDS : hintOf(field, group.code)}</Text>
      {group.code === 'malformed' && field !== undefined && !group.ofFile && (
        <Button
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => actions.onChange((work) => work.change({ group: group.key }, field.name, { is: 'trim' }))}
        >
          Remove the unreadable characters
        </Button>
      )}
      {hasValues && group.values.length > 1 && <ValueChoice group={group} value={value} onChange={setChosenValue} />}
      {hasValues && group.values.length === 1 && (
        <Text size="sm" c="dimmed" className="breakable" lineClamp={3}>
          The value in the file is “{group.values[0]?.value}”.
        </Text>
      )}
      {group.code === 'too_long' && settable?.kind === 'string' && settable.name !== 'name' && (
        <TooLongFix key={`too long ${value}`} field={settable} choice={choice} errors={group.errorCount} {...actions} />
      )}
      <Fixes
        type={type}
        field={settable}
        choice={choice}
        what={whatIsFixed(group, value)}
        ofFile={group.ofFile}
        {...actions}
      />
      {isInRows && hasValues && ['string', 'list'].includes(field.kind) && (
        <PatternFix key={value} field={field} choice={choice} errors={group.errorCount} {...actions} />
      )}
    </Stack>
  )
}

/** `all 1,424`, `“perhaps”`. */
function whatIsFixed({ ofFile, errorCount }: ErrorGroup, value: string | undefined): string {
  if (value !== undefined) return value === '' ? 'the empty ones' : `“${shortValue(value)}”`
  return ofFile ? 'all rows' : `all ${numberText(errorCount)}`
}

/** Most characters of a value on a button or in a list. */
const VALUE_CHARACTERS = 32

const shortValue = (text: string): string =>
  text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS)}…` : text

const rowsText = ({ rowCount, firstRow }: ErrorValue): string =>
  rowCount === 1 ? `row ${firstRow}` : `${numberText(rowCount)} rows`

interface ValueChoiceProps {
  group: ErrorGroup
  value: string | undefined
  onChange: (value: string | undefined) => void
}

function ValueChoice({ group, value, onChange }: ValueChoiceProps) {
  const { values, errorCount, furtherValues } = group
  const index = values.findIndex((one) => one.value === value)
  const further = furtherValues === 0 ? '' : `, with ${numberText(furtherValues)} more values`
  return (
    <NativeSelect
      label="Values"
      size="xs"
      value={String(index)}
      data={[
        { value: '-1', label: `All ${numberText(errorCount)}${further}` },
        ...values.map((one, index) => ({
          value: String(index),
          label: `${shortValue(one.value) || '(empty)'} – ${rowsText(one)}`,
        })),
      ]}
      onChange={({ currentTarget }) => onChange(values[Number(currentTarget.value)]?.value)}
    />
  )
}

interface FixesProps extends Pick<GroupActions, 'onChange' | 'onLeaveOut'> {
  type: RecordType
  /** Undefined if no value can be set. */
  field: Field | undefined
  choice: ErrorChoice
  what: string
  ofFile: boolean
}

/** Buttons that set or clear a value in rows with the selected errors, or exclude these rows. */
function Fixes({ type, field, choice, what, ofFile, onChange, onLeaveOut }: FixesProps) {
  const [text, setText] = useState('')
  const error = field === undefined || text === '' ? undefined : valueError(type, field, text)
  return (
    <Group gap="xs" align="flex-start">
      {field !== undefined && (
        <>
          <ValueInput
            field={field}
            label={`New ${fieldLabel(field.name)} for ${what}`}
            value={text}
            error={error}
            onChange={setText}
          />
          <Button
            size="xs"
            disabled={text.trim() === '' || error !== undefined}
            onClick={() => onChange((work) => work.setAll(choice, field.name, text.trim()))}
          >
            Set {what}
          </Button>
          {/* An empty value would not say whether the record is active. */}
          {field.required !== true && field.name !== 'is_active' && !ofFile && (
            <Button size="xs" variant="subtle" onClick={() => onChange((work) => work.setAll(choice, field.name, ''))}>
              Clear {what}
            </Button>
          )}
        </>
      )}
      {onLeaveOut !== undefined && !ofFile && (
        <Button size="xs" variant="subtle" onClick={() => onLeaveOut(choice)}>
          Exclude {what}
        </Button>
      )}
    </Group>
  )
}

const MAX_VALUES = 8

interface ValueInputProps {
  field: Field
  label: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function ValueInput({ field, label, value, error, onChange }: ValueInputProps) {
  const common = { 'aria-label': label, value, error, size: 'xs', flex: '1 1 140px', miw: 120 } as const
  const allowed = allowedValues(field)
  if (allowed.length > 0) {
    return (
      <NativeSelect
        {...common}
        data={[{ value: '', label: 'Choose…' }, ...allowed]}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  }
  const suggested = suggestedValues(field)
  if (suggested.length > 0) return <Autocomplete {...common} data={suggested} limit={MAX_VALUES} onChange={onChange} />
  return <TextInput {...common} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
}
