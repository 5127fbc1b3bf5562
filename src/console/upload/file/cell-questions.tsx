import { Alert, Paper, Radio, Stack, Text, Title } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { CellChoice, CellQuestion } from '#files/cells/cell-choices'
import type { Difference } from '#files/cells/held-value'
import { type ChosenFile, openQuestions } from '#files/chosen-file'
import type { OddCell } from '#files/workbook/sheet-cells'
import { type Column, ItemTable } from '../../widgets/item-table'
import { countText, fieldLabel, numberText } from '../../wording'
import { canBeTyped, TypedCells } from './typed-cells'

const EXAMPLE_CELLS = 5

/** How cells differ from what they show, and what can be written of them. */
interface DifferenceTexts {
  reason: string
  held?: (first: OddCell) => string
  shown?: (first: OddCell) => string
  /** Whether what was typed is no longer in the file. */
  isLost?: true
}

const heldText = ({ held }: OddCell): string => `What the cell holds, such as ${held}`
const shownCellText = ({ shown }: OddCell): string => `What the cell shows, such as ${shown}`

const DIFFERENCES: Readonly<Record<Difference, DifferenceTexts>> = {
  rounded: {
    reason: 'The spreadsheet rounds these numbers, or shows them as fractions.',
    held: heldText,
    shown: shownCellText,
  },
  percent: {
    reason: 'The spreadsheet shows these numbers as percentages.',
    held: heldText,
    shown: shownCellText,
  },
  shortened: { reason: 'The spreadsheet shortens these long numbers.', held: heldText, shown: shownCellText },
  date: {
    reason:
      'The spreadsheet has made dates of these cells. It no longer knows what was typed, such as the text “5-10”.',
    held: ({ held }) => `The date, such as ${held}`,
    shown: shownCellText,
    isLost: true,
  },
  formula: {
    reason:
      'These cells have formulas, and the file does not have what they come to. You can also open the file in the spreadsheet program, save it, and choose it again.',
    isLost: true,
  },
  merged: {
    reason: 'These rows share one merged cell. Its value stands in the first of them only.',
    held: ({ held }) => `The value in every row, such as ${held}`,
    shown: () => 'The value in the first row only: the others have none',
  },
}

interface CellQuestionsProps {
  file: ChosenFile
  disabled: boolean
  onChoose: (key: string, choice: CellChoice) => void
}

/** Asks, for each column and each way in which its cells hold something else than they show, what is to be written. */
export function CellQuestions({ file, disabled, onChoose }: CellQuestionsProps) {
  const open = openQuestions(file).length
  if (file.questions.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="cell-questions">
      <Stack>
        <Alert
          color={open > 0 ? 'yellow' : 'gray'}
          icon={<TriangleAlert />}
          role={open > 0 ? 'alert' : undefined}
          title={
            <Title order={2} size="h4" id="cell-questions">
              Cells that hold something else than they show
            </Title>
          }
        >
          <Text size="sm">
            {open > 0
              ? `Choose what is written: ${countText(open, 'answer is', 'answers are')} missing. Nothing is sent before that.`
              : 'You have chosen what is written.'}
          </Text>
        </Alert>
        {file.questions.map((question) => (
          <DifferenceQuestion
            key={question.key}
            question={question}
            choice={file.choices.get(question.key)}
            header={file.csv.header[question.position] ?? ''}
            disabled={disabled}
            onChoose={(choice) => onChoose(question.key, choice)}
          />
        ))}
      </Stack>
    </Paper>
  )
}

interface CellQuestionProps {
  question: CellQuestion
  choice: CellChoice | undefined
  header: string
  disabled: boolean
  onChoose: (choice: CellChoice) => void
}

const TYPED = 'typed'

function DifferenceQuestion({
  question: { field, difference, cells },
  choice,
  header,
  disabled,
  onChoose,
}: CellQuestionProps) {
  // Texts are typed one after another before they are written.
  const [isTyping, setTyping] = useState(false)
  const { reason, held, shown, isLost } = DIFFERENCES[difference]
  const [first] = cells
  const chosen = isTyping || typeof choice === 'object' ? TYPED : (choice ?? null)
  const option = (value: string, label: ReactNode) => (
    <Radio value={value} disabled={disabled} label={label} />
  )
  return (
    <Stack gap="xs">
      <Text fw={600}>
        {fieldLabel(field)} (column “{header}”): {countText(cells.length, 'cell', 'cells')}
      </Text>
      <Text size="sm">{reason}</Text>
      {chosen !== TYPED && (
        <Examples cells={cells.slice(0, EXAMPLE_CELLS)} field={field} difference={difference} />
      )}
      {chosen !== TYPED && cells.length > EXAMPLE_CELLS && (
        <Text size="sm" c="dimmed">
          and {numberText(cells.length - EXAMPLE_CELLS)} more
        </Text>
      )}
      <Radio.Group
        label={`What is written for ${fieldLabel(field)}, ${cellsText(difference)}?`}
        value={chosen}
        onChange={(value) => {
          setTyping(value === TYPED)
          if (value === 'held' || value === 'shown' || value === 'empty') onChoose(value)
        }}
      >
        <Stack gap={6} mt={6}>
          {first !== undefined && held !== undefined && option('held', held(first))}
          {first !== undefined && shown !== undefined && option('shown', shown(first))}
          {isLost && canBeTyped(cells) && option(TYPED, 'Type it here')}
          {isLost && option('empty', 'Leave these cells out: they are empty')}
        </Stack>
      </Radio.Group>
      {chosen === TYPED && (
        <TypedCells
          cells={cells}
          name={fieldLabel(field)}
          typed={typeof choice === 'object' ? choice : undefined}
          disabled={disabled}
          onWrite={(texts) => {
            setTyping(false)
            onChoose(texts)
          }}
        />
      )}
    </Stack>
  )
}

const CELLS_TEXTS: Readonly<Record<Difference, string>> = {
  rounded: 'rounded numbers',
  percent: 'percentages',
  shortened: 'long numbers',
  date: 'dates',
  formula: 'formulas',
  merged: 'merged cells',
}

const cellsText = (difference: Difference): string => CELLS_TEXTS[difference]

const CELL_COLUMNS: readonly Column<OddCell>[] = [
  { label: 'Row', cell: ({ row }) => numberText(row + 1), isRowHeader: true, className: 'row-cell' },
  { label: 'Shows', cell: ({ shown }) => shown || '—' },
  { label: 'Holds', cell: ({ held }) => held || '—' },
]

const Examples = ({ cells, field, difference }: Pick<CellQuestion, 'cells' | 'field' | 'difference'>) => (
  <ItemTable
    name={`examples of ${fieldLabel(field)}, ${cellsText(difference)}`}
    items={cells}
    idOf={({ row }) => String(row)}
    columns={CELL_COLUMNS}
    minWidth={260}
  />
)
