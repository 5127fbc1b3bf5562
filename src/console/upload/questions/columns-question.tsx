import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ChosenFile, duplicateFields, missingFields } from '#files/chosen-file'
import { type FileColumn, isDoubtful } from '#files/columns/columns'
import type { RecordType } from '#shared/records/record-type'
import { fieldLabel } from '../../wording'
import { MissingColumn } from '../fix/missing-column'
import type { UploadProcess } from '../process/upload-process'
import { ColumnTable } from './column-table'
import { HeaderRows } from './header-rows'

interface ColumnsPanelProps {
  type: RecordType
  file: ChosenFile
  upload: UploadProcess
  disabled: boolean
}

/** Of the element, for the button that opens it. */
export const COLUMNS_ID = 'columns-of-the-file'

/** Those that a person should look at come first. */
const doubtfulFirst = (columns: readonly FileColumn[]): FileColumn[] =>
  columns.toSorted((a, b) => Number(isDoubtful(b)) - Number(isDoubtful(a)))

/** Why the columns cannot be right yet. @param missing fields that the file must have */
function openColumnStep(missing: readonly string[], double: readonly string[]): string | undefined {
  const [field] = missing
  if (field !== undefined) return `First choose the column for: ${missing.map(fieldLabel).join(', ')}.`
  const [twice] = double
  return twice === undefined ? undefined : `Two columns become ${fieldLabel(twice)}: leave one of them out.`
}

/** Asks whether the columns are right if their headers do not say it all, and goes on with one click. */
export function ColumnsQuestion({ type, file, upload, disabled }: ColumnsPanelProps) {
  const missing = missingFields(file, type)
  const double = duplicateFields(file)
  const { keepsMissing } = upload.state()
  // Names are kept, if the records have them.
  const open = openColumnStep(
    missing.filter((field) => !keepsMissing || field === type.idField),
    double,
  )
  const isRemembered = file.csv.fileColumns.some(({ by }) => by === 'remembered')
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="columns-question">
      <Stack>
        <div role="alert">
          <Title order={2} size="h4" id="columns-question">
            Are these columns right?
          </Title>
          <Text size="sm">
            {isRemembered
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
                : `If the file has no such column, go on: the ${type.plural} that you have keep their names. New ones need a name.`
            }
            columns={file.csv.fileColumns}
            onMap={(position, target) => upload.answer((chosen) => chosen.mapColumn(position, target))}
          />
        )}
        <HeaderRowChoice file={file} upload={upload} disabled={disabled} isOpen={missing.length > 0} />
        <ColumnTable
          type={type}
          columns={doubtfulFirst(file.csv.fileColumns)}
          double={double}
          disabled={disabled}
          onMap={(position, target) => upload.answer((chosen) => chosen.mapColumn(position, target))}
        />
        {open !== undefined && <Text size="sm">{open}</Text>}
        <Group>
          <Button disabled={disabled || open !== undefined} onClick={() => upload.confirmColumns()}>
            These are right
          </Button>
          {isRemembered && (
            <Button
              variant="default"
              disabled={disabled}
              onClick={() => upload.answer((chosen) => chosen.forgetColumns(file))}
            >
              Forget
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}

/** The first rows of the file, in sight if the columns that matter most are not known. */
function HeaderRowChoice({
  file,
  upload,
  disabled,
  isOpen,
}: Omit<ColumnsPanelProps, 'type'> & { isOpen: boolean }) {
  const [isAsked, asked] = useDisclosure(false)
  const isShown = isOpen || isAsked || !file.csv.hasHeader
  if (!isShown) {
    return (
      <Button variant="default" size="xs" style={{ alignSelf: 'flex-start' }} onClick={asked.open}>
        Another row names the columns
      </Button>
    )
  }
  return (
    <HeaderRows
      csv={file.csv}
      disabled={disabled}
      onChoose={(headerAt) => upload.answer((chosen) => chosen.chooseHeader(headerAt))}
    />
  )
}

/** Every column of a file, for somebody who wants to change them. */
export const ColumnsPanel = ({
  type,
  file,
  upload,
  disabled,
  onClose,
}: ColumnsPanelProps & { onClose: () => void }) => (
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
        onMap={(position, target) => upload.answer((chosen) => chosen.mapColumn(position, target))}
      />
    </Stack>
  </Paper>
)

/** It may open above what the window shows. */
const showIt = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
