import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { type ValueCount, valueKey } from '#files/columns/column-values'
import type { FileColumn } from '#files/columns/file-column'
import { areExplained, type Meanings, probableMeaning } from '#files/columns/meanings'
import type { Field } from '#shared/records/record-type'
import { type Column, ItemTable } from '../../widgets/item-table'
import { fieldLabel, numberText } from '../../wording'
import { allowedValues } from '../fix/field-hints'
import { columnName } from './column-table'
import { type FileQuestionProps, QuestionCard } from './question-card'

interface ValuesQuestionProps extends FileQuestionProps {
  column: FileColumn & { field: Field }
  values: readonly ValueCount[]
}

/** Choices in addition to the field's values. No field value has this form. */
const OPEN = ' open'
const EXCLUDE = ' exclude'
const EMPTY = ' empty'

/** The field's values as they are called here. For `is_active`, these are the states of a record. */
const fieldValues = (field: Field) =>
  allowedValues(field).map(({ value, label }) => ({
    value,
    label: field.name === 'is_active' ? (value === 'yes' ? 'Active' : 'Inactive') : label,
  }))

function choicesOf(field: Field) {
  const isOptional = field.required !== true && field.name !== 'is_active'
  return [
    { value: OPEN, label: 'Choose…' },
    ...fieldValues(field),
    ...(isOptional ? [{ value: EMPTY, label: 'No value' }] : []),
    { value: EXCLUDE, label: 'Exclude these rows' },
  ]
}

const CHOICES: Readonly<Record<string, string | null>> = { [EXCLUDE]: null, [EMPTY]: '' }

/** The selected choice for a meaning. */
function choiceOf(meaning: string | null | undefined): string {
  if (meaning === undefined) return OPEN
  return meaning === null ? EXCLUDE : meaning || EMPTY
}

function probableMeanings(field: Field, values: readonly ValueCount[]): Meanings {
  const known = values.map(({ value }) => [valueKey(value), probableMeaning(field, value)] as const)
  return Object.fromEntries(known.flatMap(([key, meaning]) => (meaning === undefined ? [] : [[key, meaning]])))
}

/** `Laboratory: LabTest; Panel: LabSet; excluded: Misc`. */
function answerText(field: Field, values: readonly ValueCount[], meanings: Meanings): string {
  const labels = new Map(fieldValues(field).map(({ value, label }) => [value, label]))
  const labelOf = (meaning: string | null) =>
    meaning === null ? 'excluded' : meaning === '' ? 'no value' : (labels.get(meaning) ?? meaning)
  const groups = Map.groupBy(values, ({ value }) => labelOf(meanings[valueKey(value)] ?? null))
  return [...groups].map(([label, ones]) => `${label}: ${ones.map(({ value }) => value).join(', ')}`).join('; ')
}

/** Asks for the meanings of a column's values that the service cannot read. */
export function ValuesQuestion({ upload, disabled, column, values }: ValuesQuestionProps) {
  const { position, field, meanings } = column
  const [chosen, setChosen] = useState<Meanings>(() => ({ ...probableMeanings(field, values), ...meanings }))
  const isAnswered = meanings !== undefined && areExplained(values, meanings)
  const columns: readonly Column<ValueCount>[] = [
    { label: 'Value', cell: ({ value }) => value, isRowHeader: true, className: 'label-cell' },
    { label: 'Rows', cell: ({ count }) => numberText(count), className: 'number-cell' },
    {
      label: fieldLabel(field.name),
      cell: ({ value }) => (
        <NativeSelect
          size="xs"
          aria-label={`What “${value}” means`}
          disabled={disabled}
          value={choiceOf(chosen[valueKey(value)])}
          data={choicesOf(field)}
          onChange={({ currentTarget: { value: choice } }) => {
            const { [valueKey(value)]: _, ...others } = chosen
            const meaning = choice in CHOICES ? (CHOICES[choice] ?? null) : choice
            setChosen(choice === OPEN ? others : { ...others, [valueKey(value)]: meaning })
          }}
        />
      ),
    },
  ]
  const open = values.filter(({ value }) => chosen[valueKey(value)] === undefined).length
  return (
    <QuestionCard
      title={`What do the values of “${columnName(column)}” mean?`}
      answer={isAnswered ? answerText(field, values, meanings) : undefined}
      disabled={disabled}
    >
      <ItemTable
        name={`values of ${columnName(column)}`}
        items={values}
        idOf={({ value }) => value}
        columns={columns}
        minWidth={300}
        verticalSpacing={4}
      />
      <Group gap="xs">
        <Button
          size="xs"
          disabled={disabled || open > 0}
          onClick={() => upload.changeReading((answers) => answers.explainColumn(position, chosen))}
        >
          Use these answers
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={disabled}
          onClick={() => upload.changeReading((answers) => answers.mapColumn(position, { field: null }))}
        >
          Ignore this column
        </Button>
        {open > 0 && (
          <Text size="sm" c="dimmed">
            {numberText(open)} to answer
          </Text>
        )}
      </Group>
    </QuestionCard>
  )
}
