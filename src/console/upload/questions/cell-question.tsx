import { Button, Radio, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { CellChoice, CellQuestion, DoubtfulCell, SameCells } from '#files/cells/cell-questions'
import type { RecordType } from '#shared/records/record-type'
import { Items } from '../../record/items'
import { type Column, ItemTable } from '../../widgets/item-table'
import { countText, fieldLabel, nameAmbiguous, numberText } from '../../wording'
import { DOUBTS } from './doubt-texts'
import { QuestionCard } from './question-card'

interface CellQuestionProps {
  type: RecordType
  /** For one column, or for several columns with the same answer. */
  questions: readonly CellQuestion[]
  choice: CellChoice | undefined
  header: string
  disabled: boolean
  onChoose: (choice: CellChoice) => void
}

const TYPED = 'typed'

/** The field of a question. Several questions may share one answer. */
const fieldsOf = (questions: readonly CellQuestion[]): string =>
  questions.map(({ field }) => fieldLabel(field)).join(', ')

/** Asks which values to write for cells that are ambiguous for one reason. */
export function CellQuestionCard({ type, questions, choice, header, disabled, onChoose }: CellQuestionProps) {
  // Texts are typed one by one before they are applied.
  const [isTyping, setTyping] = useState(false)
  const [question] = questions
  // The choices mention an example cell.
  const cells = questions.flatMap(({ examples }) => examples)
  const firstCell = cells.find(({ stored }) => stored !== '') ?? cells[0]
  if (question === undefined || firstCell === undefined) return null
  const { doubt, texts, separator } = question
  const { one, what, reason, choices, isLost } = DOUBTS[doubt]
  const field = fieldsOf(questions)
  const count = questions.reduce((sum, each) => sum + each.count, 0)
  const selectedValue = isTyping || typeof choice === 'object' ? TYPED : (choice ?? null)
  const choiceText = choices.find(([value]) => value === choice)?.[1](firstCell, type)
  const answer = typeof choice === 'object' ? 'what you typed' : choiceText
  const option = (value: string, label: ReactNode) => (
    <Radio key={value} value={value} disabled={disabled} label={label} />
  )
  return (
    <QuestionCard
      title={`${field}: ${countText(count, one, what)}${separator === undefined ? '' : ` (${separator})`}`}
      answer={isTyping ? undefined : answer}
      disabled={disabled}
    >
      <Text size="sm">
        {reason} {questions.length === 1 && header !== '' && `The column is “${header}”.`}
      </Text>
      {selectedValue !== TYPED && <Examples type={type} questions={questions} />}
      <Radio.Group
        label={<VisuallyHidden>{`${field}, ${what}`}</VisuallyHidden>}
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
          name={field}
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

const shownIn = ({ shown }: DoubtfulCell): string => nameAmbiguous(shown).replaceAll('␣', ' ') || '—'

const ROW: Column<ShownCell> = {
  label: 'Row',
  cell: ({ row }) => numberText(row),
  isRowHeader: true,
  className: 'row-cell',
}
const NAME: Column<ShownCell> = { label: 'Name', cell: ({ name }) => name || '—' }
const FIELD: Column<ShownCell> = { label: 'Field', cell: ({ field }) => fieldLabel(field) }
const SHOWS: Column<ShownCell> = { label: 'Shown', cell: shownIn, translate: 'no' }
const HOLDS: Column<ShownCell> = { label: 'Stored', cell: ({ stored }) => stored || '—', translate: 'no' }
const REPAIRED: Column<ShownCell> = {
  label: 'Repaired',
  cell: ({ stored }) => stored || '—',
  translate: 'no',
}

/** @param separator of the items in the cell */
const severalItems = (separator: string): Column<ShownCell> => ({
  label: 'Several',
  cell: ({ stored }) => <Items items={stored.split(` ${separator} `)} />,
})

interface ShownCell extends DoubtfulCell {
  field: string
}

/** Most examples to show if several columns share one answer. */
const MOST_EXAMPLES = 8

function Examples({ type, questions }: Pick<CellQuestionProps, 'type' | 'questions'>) {
  const [first] = questions
  if (first === undefined) return null
  const { doubt, field: firstField } = first
  const count = questions.reduce((sum, each) => sum + each.count, 0)
  const cells = questions.flatMap(({ field, examples }) => examples.map((cell) => ({ ...cell, field })))
  const examples = questions.length === 1 ? cells : cells.toSorted((a, b) => a.row - b.row).slice(0, MOST_EXAMPLES)
  const further = count > examples.length && `and ${numberText(count - examples.length)} more`
  if (doubt === 'blank') {
    return (
      <Text size="sm" c="dimmed">
        {countText(count, 'row', 'rows')}:{' '}
        {examples.map(({ row, name }) => name || `row ${numberText(row)}`).join(', ')} {further}
      </Text>
    )
  }
  const isName = questions.every(({ field }) => field === 'name') || examples.every(({ name = '' }) => name === '')
  const isSome = examples.some(({ stored }) => stored !== '')
  const list = type.fields.find(({ name }) => name === firstField)
  const last =
    doubt === 'joined' && list?.kind === 'list' ? severalItems(list.separator) : doubt === 'broken' ? REPAIRED : HOLDS
  return (
    <>
      <ItemTable
        name={`examples of ${fieldsOf(questions)}, ${DOUBTS[doubt].what}`}
        items={examples}
        idOf={({ row, field }) => `${row} ${field}`}
        columns={[
          ROW,
          ...(isName ? [] : [NAME]),
          ...(questions.length > 1 ? [FIELD] : []),
          SHOWS,
          ...(isSome ? [last] : []),
        ]}
        minWidth={260}
        verticalSpacing={4}
      />
      {further && (
        <Text size="sm" c="dimmed">
          {further}
        </Text>
      )}
    </>
  )
}

interface TypedCellsProps {
  texts: readonly SameCells[]
  name: string
  typed: ReadonlyMap<string, string> | undefined
  disabled: boolean
  onWrite: (texts: ReadonlyMap<string, string>) => void
}

const rowsOf = ({ first, count }: SameCells): string =>
  `${numberText(first.row)}${count > 1 ? ` and ${numberText(count - 1)} more` : ''}`

function TypedCells({ texts: same, name, typed, disabled, onWrite }: TypedCellsProps) {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(typed ?? new Map())
  const open = same.filter(({ key }) => (texts.get(key) ?? '').trim() === '').length
  const columns: readonly Column<SameCells>[] = [
    { label: 'Row', cell: rowsOf, isRowHeader: true, className: 'row-cell' },
    { label: 'Shown', cell: ({ first }) => first.shown || '—', translate: 'no' },
    {
      label: 'Replacement',
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
        Use these values
      </Button>
      {open > 0 && (
        <Text size="sm" c="dimmed">
          {numberText(open)} still empty
        </Text>
      )}
    </Stack>
  )
}
