import { Button, Radio, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { CellChoice, CellQuestion, DoubtfulCell, SameCells } from '#files/cells/cell-questions'
import type { RecordType } from '#shared/records/record-type'
import { type Column, ItemTable } from '../../widgets/item-table'
import { countText, fieldLabel, nameAmbiguous, numberText } from '../../wording'
import { DOUBTS } from './doubt-texts'
import { QuestionCard } from './question-card'

interface CellQuestionProps {
  type: RecordType
  question: CellQuestion
  choice: CellChoice | undefined
  header: string
  disabled: boolean
  onChoose: (choice: CellChoice) => void
}

const TYPED = 'typed'

/** Asks what is written of cells of one column that are doubtful for one reason. */
export function CellQuestionCard({ type, question, choice, header, disabled, onChoose }: CellQuestionProps) {
  // Texts are typed one after another before they are written.
  const [isTyping, setTyping] = useState(false)
  const { field, doubt, count, examples, texts } = question
  const { one, what, reason, choices, isLost } = DOUBTS[doubt]
  const [firstCell] = examples
  if (firstCell === undefined) return null
  const selectedValue = isTyping || typeof choice === 'object' ? TYPED : (choice ?? null)
  const choiceText = choices.find(([value]) => value === choice)?.[1](firstCell, type)
  const answer = typeof choice === 'object' ? 'texts that you have typed' : choiceText
  const option = (value: string, label: ReactNode) => (
    <Radio key={value} value={value} disabled={disabled} label={label} />
  )
  return (
    <QuestionCard
      title={`${fieldLabel(field)}: ${countText(count, one, what)}`}
      answer={isTyping ? undefined : answer}
      disabled={disabled}
    >
      <Text size="sm">
        {reason} {header !== '' && `The column is “${header}”.`}
      </Text>
      {selectedValue !== TYPED && <Examples question={question} />}
      <Radio.Group
        label={`What is written for ${fieldLabel(field)}, ${what}?`}
        value={selectedValue}
        onChange={(value) => {
          setTyping(value === TYPED)
          const match = choices.find(([one]) => one === value)
          if (match !== undefined) onChoose(match[0])
        }}
      >
        <Stack gap={6} mt={6}>
          {choices.map(([value, text]) => option(value, text(firstCell, type)))}
          {isLost && texts !== undefined && option(TYPED, 'Type it here')}
        </Stack>
      </Radio.Group>
      {selectedValue === TYPED && texts !== undefined && (
        <TypedCells
          texts={texts}
          name={fieldLabel(field)}
          typed={typeof choice === 'object' ? choice : undefined}
          disabled={disabled}
          onWrite={(typed) => {
            setTyping(false)
            onChoose(typed)
          }}
        />
      )}
    </QuestionCard>
  )
}

const CELL_COLUMNS: readonly Column<DoubtfulCell>[] = [
  { label: 'Row', cell: ({ row }) => numberText(row), isRowHeader: true, className: 'row-cell' },
  { label: 'Shows', cell: ({ shown }) => nameAmbiguous(shown).replaceAll('␣', ' ') || '—' },
]

const HOLDS: Column<DoubtfulCell> = { label: 'Holds', cell: ({ stored }) => stored || '—' }

function Examples({ question: { examples, field, doubt, count } }: { question: CellQuestion }) {
  if (doubt === 'blank') {
    const rows = examples.map(({ row }) => numberText(row)).join(', ')
    return (
      <Text size="sm" c="dimmed">
        {countText(count, 'row', 'rows')}: {rows}
        {count > examples.length && ', …'}
      </Text>
    )
  }
  return (
    <>
      <ItemTable
        name={`examples of ${fieldLabel(field)}, ${DOUBTS[doubt].what}`}
        items={examples}
        idOf={({ row }) => String(row)}
        columns={examples.some(({ stored }) => stored !== '') ? [...CELL_COLUMNS, HOLDS] : CELL_COLUMNS}
        minWidth={260}
        verticalSpacing={4}
      />
      {count > examples.length && (
        <Text size="sm" c="dimmed">
          and {numberText(count - examples.length)} more
        </Text>
      )}
    </>
  )
}

interface TypedCellsProps {
  texts: readonly SameCells[]
  /** Of the field. */
  name: string
  /** What was typed before. */
  typed: ReadonlyMap<string, string> | undefined
  disabled: boolean
  onWrite: (texts: ReadonlyMap<string, string>) => void
}

const rowsOf = ({ first, count }: SameCells): string =>
  `${numberText(first.row)}${count > 1 ? ` and ${numberText(count - 1)} more` : ''}`

/** The texts that a spreadsheet has lost, typed again by the person. */
function TypedCells({ texts: same, name, typed, disabled, onWrite }: TypedCellsProps) {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(typed ?? new Map())
  const open = same.filter(({ key }) => (texts.get(key) ?? '').trim() === '').length
  const columns: readonly Column<SameCells>[] = [
    { label: 'Row', cell: rowsOf, isRowHeader: true, className: 'row-cell' },
    { label: 'Shows', cell: ({ first }) => first.shown || '—' },
    {
      label: 'Is written',
      cell: ({ key, first }) => (
        <TextInput
          size="xs"
          aria-label={`${name} in row ${first.row}`}
          value={texts.get(key) ?? ''}
          disabled={disabled}
          onChange={({ currentTarget: { value } }) => setTexts((before) => new Map([...before, [key, value]]))}
        />
      ),
    },
  ]
  return (
    <Stack gap="xs">
      <ItemTable
        name={`texts to type for ${name}`}
        items={same}
        idOf={({ key }) => key}
        columns={columns}
        minWidth={300}
        maxHeight={320}
        verticalSpacing={4}
      />
      <Button
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        disabled={disabled || open > 0}
        onClick={() => onWrite(new Map([...texts].map(([key, text]) => [key, text.trim()])))}
      >
        Write these
      </Button>
      {open > 0 && (
        <Text size="sm" c="dimmed">
          {numberText(open)} still to type
        </Text>
      )}
    </Stack>
  )
}
