import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { type FileColumn, isDoubtful } from '#files/columns/columns'
import { duplicateFields, missingFields } from '#files/file-summary'
import type { FirstRow } from '#files/text/csv-file'
import { type Column, ItemTable } from '../../widgets/item-table'
import { fieldLabel, numberText } from '../../wording'
import { MissingColumn } from '../fix/missing-column'
import { ColumnTable } from './column-table'
import type { FileQuestionProps } from './question-card'

/** Of the element, for the button that opens it. */
export const COLUMNS_ID = 'columns-of-the-file'

/** Sorts the columns that a person should check first, and leaves them there when they are decided. */
function useDoubtfulFirst(columns: readonly FileColumn[]): FileColumn[] {
  const [first] = useState(() => new Set(columns.filter(isDoubtful).map(({ position }) => position)))
  return columns.toSorted((a, b) => Number(first.has(b.position)) - Number(first.has(a.position)))
}

/** What the person must do before the columns are right. @param missing fields that the file must have */
function openColumnStep(missing: readonly string[], double: readonly string[]): string | undefined {
  const [field] = missing
  if (field !== undefined) return `First choose the column for: ${missing.map(fieldLabel).join(', ')}.`
  const [twice] = double
  return twice === undefined ? undefined : `Two columns become ${fieldLabel(twice)}: leave one of them out.`
}

/** Asks whether the columns are right, if their headers do not say so. */
export function ColumnsQuestion({ type, file, upload, disabled }: FileQuestionProps) {
  const columns = useDoubtfulFirst(file.csv.fileColumns)
  const missing = missingFields(file, type)
  const double = duplicateFields(file)
  const { keepsMissing } = upload.state()
  // Without a column for names, records may keep theirs.
  const open = openColumnStep(
    missing.filter((field) => !keepsMissing || field === type.idField),
    double,
  )
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
              ? 'The columns below are read as last time, when a file had the same header row.'
              : 'The header row does not say what all of the columns are.'}{' '}
            Nothing is sent before you have looked.
          </Text>
        </div>
        {missing.length > 0 && (
          <MissingColumn
            type={type}
            fields={missing}
            advice={
              missing.includes(type.idField) || !keepsMissing
                ? 'If the file has no such column, add one in your spreadsheet, and choose the file again.'
                : `If the file has no such column, go on: the ${type.plural} that you have keep their ` +
                  'names. New ones need a name.'
            }
            columns={file.csv.fileColumns}
            onMap={(position, target) => upload.changeReading((answers) => answers.mapColumn(position, target))}
          />
        )}
        <HeaderRowChoice file={file} upload={upload} disabled={disabled} isOpen={missing.length > 0} />
        <ColumnTable
          type={type}
          columns={columns}
          double={double}
          disabled={disabled}
          onMap={(position, target) => upload.changeReading((answers) => answers.mapColumn(position, target))}
        />
        {open !== undefined && <Text size="sm">{open}</Text>}
        <Group>
          <Button disabled={disabled || open !== undefined} onClick={() => upload.confirmColumns()}>
            These are right
          </Button>
          {isFromMemory && (
            <Button
              variant="default"
              disabled={disabled}
              onClick={() => upload.changeReading((answers) => answers.forgetColumns(file))}
            >
              Forget
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}

/** Every column of a file, for somebody who wants to change them. */
export const ColumnsPanel = ({
  type,
  file,
  upload,
  disabled,
  onClose,
}: FileQuestionProps & { onClose: () => void }) => (
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
      <HeaderRowChoice file={file} upload={upload} disabled={disabled} isOpen={false} />
      <ColumnTable
        type={type}
        columns={file.csv.fileColumns}
        double={duplicateFields(file)}
        disabled={disabled}
        onMap={(position, target) => upload.changeReading((answers) => answers.mapColumn(position, target))}
      />
    </Stack>
  </Paper>
)

/** It may open above what the window shows. */
const showIt = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

const ROW_CELLS = 8
const CHARACTERS = 24

const shortCell = (cell: string): string => (cell.length > CHARACTERS ? `${cell.slice(0, CHARACTERS)}…` : cell)

/** A row as it stands in the file, as far as there is room. */
const firstRowText = ({ cells }: FirstRow): string =>
  cells
    .slice(0, ROW_CELLS)
    .map((cell) => shortCell(cell.trim()))
    .join(' · ')

interface HeaderRowChoiceProps extends Omit<FileQuestionProps, 'type'> {
  /** Whether it is shown without a click, because needed columns are not known. */
  isOpen: boolean
}

/** Shows the first rows of a file. The person says which one names the columns, or that none does. */
function HeaderRowChoice({ file: { csv }, upload, disabled, isOpen }: HeaderRowChoiceProps) {
  const [isChoiceOpen, choice] = useDisclosure(false)
  if (!isOpen && !isChoiceOpen && csv.hasHeader) {
    return (
      <Button variant="default" size="xs" style={{ alignSelf: 'flex-start' }} onClick={choice.open}>
        Another row names the columns
      </Button>
    )
  }
  const onChoose = (headerAt: number | null) => upload.changeReading((answers) => answers.chooseHeader(headerAt))
  const columns: readonly Column<FirstRow & { at: number }>[] = [
    { label: 'Row', cell: ({ row }) => numberText(row), isRowHeader: true, className: 'row-cell' },
    { label: 'Its cells', cell: firstRowText, className: 'value-cell' },
    {
      label: 'What it is',
      cell: ({ row, at }) =>
        csv.hasHeader && row === csv.headerRow ? (
          'Names the columns'
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            disabled={disabled}
            aria-label={`Row ${row} names the columns`}
            onClick={() => onChoose(at)}
          >
            Names the columns
          </Button>
        ),
    },
  ]
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        Which row names the columns? These are the first rows of the file.
      </Text>
      <ItemTable
        name="first rows of the file"
        items={csv.firstRows.map((row, at) => ({ ...row, at }))}
        idOf={({ at }) => String(at)}
        columns={columns}
        minWidth={420}
        maxHeight={320}
        verticalSpacing={4}
      />
      <Group gap="xs">
        <Button size="xs" variant="default" disabled={disabled || !csv.hasHeader} onClick={() => onChoose(null)}>
          No row names them: the first row is a record
        </Button>
        {!csv.hasHeader && <Text size="sm">The file is read without names of columns.</Text>}
      </Group>
    </Stack>
  )
}
