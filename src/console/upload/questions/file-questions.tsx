import { Button, Group, List, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import {
  asksColumns,
  asksEncoding,
  asksHeader,
  asksHiddenRows,
  asksTotals,
  type FileSummary,
  isDecided,
  openQuestions,
} from '#files/file-summary'
import type { FirstRow } from '#files/text/first-rows'
import { recordTypes } from '#shared/records/record-types'
import { countText, numberText, titleCase } from '../../wording'
import { CellQuestionCard } from './cell-question'
import { ColumnsAnswer, ColumnsQuestion } from './columns-question'
import { EncodingQuestion } from './encoding-question'
import { AnsweredQuestion, ChoiceQuestion, type FileQuestionProps, QuestionCard } from './question-card'
import { ValuesQuestion } from './values-question'

/** The questions about a file. A question whose answer changes all others is asked first, alone. */
export function FileQuestions(props: FileQuestionProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { file } = props
  const isOpen = !isDecided(file)
  const firstKey = openQuestions(file)[0]?.key
  // What had the focus is often gone: it moves on to the next question.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a different question comes first
  useEffect(() => {
    if (isOpen) frame.current?.querySelector<HTMLElement>('[role=alert] h2')?.focus()
  }, [
    isOpen,
    firstKey,
    file.better,
    file.lostZeros,
    file.equalSheets,
    asksEncoding(file),
    asksHeader(file),
    asksColumns(file),
  ])
  return (
    <Stack gap="xs" ref={frame} className="questions">
      <Questions {...props} />
    </Stack>
  )
}

function Questions(props: FileQuestionProps) {
  const { type, file, upload, disabled } = props
  if (file.equalSheets !== undefined) return <SheetQuestion {...props} sheets={file.equalSheets} />
  if (file.better !== undefined) return <CatalogQuestion {...props} better={file.better} />
  if (file.lostZeros !== undefined) return <ZerosQuestion {...props} lost={file.lostZeros} />
  if (asksEncoding(file)) return <EncodingQuestion {...props} />
  if (asksHeader(file)) return <HeaderQuestion {...props} />
  return (
    <>
      {file.answers.encoding !== undefined && <EncodingQuestion {...props} />}
      {asksColumns(file) ? <ColumnsQuestion {...props} /> : file.isAsBefore && <ColumnsAnswer {...props} />}
      {file.csv.fileColumns.map(
        ({ field, states, ...column }) =>
          field !== undefined &&
          states !== undefined && (
            <ValuesQuestion key={column.position} {...props} column={{ ...column, field, states }} values={states} />
          ),
      )}
      {[...Map.groupBy(file.questions, ({ key }) => key)].map(([key, questions]) => (
        <CellQuestionCard
          key={key}
          type={type}
          questions={questions}
          choice={file.answers.choices.get(key)}
          header={file.csv.header[questions[0]?.position ?? -1] ?? ''}
          disabled={disabled}
          onChoose={(choice) => upload.changeReading((answers) => answers.chooseCells(key, choice))}
        />
      ))}
      <ZerosAnswer {...props} />
      <TotalsQuestion {...props} />
      <HiddenRowsQuestion {...props} />
    </>
  )
}

function SheetQuestion({
  type,
  sheets,
  upload,
  disabled,
}: FileQuestionProps & { sheets: NonNullable<FileSummary['equalSheets']> }) {
  return (
    <QuestionCard title={`Which sheet has the ${type.plural}?`} disabled={disabled}>
      <Text size="sm">{countText(sheets.length, 'sheet fits', 'sheets fit')} equally well.</Text>
      {sheets.map(({ name, firstRows, newestDate }) => (
        <Stack key={name} gap={4}>
          <Group gap="xs">
            <Button
              size="xs"
              disabled={disabled}
              onClick={() => upload.changeReading((answers) => answers.changeSheet(name))}
            >
              Read “{name}”
            </Button>
            {newestDate !== undefined && <Text size="sm">Newest date: {newestDate}.</Text>}
          </Group>
          <RowList rows={firstRows.map((cells) => ({ cells: cells.slice(0, SHOWN_CELLS) }))} />
        </Stack>
      ))}
    </QuestionCard>
  )
}

/** Asks which catalog is meant, if the columns or the IDs of a file match a different one. */
function CatalogQuestion({
  type,
  better: { type: name, by },
  upload,
  disabled,
}: FileQuestionProps & { better: NonNullable<FileSummary['better']> }) {
  const [, navigate] = useLocation()
  const better = recordTypes[name]
  return (
    <ChoiceQuestion
      title={`This looks like a file with ${better.plural}`}
      disabled={disabled}
      choices={[
        { label: `Upload ${better.plural}`, onChoose: () => navigate(`/${better.name}/upload`) },
        { label: `No, they are ${type.plural}`, onChoose: () => upload.answer({ isOfType: true }) },
      ]}
    >
      <Text size="sm">
        {by === 'ids'
          ? `Its IDs belong to your ${better.plural}, not to your ${type.plural}.`
          : `Its columns look like those of ${better.plural}. This page uploads ${type.plural}.`}{' '}
        Nothing was sent.
      </Text>
    </ChoiceQuestion>
  )
}

/** Asks whether the IDs of a file are the catalog's IDs without leading zeros. */
function ZerosQuestion({
  type,
  lost: { digits, example, compared, known, renamed },
  upload,
  disabled,
}: FileQuestionProps & { lost: NonNullable<FileSummary['lostZeros']> }) {
  return (
    <ChoiceQuestion
      title="The IDs have probably lost their leading zeros"
      disabled={disabled}
      choices={[
        { label: 'Add the zeros to all IDs', onChoose: () => upload.answer({ idDigits: digits }) },
        { label: `No, these are other ${type.plural}`, onChoose: () => upload.answer({ idDigits: null }) },
      ]}
    >
      <Text size="sm">
        In the catalog, IDs have {digits} digits: {example} becomes {example.padStart(digits, '0')}. With zeros, the
        catalog has {numberText(known)} of {countText(compared, 'ID', 'IDs')} that were compared.
      </Text>
      {renamed.length > 0 && (
        <>
          <Text size="sm">
            {countText(renamed.length, 'row has another name', 'rows have other names')} than the catalog. Check that
            they are the same {type.plural}:
          </Text>
          <RowList
            rows={renamed.map(({ row, id, name, was }) => ({ row, cells: [id, name, `in the catalog: ${was}`] }))}
          />
        </>
      )}
    </ChoiceQuestion>
  )
}

function ZerosAnswer({ file: { answers }, upload, disabled }: FileQuestionProps) {
  const { idDigits } = answers
  if (idDigits === undefined || idDigits === null) return null
  return (
    <AnsweredQuestion
      title="IDs without leading zeros"
      answer={`padded to ${idDigits} digits`}
      disabled={disabled}
      onChange={() => upload.answer({ idDigits: null })}
    />
  )
}

/** Asks whether ignored rows above the first record are records. */
function HeaderQuestion({ type, file: { csv }, upload, disabled }: FileQuestionProps) {
  const rows = csv.rowsAbove.map(({ row, cells }) => ({ row, cells: cells.filter((cell) => cell !== '') }))
  const isOne = rows.length === 1
  return (
    <ChoiceQuestion
      title={isOne ? `Is row ${rows[0]?.row} a ${type.title}?` : `Are these rows ${type.plural}?`}
      disabled={disabled}
      choices={[
        {
          label: 'Yes, there is no header row',
          onChoose: () => upload.changeReading((answers) => answers.chooseHeader(null)),
        },
        {
          label: isOne ? 'No, it isn’t' : 'No, they aren’t',
          onChoose: () => upload.answer({ isHeaderRight: true }),
        },
      ]}
    >
      <Text size="sm">
        {isOne
          ? 'It is where the header row should be, but it looks like the rows below.'
          : 'They are where the header row should be, but they look like the rows below.'}
      </Text>
      <RowList rows={rows} />
    </ChoiceQuestion>
  )
}

const ROWS_SHOWN = 10
const SHOWN_CELLS = 6

/** Rows of a file, each with its first cells, and its number if known. */
export const RowList = ({ rows }: { rows: readonly (Pick<FirstRow, 'cells'> & Partial<FirstRow>)[] }) => (
  <List size="sm">
    {rows.slice(0, ROWS_SHOWN).map(({ row, cells }, at) => (
      <List.Item key={row ?? at} className="breakable">
        {row !== undefined && `Row ${numberText(row)}: `}
        {cells.join(' · ')}
      </List.Item>
    ))}
    {rows.length > ROWS_SHOWN && <List.Item>and {numberText(rows.length - ROWS_SHOWN)} more</List.Item>}
  </List>
)

function TotalsQuestion({ type, file, upload, disabled }: FileQuestionProps) {
  const { totals } = file.csv
  if (totals.length === 0) return null
  const isOne = totals.length === 1
  const keepText = isOne ? `it is a ${type.title}` : `they are ${type.plural}`
  const answerText = file.answers.totals === 'leave out' ? 'excluded' : keepText
  return (
    <ChoiceQuestion
      title={
        isOne
          ? `1 row probably isn’t a ${type.title}`
          : `${numberText(totals.length)} rows probably aren’t ${type.plural}`
      }
      answer={asksTotals(file) ? undefined : answerText}
      disabled={disabled}
      choices={[
        { label: `Exclude ${isOne ? 'it' : 'them'}`, onChoose: () => upload.answer({ totals: 'leave out' }) },
        { label: titleCase(keepText), onChoose: () => upload.answer({ totals: 'keep' }) },
      ]}
    >
      <RowList rows={totals} />
    </ChoiceQuestion>
  )
}

function HiddenRowsQuestion({ file, upload, disabled }: FileQuestionProps) {
  const { hiddenRows, answers } = file
  if (hiddenRows === 0) return null
  return (
    <ChoiceQuestion
      title={countText(hiddenRows, 'row is hidden', 'rows are hidden')}
      answer={asksHiddenRows(file) ? undefined : answers.hiddenRows === 'read' ? 'included' : 'excluded'}
      disabled={disabled}
      choices={[
        {
          label: `Exclude ${countText(hiddenRows, 'row', 'rows')}`,
          onChoose: () => upload.answer({ hiddenRows: 'leave out' }),
        },
        {
          label: `Include ${hiddenRows === 1 ? 'it' : 'them'}`,
          onChoose: () => upload.answer({ hiddenRows: 'read' }),
        },
      ]}
    >
      <Text size="sm">They are hidden by a filter or by hand.</Text>
    </ChoiceQuestion>
  )
}
