import { Alert, List, Stack, Text } from '@mantine/core'
import { CircleX, Info } from 'lucide-react'
import { isRefusal } from '#client/service-error'
import type { OutputFile } from '#files/fix/errors-file'
import type { Part } from '#files/parts'
import { MAX_BODY_BYTES, MAX_CSV_ROWS } from '#shared/limits'
import type { RecordType } from '#shared/records/record-type'
import { MODE_LABELS } from '../../changes/change-texts'
import { DownloadButton } from '../../widgets/download-button'
import { Problem } from '../../widgets/problem'
import { countText, numberText, sizeText, titleCase } from '../../wording'
import type { Remainder, Stage } from '../process/stage'

/** Says that a file is too large to replace a catalog, and what to do instead. */
export const TooLarge = ({ type, file }: Pick<Stage & { is: 'tooLarge' }, 'file'> & { type: RecordType }) => (
  <Alert color="red" icon={<CircleX />} role="alert" title="The file is too large to replace the whole catalog">
    <Stack gap="xs">
      <Text size="sm">
        A catalog is replaced in one step, so no one ever sees a partial catalog. One step can include up to{' '}
        {numberText(MAX_CSV_ROWS)} rows and {sizeText(MAX_BODY_BYTES)}; this file has{' '}
        {countText(file.records, 'row', 'rows')}. Nothing was written. You can:
      </Text>
      <List size="sm">
        <List.Item>
          choose “{MODE_LABELS.upsert}” next to the name of the file: it is sent in parts, and {type.plural} that are
          not in it stay as they are;
        </List.Item>
        <List.Item>ignore columns under “Columns”, or remove inactive rows, and choose the file again.</List.Item>
      </List>
    </Stack>
  </Alert>
)

const rowRange = (parts: readonly Part[]): string =>
  `${numberText(parts[0]!.firstRow)} to ${numberText(parts.at(-1)!.lastRow)}`

/** Says which rows of a file in parts are already written, if any. */
export function WrittenRows({ remainder: { written, unwritten } }: { remainder: Remainder }) {
  if (written.length === 0) return null
  return (
    <Alert color="blue" role="status" title={`Rows ${rowRange(written)} are written`}>
      <Text size="sm">
        {unwritten.length === 0 ? '' : `Rows ${rowRange(unwritten)} are not. This page is about these rows alone.`}
      </Text>
    </Alert>
  )
}

interface InterruptedProps extends Pick<Stage & { is: 'interrupted' }, 'error' | 'remainder'> {
  onRetry: () => void
}

/** The outcome of the part that failed. @param what `Rows 2 to 51`, `The file` */
function failedText(what: string, isOne: boolean, error: Error) {
  const is = isOne ? 'is' : 'are'
  return isRefusal(error)
    ? `${titleCase(what)} ${is} not written.`
    : `The service did not answer whether ${what} ${is} written. Try again: nothing is written twice.`
}

/** A failed write: which rows are written, which are not or may not be, and a button to continue. */
export function Interrupted({ error, remainder: { written, unwritten }, onRetry }: InterruptedProps) {
  const [failed, ...others] = unwritten
  const isOne = written.length + unwritten.length === 1
  return (
    <Stack gap="sm">
      <Problem
        title="The upload was interrupted"
        error={error}
        onRetry={onRetry}
        action={isOne ? 'Try again' : 'Continue from there'}
      />
      {isOne && <Text size="sm">{failedText('the file', true, error)}</Text>}
      {!isOne && failed !== undefined && (
        <List size="sm">
          {written.length > 0 && <List.Item>Rows {rowRange(written)} are written.</List.Item>}
          <List.Item>{failedText(`rows ${rowRange([failed])}`, false, error)}</List.Item>
          {others.length > 0 && <List.Item>Rows {rowRange(others)} are not written.</List.Item>}
        </List>
      )}
    </Stack>
  )
}

/** Says how many rows of a file are not written, with a button to download them. */
export const LeftOutRows = ({ count, getFile }: { count: number; getFile: () => Promise<OutputFile> }) =>
  count > 0 && (
    <Alert color="yellow" icon={<Info />} title={`${countText(count, 'row is', 'rows are')} excluded`}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">Fix them later: the download says what is wrong with each, and can be uploaded again.</Text>
        <DownloadButton size="xs" getFile={getFile}>
          Download the excluded rows
        </DownloadButton>
      </Stack>
    </Alert>
  )
