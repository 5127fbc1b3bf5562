import { Alert, Button, Paper, Stack, Text } from '@mantine/core'
import { Info, Undo2 } from 'lucide-react'
import { useCallback, useDeferredValue, useState } from 'react'
import type { ChosenFile } from '#files/chosen-file'
import type { Change } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import { ChangeTable } from '../../changes/change-table'
import { changeSentence, changesIn, MODE_LABELS } from '../../changes/counts'
import { inUseText, PreviewHeading } from '../../changes/preview-heading'
import { ActionBar } from '../../widgets/action-bar'
import { countText, fieldLabel, numberText, titleCase } from '../../wording'
import type { Check, Stage } from '../process/stage'
import type { UploadProcess } from '../process/upload-process'
import { AlikeNotice } from './alike-notice'
import { NOTHING_WRITTEN, TYPE_THE_NUMBER, useDeactivations, WriteButton } from './deactivation-notice'
import { KeepChoice } from './keep-choice'
import { LeftOutRows } from './left-out-rows'
import { WrittenRows } from './refused'

interface CheckedProps {
  type: RecordType
  upload: UploadProcess
  stage: Stage & { is: 'checked' }
  /** Whether fields that the file has no column for keep their values. */
  keepsMissing: boolean
}

/** What the file would change, and the button that makes it so. */
export function Checked({ type, upload, stage, keepsMissing }: CheckedProps) {
  const { file, check, moved, alike, missing, changes: edits, remainder, waits } = stage
  const [accepted, setAccepted] = useState(false)
  const deactivations = useDeactivations(type, check)
  const open = openWriteStep(deactivations.isOpen, alike.length > 0 && !accepted)
  const changes = changesIn(check)
  const isInParts = remainder.done.length + remainder.open.length > 1
  // The sentence comes first: the page could not react while it shows them and hundreds of cells at once.
  const listsAreDue = useDeferredValue(true, false)
  const getList = useCallback((change: Change | undefined) => upload.listOf(change), [upload])
  return (
    <Stack gap="md">
      <Paper withBorder p="md" component="section" aria-labelledby="preview">
        <Stack>
          <PreviewHeading
            takesFocus
            title={titleOf(check)}
            outcome={check.total === 0 ? noRows(file) : checkedText(type, check)}
            moved={moved ? 'nothing was written. This is what the file would change now.' : undefined}
          />
          <WrittenRows remainder={remainder} />
          <LeftOutRows count={edits.leftOut} getFile={() => upload.work.errorsFile(true)} />
          {deactivations.notice}
          {alike.length > 0 && (
            <AlikeNotice
              key={`${check.revision} ${edits.count}`}
              type={type}
              count={similarIn(check)?.count ?? alike.length}
              alike={alike}
              onCorrect={(chosen) => upload.correctIds(chosen)}
              accepted={accepted}
              onAccept={setAccepted}
            />
          )}
          {missing.length > 0 && check.total > check.inserted && (
            <KeepChoice
              type={type}
              missing={missing}
              keeps={keepsMissing}
              onChange={(keeps) => upload.changeKeeping(keeps)}
            />
          )}
          <Warnings check={check} file={file} />
          {changes > 0 && listsAreDue && <ChangeTable type={type} check={check} onList={getList} />}
        </Stack>
      </Paper>
      {changes > 0 && (
        <ActionBar note={open ?? (waits || isInParts ? NOTHING_WRITTEN : SENT_AGAIN)}>
          {edits.count > 0 && (
            <Button variant="default" leftSection={<Undo2 size={16} />} onClick={() => upload.undoChange()}>
              Undo the last change
            </Button>
          )}
          <Button variant="default" onClick={() => upload.reset()}>
            Cancel
          </Button>
          <WriteButton
            check={check}
            disabled={open !== undefined}
            onClick={() => upload.commit(check.shrink_guard !== undefined)}
          />
        </ActionBar>
      )}
    </Stack>
  )
}

/** Why the button cannot be used yet. */
function openWriteStep(asksNumber: boolean, asksIds: boolean): string | undefined {
  if (asksNumber) return TYPE_THE_NUMBER
  return asksIds ? 'First answer the question about the ids above.' : undefined
}

const SENT_AGAIN = `${NOTHING_WRITTEN} The service cannot keep the file, so it is sent once more when it is written.`

/** The warning of ids that resemble others. */
const similarIn = ({ warnings }: Check) => warnings.find(({ code }) => code === 'similar_id')

function titleOf(check: Check): string {
  if (changesIn(check) > 0) return changeSentence(check)
  return check.total === 0 ? 'The file has no rows with data' : 'The catalog has all of this already'
}

/** What to do about a file without rows. */
function noRows({ csv, sheet }: ChosenFile): string {
  const where = sheet === undefined ? '' : ` of the sheet “${sheet.name}”`
  const what = csv.hasHeader
    ? `Row ${csv.headerRow}${where} names the columns, and no row below has data.`
    : ''
  return `${what} Nothing would be written. Look whether the records are on another sheet or in another file.`.trim()
}

function checkedText(type: RecordType, check: Check): string {
  const rows = countText(check.total, 'row is valid', 'rows are valid')
  const known = check.unchanged === check.total ? 'All' : numberText(check.unchanged)
  const same =
    check.unchanged === 0 || check.total === 1 ? '' : ` ${known} of them are in the catalog already.`
  return `“${MODE_LABELS[check.mode]}”: ${rows}.${same} ${titleCase(type.plural)} ${inUseText(check)}`
}

/** What the service finds odd in the file; the columns that it ignores are named with the file. */
function Warnings({ check, file }: { check: Check; file: ChosenFile }) {
  // `*` counts the ignored columns that the service does not name. All of them are named with the file.
  const others = check.warnings.filter(
    ({ field, code }) => field !== '*' && code !== 'similar_id' && !file.csv.ignored.includes(field),
  )
  if (others.length === 0) return null
  return (
    <Alert color="yellow" title="To look at" icon={<Info />}>
      {others.map(({ field, msg, code }) => (
        <Text size="sm" key={`${field} ${code}`}>
          {fieldLabel(field)}: {msg}
        </Text>
      ))}
    </Alert>
  )
}
