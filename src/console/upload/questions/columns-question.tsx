import { Button, Group, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type FileColumn, isDoubtful } from '#files/columns/file-column'
import { duplicateFields, missingFields, sparseFields } from '#files/file-summary'
import type { FirstRow } from '#files/text/first-rows'
import { ActionBar } from '../../widgets/action-bar'
import { countText, fieldLabel, numberText } from '../../wording'
import { ColumnTable, listedColumns } from './column-table'
import { ADD_A_COLUMN, MissingFields } from './missing-fields'
import { AnsweredQuestion, type FileQuestionProps } from './question-card'

/** Element ID, for the button that opens it. */
export const COLUMNS_ID = 'columns-of-the-file'

/** Puts the columns that the user should check first, and keeps them there after they are decided. */
function useDoubtfulFirst(columns: readonly FileColumn[]): FileColumn[] {
  const [first] = useState(() => new Set(columns.filter(isDoubtful).map(({ position }) => position)))
  return columns.toSorted((a, b) => Number(first.has(b.position)) - Number(first.has(a.position)))
}

interface ColumnsOfFileProps extends FileQuestionProps {
  columns: readonly FileColumn[]
  tableRef?: RefObject<HTMLDivElement | null>
}

function ColumnsOfFile({ columns, tableRef, ...props }: ColumnsOfFileProps) {
  const { type, file } = props
  const missing = missingFields(file)
  const { keepsMissing } = props.upload.state()
  return (
    <>
      <MissingFields
        {...props}
        advice={
          missing.includes(type.idField) || !keepsMissing
            ? ADD_A_COLUMN
            : `If the file has no such column, continue: your ${type.plural} keep their values. New ones need one.`
        }
      />
      <HeaderRowChoice {...props} />
      <div ref={tableRef}>
        <ColumnTable {...props} columns={columns} double={duplicateFields(file)} />
      </div>
    </>
  )
}

/** What the user must do before the columns are right. @param missing required fields without a column */
function openColumnStep(missing: readonly string[], { file }: FileQuestionProps): string | undefined {
  if (missing.length > 0) return `First choose the source of ${missing.map(fieldLabel).join(', ')}.`
  const [sparse] = sparseFields(file)
  if (sparse !== undefined) return `First choose a value for the rows without ${fieldLabel(sparse)}.`
  const double = duplicateFields(file)
  const [twice] = double
  return twice === undefined ? undefined : `Two columns are mapped to ${fieldLabel(twice)}. Ignore one of them.`
}

/** Tracks the table rows that were visible, so that users cannot approve what they have not seen. */
function useRowsInView(count: number) {
  const frame = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set())
  const rows = () => [...(frame.current?.querySelectorAll('tbody > tr, ul.plain-list > li') ?? [])]
  // biome-ignore lint/correctness/useExhaustiveDependencies: a different count means different rows
  useEffect(() => {
    const elements = rows()
    const observer = new IntersectionObserver(
      (entries) => {
        const indexes = entries
          .filter(({ isIntersecting }) => isIntersecting)
          .map(({ target }) => elements.indexOf(target))
        if (indexes.length > 0) setSeen((before) => new Set([...before, ...indexes]))
      },
      // The bar with the buttons covers the bottom of the window.
      { threshold: 0.6, rootMargin: '0px 0px -56px 0px' },
    )
    for (const element of elements) observer.observe(element)
    return () => observer.disconnect()
  }, [count])
  return {
    frame,
    unseenCount: Array.from({ length: count }, (_, index) => index).filter((index) => !seen.has(index)).length,
    showNext: () =>
      rows()
        .find((_, index) => !seen.has(index))
        ?.scrollIntoView({ block: 'start' }),
  }
}

/** Asks the user to confirm the columns, if their headers are unclear. */
export function ColumnsQuestion(props: FileQuestionProps) {
  const { type, file, upload, disabled } = props
  const columns = useDoubtfulFirst(file.csv.fileColumns)
  const { frame, unseenCount, showNext } = useRowsInView(listedColumns(columns).length)
  const { keepsMissing } = upload.state()
  // Without a column, existing records may keep their values.
  const missing = missingFields(file).filter((field) => !keepsMissing || field === type.idField)
  const open = openColumnStep(missing, props)
  const isFromMemory = file.csv.fileColumns.some(({ by }) => by === 'memory')
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="columns-question">
      <Stack>
        <div role="alert">
          <Title order={2} size="h4" id="columns-question" tabIndex={-1}>
            Are these columns right?
          </Title>
          <Text size="sm">
            {isFromMemory
              ? 'These columns are mapped as last time, when a file had the same header row.'
              : 'Some headers are unclear. Their columns come first.'}{' '}
            Nothing is sent until you have checked them.
          </Text>
        </div>
        <ColumnsOfFile {...props} columns={columns} tableRef={frame} />
        <ActionBar note={open ?? (unseenCount > 0 ? `${numberText(unseenCount)} more below` : '')}>
          {isFromMemory && (
            <Button
              variant="default"
              disabled={disabled}
              onClick={() => upload.changeReading((answers) => answers.forgetAnswers(file))}
            >
              Forget last time
            </Button>
          )}
          {unseenCount > 0 && (
            <Button variant="default" onClick={showNext}>
              Show the others
            </Button>
          )}
          {/* In its own place, so that a second click on the other button does not approve. */}
          <Button disabled={disabled || open !== undefined || unseenCount > 0} onClick={() => upload.confirmColumns()}>
            These are right
          </Button>
        </ActionBar>
      </Stack>
    </Paper>
  )
}

/** Says that the columns are mapped as last time, and lets the user change that. */
export const ColumnsAnswer = ({ file, upload, disabled }: FileQuestionProps) => (
  <AnsweredQuestion
    title="Columns"
    answer={`${countText(file.csv.columns.length, 'column is', 'columns are')} mapped as last time`}
    disabled={disabled}
    onChange={() => upload.answer({ hasRightColumns: false })}
  />
)

/** Every column of a file, for users who want to change the mapping. */
export const ColumnsPanel = ({ onClose, ...props }: FileQuestionProps & { onClose: () => void }) => (
  <Paper withBorder p="md" component="section" aria-labelledby="file-columns" id={COLUMNS_ID} ref={showIt}>
    <Group justify="space-between" mb="xs">
      <Title order={2} size="h4" id="file-columns">
        Columns of the file
      </Title>
      <Button variant="default" size="xs" onClick={onClose}>
        Close the columns
      </Button>
    </Group>
    <Stack>
      <ColumnsOfFile {...props} columns={props.file.csv.fileColumns} />
    </Stack>
  </Paper>
)

/** It may open above the visible area. */
const showIt = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

const ROW_CELLS = 8
const CHARACTERS = 24

const shortCell = (cell: string): string => (cell.length > CHARACTERS ? `${cell.slice(0, CHARACTERS)}…` : cell)

/** A row of the file, as far as there is room. */
const firstRowText = ({ cells }: FirstRow): string =>
  cells
    .slice(0, ROW_CELLS)
    .map((cell) => shortCell(cell.trim()))
    .join(' · ')

const NO_HEADER = 'none'

function HeaderRowChoice({ file: { csv }, upload, disabled }: Omit<FileQuestionProps, 'type'>) {
  const rows = csv.firstRows.map((row) => ({ value: String(row.row), label: `Row ${row.row}: ${firstRowText(row)}` }))
  const current = csv.hasHeader ? String(csv.headerRow) : NO_HEADER
  const isFurther = csv.hasHeader && rows.every(({ value }) => value !== current)
  return (
    <NativeSelect
      label="Which row is the header row, with the names of the columns?"
      disabled={disabled}
      value={current}
      data={[
        ...rows,
        ...(isFurther ? [{ value: current, label: `Row ${current}` }] : []),
        { value: NO_HEADER, label: 'None: the first row is a record' },
      ]}
      onChange={({ currentTarget: { selectedIndex, value } }) =>
        upload.changeReading((answers) => answers.chooseHeader(value === NO_HEADER ? null : selectedIndex))
      }
    />
  )
}
