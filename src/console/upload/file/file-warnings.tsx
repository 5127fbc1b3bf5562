import { Alert, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { type ChosenFile, openQuestions } from '#files/chosen-file'
import type { OddCells } from '#files/text/row-facts'
import { countText, numberText } from '../../wording'
import { columnName } from './column-name'

const FileWarning = ({ title, children }: { title: string; children: ReactNode }) => (
  <Alert color="yellow" icon={<TriangleAlert />} title={title}>
    <Text size="sm">{children}</Text>
  </Alert>
)

/** Where the first of some cells is. */
const place = ({ first: { row, header } }: OddCells): string =>
  header === '' ? `row ${row}` : `row ${row}, column “${header}”`

/** What the service would take, but hardly anybody means. */
export function FileWarnings({ file }: { file: ChosenFile }) {
  const { csv, sheet } = file
  const { formulaErrors } = csv
  // A person who has not yet chosen what is written of these cells is being asked.
  const shortened = openQuestions(file).length === 0 ? csv.shortened : undefined
  const hiddenRows = sheet?.hiddenRows ?? 0
  const hiddenColumns = csv.fileColumns.filter(
    ({ isHidden, hasValues, field }) => isHidden && hasValues && field,
  )
  return (
    <>
      {csv.encodingWarning !== undefined && (
        <FileWarning title="The file is not UTF-8">
          It was read as Windows-1252 (Western European). If names look wrong, save it as “CSV UTF-8” in the
          spreadsheet, and choose the file again.
        </FileWarning>
      )}
      {shortened !== undefined && (
        <FileWarning
          title={
            shortened.count === 1
              ? 'A long number was shortened'
              : `${numberText(shortened.count)} long numbers were shortened`
          }
        >
          The spreadsheet shows {shortened.first.text} in {place(shortened)}, in place of all digits, and that
          is what would be written. Give the column the format “Text” (or “Number” without decimals) in the
          spreadsheet, save it, and choose the file again.
        </FileWarning>
      )}
      {formulaErrors !== undefined && (
        <FileWarning title={countText(formulaErrors.count, 'cell holds an error', 'cells hold an error')}>
          The spreadsheet shows {formulaErrors.first.text} in {place(formulaErrors)}: a formula that failed.
          That text is what would be written.
        </FileWarning>
      )}
      {hiddenColumns.length > 0 && (
        <FileWarning
          title={countText(hiddenColumns.length, 'hidden column is read too', 'hidden columns are read too')}
        >
          {hiddenColumns.map((column) => `“${columnName(column)}”`).join(', ')}: hidden in the spreadsheet. To
          leave it out, choose so under “Change the columns”.
        </FileWarning>
      )}
      {hiddenRows > 0 && (
        <FileWarning title={countText(hiddenRows, 'hidden row is read too', 'hidden rows are read too')}>
          They were hidden by a filter or by hand. To leave them out, delete them in the spreadsheet, save it,
          and choose the file again.
        </FileWarning>
      )}
    </>
  )
}
