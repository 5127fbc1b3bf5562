import { Alert, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { countText, numberText } from '../wording'
import type { ChosenFile } from './chosen-file'
import type { OddCells } from './read-file'

const Doubt = ({ title, children }: { title: string; children: ReactNode }) => (
  <Alert color="yellow" variant="light" icon={<TriangleAlert aria-hidden />} title={title}>
    <Text size="sm">{children}</Text>
  </Alert>
)

/** Where the first of some cells is. */
const place = ({ first: { row, header } }: OddCells): string =>
  header === '' ? `row ${row}` : `row ${row}, column “${header}”`

/** What the service would take, but hardly anybody means. */
export function Doubts({ file: { csv, sheet } }: { file: ChosenFile }) {
  const { shortened, faulty } = csv
  const hiddenRows = sheet?.hiddenRows ?? 0
  return (
    <>
      {shortened !== undefined && (
        <Doubt
          title={
            shortened.count === 1
              ? 'A long number was shortened'
              : `${numberText(shortened.count)} long numbers were shortened`
          }
        >
          The spreadsheet shows {shortened.first.text} in {place(shortened)}, in place of all digits, and that
          is what would be written. Give the column the format “Text” (or “Number” without decimals) in the
          spreadsheet, save it, and choose the file again.
        </Doubt>
      )}
      {faulty !== undefined && (
        <Doubt title={countText(faulty.count, 'cell holds an error', 'cells hold an error')}>
          The spreadsheet shows {faulty.first.text} in {place(faulty)}: a formula that failed. That text is
          what would be written.
        </Doubt>
      )}
      {hiddenRows > 0 && (
        <Doubt title={countText(hiddenRows, 'hidden row is read too', 'hidden rows are read too')}>
          A filter of the sheet, or somebody, has hidden them. To leave them out, delete them in the
          spreadsheet, save it, and choose the file again.
        </Doubt>
      )}
    </>
  )
}
