import { Alert, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { countText, numberText } from '../wording'
import type { ChosenFile } from './chosen-file'
import type { OddCells } from './read-file'

const FileWarning = ({ title, children }: { title: string; children: ReactNode }) => (
  <Alert color="yellow" variant="light" icon={<TriangleAlert aria-hidden />} title={title}>
    <Text size="sm">{children}</Text>
  </Alert>
)

/** Where the first of some cells is. */
const place = ({ first: { row, header } }: OddCells): string =>
  header === '' ? `row ${row}` : `row ${row}, column “${header}”`

/** What the service would take, but hardly anybody means. */
export function FileWarnings({ file: { csv, sheet } }: { file: ChosenFile }) {
  const { shortened, formulaErrors } = csv
  const hiddenRows = sheet?.hiddenRows ?? 0
  return (
    <>
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
      {hiddenRows > 0 && (
        <FileWarning title={countText(hiddenRows, 'hidden row is read too', 'hidden rows are read too')}>
          A filter of the sheet, or somebody, has hidden them. To leave them out, delete them in the
          spreadsheet, save it, and choose the file again.
        </FileWarning>
      )}
    </>
  )
}
