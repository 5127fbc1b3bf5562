import { Button, Group, Radio, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { FileColumn } from '#files/columns/columns'
import { areExplained, knownState, type Meanings, type StateCount, stateKey } from '#files/columns/states'
import { type Column, ItemTable } from '../../widgets/item-table'
import { fieldLabel, numberText } from '../../wording'
import { columnName } from './column-table'
import { type FileQuestionProps, QuestionCard } from './question-card'

interface StateQuestionProps extends FileQuestionProps {
  column: FileColumn
  states: readonly StateCount[]
}

const knownMeanings = (states: readonly StateCount[]): Meanings =>
  Object.fromEntries(
    states.flatMap(({ value }) => {
      const state = knownState(value)
      return state === undefined ? [] : [[stateKey(value), state] as const]
    }),
  )

/** Asks which values of a column mean that a record is active, or that something else is so. */
export function StateQuestion({ type, upload, disabled, column, states }: StateQuestionProps) {
  const { position, field, meanings } = column
  const [chosen, setChosen] = useState<Meanings>(() => ({ ...knownMeanings(states), ...meanings }))
  const isActivity = field?.name === 'is_active'
  const [yes, no] = isActivity ? ['Active', 'Inactive'] : ['Yes', 'No']
  const what = isActivity ? `that the ${type.title} is active` : `yes for ${fieldLabel(field?.name ?? '')}`
  const isAnswered = meanings !== undefined && areExplained(states, meanings)
  const active = states.filter(({ value }) => meanings?.[stateKey(value)] === 'yes').map(({ value }) => value)
  const columns: readonly Column<StateCount>[] = [
    { label: 'Value', cell: ({ value }) => value, isRowHeader: true },
    { label: 'Rows', cell: ({ count }) => numberText(count), className: 'number-cell' },
    {
      label: 'Means',
      cell: ({ value }) => (
        <Radio.Group
          label={<VisuallyHidden>{`What “${value}” means`}</VisuallyHidden>}
          value={chosen[stateKey(value)] ?? null}
          onChange={(meaning) => setChosen({ ...chosen, [stateKey(value)]: meaning === 'yes' ? 'yes' : 'no' })}
        >
          <Group gap="md">
            <Radio value="yes" label={yes} disabled={disabled} />
            <Radio value="no" label={no} disabled={disabled} />
          </Group>
        </Radio.Group>
      ),
    },
  ]
  const open = states.filter(({ value }) => chosen[stateKey(value)] === undefined).length
  return (
    <QuestionCard
      title={`Which values of “${columnName(column)}” mean ${what}?`}
      answer={isAnswered ? active.join(', ') || 'none' : undefined}
      disabled={disabled}
    >
      <ItemTable
        name={`values of ${columnName(column)}`}
        items={states}
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
          It means something else: leave the column out
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
