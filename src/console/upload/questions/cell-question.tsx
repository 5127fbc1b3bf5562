import { Button, Radio, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { CellChoice, CellQuestion, Doubt, DoubtfulCell, SameCells } from '#files/cells/cell-questions'
import type { RecordType } from '#shared/records/record-type'
import { type Column, ItemTable } from '../../widgets/item-table'
import { countText, fieldLabel, namedUnseen, numberText } from '../../wording'
import { QuestionCard } from './question-card'

type SingleChoice = Exclude<CellChoice, ReadonlyMap<string, string>>
type CellText = (first: DoubtfulCell, type: RecordType) => string

/** What a person is asked about doubtful cells: why, and which answers there are. */
interface DoubtTexts {
  /** What a cell is, and what several are. */
  one: string
  what: string
  reason: string
  choices: readonly (readonly [SingleChoice, CellText])[]
  /** Whether the texts can be typed, because what was typed is lost. */
  isLost?: true
}

const STORED: readonly [SingleChoice, CellText] = ['stored', ({ stored }) => `What the cell holds, such as ${stored}`]
const SHOWN: readonly [SingleChoice, CellText] = ['shown', ({ shown }) => `What the cell shows, such as ${shown}`]
const AS_IT_STANDS: readonly [SingleChoice, CellText] = ['shown', ({ shown }) => `As it stands, such as “${shown}”`]
const EMPTY: readonly [SingleChoice, CellText] = ['empty', () => 'Nothing: the cells are empty']

const DOUBTS: Readonly<Record<Doubt, DoubtTexts>> = {
  rounded: {
    one: 'rounded number',
    what: 'rounded numbers',
    reason: 'The spreadsheet rounds these numbers, or shows them as fractions.',
    choices: [STORED, SHOWN],
  },
  percent: {
    one: 'percentage',
    what: 'percentages',
    reason: 'The spreadsheet shows these numbers as percentages.',
    choices: [STORED, SHOWN],
  },
  shortened: {
    one: 'long number',
    what: 'long numbers',
    reason: 'The spreadsheet shortens these long numbers.',
    choices: [STORED, SHOWN],
  },
  date: {
    one: 'date',
    what: 'dates',
    reason:
      'The spreadsheet has made dates of these cells. It no longer knows what was typed, such as the text “5-10”.',
    choices: [['stored', ({ stored }) => `The date, such as ${stored}`], SHOWN, EMPTY],
    isLost: true,
  },
  formula: {
    one: 'formula',
    what: 'formulas',
    reason:
      'These cells have formulas, and the file does not have what they come to. You can also open the ' +
      'file in the spreadsheet program, save it, and choose it again.',
    choices: [EMPTY],
    isLost: true,
  },
  merged: {
    one: 'merged cell',
    what: 'merged cells',
    reason: 'These rows share one merged cell. Its value stands in the first of them only.',
    choices: [
      ['stored', ({ stored }) => `The value in every row, such as ${stored}`],
      ['shown', () => 'The value in the first row only: the others have none'],
    ],
  },
  writtenDate: {
    one: 'date',
    what: 'dates',
    reason:
      'These cells are dates. A spreadsheet program makes dates of texts such as “5-3”, and no longer ' +
      'knows what was typed.',
    choices: [AS_IT_STANDS, EMPTY],
    isLost: true,
  },
  lostDigits: {
    one: 'shortened number',
    what: 'shortened numbers',
    reason:
      'A spreadsheet program has shortened these numbers, and their last digits are lost. Look them up ' +
      'and type them here, or give the column the format “Text” in the spreadsheet and choose the file ' +
      'again.',
    choices: [AS_IT_STANDS, EMPTY],
    isLost: true,
  },
  decimal: {
    one: 'number with “.0”',
    what: 'numbers with “.0”',
    reason: 'A program has read these ids as numbers, and written them with a decimal.',
    choices: [['stored', ({ stored, shown }) => `Without it: ${shown} becomes ${stored}`], AS_IT_STANDS],
  },
  failed: {
    one: 'error of a spreadsheet',
    what: 'errors of a spreadsheet',
    reason: 'A formula in these cells has failed.',
    choices: [EMPTY, AS_IT_STANDS],
    isLost: true,
  },
  placeholder: {
    one: 'cell that stands for no value',
    what: 'cells that stand for no value',
    reason: 'Programs and people write this when there is no value.',
    choices: [EMPTY, AS_IT_STANDS],
    isLost: true,
  },
  lookalike: {
    one: 'id in another script',
    what: 'ids in another script',
    reason: 'Some letters look like Latin ones and are not. With them, an id is another one than it seems to be.',
    choices: [
      ['stored', ({ stored, shown }, { title }) => `The same ${title}: ${namedUnseen(shown)} becomes ${stored}`],
      ['shown', (_, { title }) => `Another ${title}: the ids stay as they are`],
    ],
  },
  lineBreak: {
    one: 'text with line breaks',
    what: 'texts with line breaks',
    reason: 'These texts go over several lines.',
    choices: [
      ['stored', ({ stored }) => `One line: ${stored}`],
      ['shown', () => 'Several lines, as they stand'],
    ],
  },
  blank: {
    one: 'blank cell',
    what: 'blank cells',
    reason: 'These rows do not say whether they are in use.',
    choices: [
      ['keep', () => 'What the catalog has: nothing changes, and new ones are in use'],
      ['yes', () => 'Yes, they are in use'],
      ['no', () => 'No, they are not in use'],
    ],
  },
}

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
  const [first] = examples
  if (first === undefined) return null
  const chosen = isTyping || typeof choice === 'object' ? TYPED : (choice ?? null)
  const known = choices.find(([value]) => value === choice)?.[1](first, type)
  const answer = typeof choice === 'object' ? 'texts that you have typed' : known
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
      {chosen !== TYPED && <Examples question={question} />}
      <Radio.Group
        label={`What is written for ${fieldLabel(field)}, ${what}?`}
        value={chosen}
        onChange={(value) => {
          setTyping(value === TYPED)
          const found = choices.find(([one]) => one === value)
          if (found !== undefined) onChoose(found[0])
        }}
      >
        <Stack gap={6} mt={6}>
          {choices.map(([value, text]) => option(value, text(first, type)))}
          {isLost && texts !== undefined && option(TYPED, 'Type it here')}
        </Stack>
      </Radio.Group>
      {chosen === TYPED && texts !== undefined && (
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
  { label: 'Shows', cell: ({ shown }) => namedUnseen(shown).replaceAll('␣', ' ') || '—' },
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
