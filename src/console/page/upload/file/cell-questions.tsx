import { Alert, Paper, Radio, Stack, Text, Title } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { CellChoice, CellQuestion } from '#import/cells/cell-choices'
import type { Difference } from '#import/cells/held-value'
import { type ChosenFile, openQuestions } from '#import/chosen-file'
import type { OddCell } from '#import/workbook/sheet-cells'
import { type Column, ItemTable } from '../../shell/item-table'
import { countText, fieldLabel, numberText } from '../../wording'

const EXAMPLES = 5

const REASONS: Readonly<Record<Difference, string>> = {
  rounded: 'The spreadsheet rounds these numbers, or shows them as fractions.',
  percent: 'The spreadsheet shows these numbers as percentages.',
  shortened: 'The spreadsheet shortens these long numbers.',
  date: 'The spreadsheet has made dates of these cells. It no longer knows what was typed: a text such as “5-10” has to be typed again, in cells with the format “Text”.',
}

interface CellQuestionsProps {
  file: ChosenFile
  disabled: boolean
  onChoose: (position: number, choice: CellChoice) => void
}

/** Asks, for each column whose cells hold something else than they show, what is to be written. */
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
              ? `Choose what is written for ${countText(open, 'column', 'columns')}. Nothing is sent before that.`
              : 'You have chosen what is written.'}
          </Text>
        </Alert>
        {file.questions.map((question) => (
          <Question
            key={question.position}
            question={question}
            choice={file.choices.get(question.position)}
            header={file.csv.header[question.position] ?? ''}
            disabled={disabled}
            onChoose={(choice) => onChoose(question.position, choice)}
          />
        ))}
      </Stack>
    </Paper>
  )
}

interface QuestionProps {
  question: CellQuestion
  choice: CellChoice | undefined
  header: string
  disabled: boolean
  onChoose: (choice: CellChoice) => void
}

function Question({ question: { field, cells }, choice, header, disabled, onChoose }: QuestionProps) {
  const reasons = [...new Set(cells.map(({ difference }) => REASONS[difference]))]
  const [first] = cells
  return (
    <Stack gap="xs">
      <Text fw={600}>
        {fieldLabel(field)} (column “{header}”): {countText(cells.length, 'cell', 'cells')}
      </Text>
      {reasons.map((reason) => (
        <Text size="sm" key={reason}>
          {reason}
        </Text>
      ))}
      <Examples cells={cells.slice(0, EXAMPLES)} field={field} />
      {cells.length > EXAMPLES && (
        <Text size="sm" c="dimmed">
          and {numberText(cells.length - EXAMPLES)} more
        </Text>
      )}
      <Radio.Group
        label={`What is written for ${fieldLabel(field)}?`}
        value={choice ?? null}
        onChange={(value) => onChoose(value === 'held' ? 'held' : 'shown')}
      >
        <Stack gap={6} mt={6}>
          <Radio value="held" disabled={disabled} label={`What the cell holds, such as ${first?.held}`} />
          <Radio value="shown" disabled={disabled} label={`What the cell shows, such as ${first?.shown}`} />
        </Stack>
      </Radio.Group>
    </Stack>
  )
}

const COLUMNS: readonly Column<OddCell>[] = [
  { label: 'Row', cell: ({ row }) => numberText(row + 1), isRowHeader: true, className: 'row-cell' },
  { label: 'Shows', cell: ({ shown }) => shown },
  { label: 'Holds', cell: ({ held }) => held },
]

const Examples = ({ cells, field }: { cells: CellQuestion['cells']; field: string }) => (
  <ItemTable
    name={`examples of ${fieldLabel(field)}`}
    items={cells}
    idOf={({ row }) => String(row)}
    columns={COLUMNS}
    minWidth={260}
  />
)
