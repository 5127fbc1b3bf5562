import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ErrorChoice } from '#import/check/error-choice'
import { valueError } from '#import/check/row-check'
import type { ErrorGroup, ErrorValue } from '#import/check/row-errors'
import { type Field, fieldNamed, type RecordType } from '#records/record-type'
import { type Column, ItemTable } from '../../shell/item-table'
import { fieldLabel, numberText } from '../../wording'
import { hintOf } from './field-hints'
import { ValueInput } from './value-input'
import { YesNoFix } from './yes-no-fix'

/** What can be done about some errors at once. */
export interface GroupActions {
  onSet: (choice: ErrorChoice, field: string, text: string) => void
  /** Gives values that stand for those that the rows of a group have. */
  onSetEach: (group: string, field: string, texts: ReadonlyMap<string, string>) => void
  /** Left out if rows must not be left out. */
  onLeaveOut?: (choice: ErrorChoice) => void
  /** Shows the rows for editing. */
  onShow: (group: string) => void
}

interface GroupFixProps extends GroupActions {
  type: RecordType
  group: ErrorGroup
  /** Whether the file has no column for the field, so that records keep what they have: only new ones lack it. */
  isKept: boolean
}

const NEW_RECORDS =
  'These ids are new, and the file has no column for it. Leave these rows out, or add the column in your spreadsheet.'

/** Fixes all errors of a group at once, or those with one value. */
export function GroupFix({ type, group, isKept, ...actions }: GroupFixProps) {
  const field = fieldNamed(type, group.field)
  // Ids are different from one another; a column that is there twice is not filled.
  const isSettable =
    field !== undefined &&
    !isKept &&
    field.name !== type.idField &&
    (!group.ofFile || group.code === 'required')
  const settable = isSettable ? field : undefined
  const hasValues = !group.ofFile && (group.values.length > 1 || group.values[0]?.value !== '')
  const all = group.ofFile ? 'all rows' : `all ${numberText(group.errors)}`
  return (
    <Stack gap="sm">
      <Text size="sm">{isKept ? NEW_RECORDS : hintOf(field, group.code)}</Text>
      {settable?.kind === 'boolean' && !group.ofFile && (
        <YesNoFix field={settable} group={group} onSetEach={actions.onSetEach} />
      )}
      <Fixes
        type={type}
        field={settable}
        choice={{ group: group.key }}
        what={all}
        ofFile={group.ofFile}
        {...actions}
      />
      {hasValues && group.values.length > 1 && (
        <Values type={type} group={group} field={settable} {...actions} />
      )}
      {hasValues && group.values.length === 1 && (
        <Text size="sm" c="dimmed" className="breakable">
          The value in the file is “{group.values[0]!.value}”.
        </Text>
      )}
      {!group.ofFile && (
        <Group>
          <Button size="xs" variant="default" onClick={() => actions.onShow(group.key)}>
            {group.errors === 1 ? 'Edit this row' : `Edit these ${numberText(group.errors)} rows`}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Values({
  type,
  group,
  field,
  ...actions
}: GroupActions & { type: RecordType; group: ErrorGroup; field: Field | undefined }) {
  const columns: readonly Column<ErrorValue>[] = [
    { label: 'Value', cell: ({ value }) => value || '—', isRowHeader: true, className: 'value-cell' },
    {
      label: 'Rows',
      cell: ({ rows, firstRow }) => (rows === 1 ? `row ${firstRow}` : numberText(rows)),
      className: 'number-cell',
    },
    {
      label: 'Fix',
      cell: ({ value }) => (
        <Fixes
          type={type}
          field={field}
          choice={{ group: group.key, value }}
          what={value === '' ? 'the empty ones' : `“${value}”`}
          ofFile={false}
          {...actions}
        />
      ),
    },
  ]
  return (
    <>
      <ItemTable
        name={`values: ${group.reason}`}
        items={group.values}
        idOf={({ value }) => value}
        columns={columns}
        minWidth={520}
        maxHeight={360}
        verticalSpacing={4}
      />
      {group.furtherValues > 0 && (
        <Text size="sm" c="dimmed">
          and {numberText(group.furtherValues)} other values
        </Text>
      )}
    </>
  )
}

interface FixesProps extends GroupActions {
  type: RecordType
  /** Undefined if no value can be set. */
  field: Field | undefined
  choice: ErrorChoice
  /** What is fixed: `all 1,424`, `“perhaps”`. */
  what: string
  ofFile: boolean
}

function Fixes({ type, field, choice, what, ofFile, onSet, onLeaveOut }: FixesProps) {
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
            onClick={() => onSet(choice, field.name, text.trim())}
          >
            Set {what}
          </Button>
          {field.required !== true && !ofFile && (
            <Button size="xs" variant="subtle" onClick={() => onSet(choice, field.name, '')}>
              Empty {what}
            </Button>
          )}
        </>
      )}
      {onLeaveOut !== undefined && !ofFile && (
        <Button size="xs" variant="subtle" onClick={() => onLeaveOut(choice)}>
          Leave out {what}
        </Button>
      )}
    </Group>
  )
}
