import { Alert, Button, Text } from '@mantine/core'
import { Info, Undo2 } from 'lucide-react'
import { useCallback } from 'react'
import type { FileSummary } from '#files/file-summary'
import type { ChangeKind } from '#shared/records/change'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { changeSentence, changesIn } from '../../changes/change-texts'
import { NOTHING_WRITTEN } from '../../changes/deactivation-confirmation'
import { activityText, WritePreview } from '../../changes/write-preview'
import { useConsent } from '../../widgets/hooks'
import { countText, fieldLabel, numberText, titleCase } from '../../wording'
import { warningOf } from '../process/file-check'
import type { Check, Stage } from '../process/stage'
import type { UploadProcess } from '../process/upload-process'
import { RowList } from '../questions/file-questions'
import { ChoiceQuestion } from '../questions/question-card'
import { LeftOutRows, WrittenRows } from './not-written'
import { RenamedNotice } from './renamed-notice'
import { SimilarNotice } from './similar-notice'
import { Warnings } from './warnings'

interface FilePreviewProps {
  type: RecordType
  upload: UploadProcess
  stage: Stage & { is: 'checked' }
  /** Whether fields without a column keep their values. */
  keepsMissing: boolean
}

/** Shows what the file would change, and asks the open questions before it can be written. */
export function FilePreview({ type, upload, stage, keepsMissing }: FilePreviewProps) {
  const { file, check, similar, renamed, impliedReactivations, missing, changes: edits, remainder } = stage
  // A new preview has different IDs and names, so it is asked about again.
  const previewKey = `${check.epoch} ${check.revision} ${edits.count}`
  const [isAccepted, setAccepted] = useConsent(previewKey)
  const [bringsBack, setBringsBack] = useConsent(previewKey)
  const [acceptsNames, setAcceptsNames] = useConsent(previewKey)
  const asksNames = renamed.length > 0 && !acceptsNames
  const open = openWriteStep([
    [impliedReactivations.length > 0 && !bringsBack, 'First choose what happens to those that are inactive.'],
    [asksNames, 'First answer the question about names above.'],
    [similar.length > 0 && !isAccepted, 'First answer the question about IDs above.'],
  ])
  const isInParts = remainder.written.length + remainder.unwritten.length > 1
  const getList = useCallback((change: ChangeKind | undefined) => upload.changeList(change), [upload])
  return (
    <WritePreview
      type={type}
      check={check}
      takesFocus
      hasFile
      title={titleOf(check)}
      outcome={check.total === 0 ? noRowsText(file) : checkedText(type, check)}
      isChangedByOthers={stage.isChangedByOthers}
      open={open}
      note={stage.isHeld || isInParts ? NOTHING_WRITTEN : SENT_AGAIN}
      buttons={
        <>
          {edits.count > 0 && (
            <Button
              variant="default"
              leftSection={<Undo2 size={16} />}
              onClick={() => upload.changeChecked((work) => work.undo())}
            >
              Undo the last change
            </Button>
          )}
          <Button variant="default" onClick={() => upload.reset()}>
            Cancel
          </Button>
        </>
      }
      onList={getList}
      onWrite={() => upload.commit(check.shrink_guard !== undefined)}
    >
      <WrittenRows remainder={remainder} />
      <LeftOutRows count={edits.leftOut} getFile={() => upload.errorsFile({ onlyFailing: true })} />
      {asksNames && (
        <RenamedNotice
          type={type}
          count={warningOf(check, 'renamed')?.count ?? renamed.length}
          renamed={renamed}
          onLeaveOut={
            check.mode === 'upsert'
              ? (indexes) => upload.changeChecked((work) => work.leaveOutRows(indexes))
              : undefined
          }
          onAccept={() => setAcceptsNames(true)}
        />
      )}
      {similar.length > 0 && (
        <SimilarNotice
          key={previewKey}
          type={type}
          count={warningOf(check, 'similar_id')?.count ?? similar.length}
          similar={similar}
          onCorrect={(ids) => upload.changeChecked((work) => work.correctIds(ids))}
          onLeaveOut={(indexes) => upload.changeChecked((work) => work.leaveOutRows(indexes))}
          isAccepted={isAccepted}
          onAccept={setAccepted}
        />
      )}
      {impliedReactivations.length > 0 && (
        <ReactivationQuestion
          type={type}
          ids={impliedReactivations}
          names={new Map(check.diff.reactivated.map(({ id, name }) => [id, name]))}
          bringsBack={bringsBack}
          onLeave={() => upload.changeChecked((work) => work.leaveInactive(impliedReactivations))}
          onBringBack={() => setBringsBack(true)}
        />
      )}
      <SparseRows file={file} />
      {missing.length > 0 && check.total > check.inserted && (
        <KeepChoice
          type={type}
          missing={missing}
          keeps={keepsMissing}
          onChange={(keeps) => upload.changeKeeping(keeps)}
        />
      )}
      <Warnings
        key={`warnings ${previewKey}`}
        type={type}
        upload={upload}
        check={check}
        file={file}
        previewKey={previewKey}
      />
    </WritePreview>
  )
}

/** What the user must do before the file can be written. @param steps each with whether it is open */
const openWriteStep = (steps: readonly (readonly [isOpen: boolean, text: string])[]): string | undefined =>
  steps.find(([isOpen]) => isOpen)?.[1]

interface ReactivationProps {
  type: RecordType
  ids: readonly string[]
  names: ReadonlyMap<string, string>
  bringsBack: boolean
  onLeave: () => void
  onBringBack: () => void
}

const IDS_SHOWN = 10

/** Asks whether to reactivate inactive records if the file does not say whether they are active. */
function ReactivationQuestion({ type, ids, names, bringsBack, onLeave, onBringBack }: ReactivationProps) {
  const isOne = ids.length === 1
  const what = isOne ? type.title : type.plural
  return (
    <ChoiceQuestion
      title={`${numberText(ids.length)} ${what} in the file ${isOne ? 'is' : 'are'} inactive now`}
      answer={bringsBack ? `reactivate ${isOne ? 'it' : 'them'}` : undefined}
      choices={[
        { label: `Keep ${isOne ? 'it' : 'them'} inactive`, onChoose: onLeave },
        { label: `Reactivate ${isOne ? 'it' : 'them'}`, onChoose: onBringBack },
      ]}
    >
      <Text size="sm" className="breakable">
        {ids
          .slice(0, IDS_SHOWN)
          .map((id) => names.get(id) ?? id)
          .join(', ')}
        {ids.length > IDS_SHOWN && ` and ${numberText(ids.length - IDS_SHOWN)} more`}
        {`: the file does not say whether ${isOne ? 'it should be' : 'they should be'} active again.`}
      </Text>
    </ChoiceQuestion>
  )
}

function SparseRows({ file: { csv } }: { file: FileSummary }) {
  if (csv.sparseRows.length === 0) return null
  return (
    <Alert
      color="yellow"
      icon={<Info />}
      title={countText(csv.sparseRows.length, 'row is unlike the others', 'rows are unlike the others')}
    >
      <Text size="sm">Nearly all of their cells are empty.</Text>
      <RowList rows={csv.sparseRows} />
    </Alert>
  )
}

const SENT_AGAIN = `${NOTHING_WRITTEN} The file will be sent once more when you confirm.`

function titleOf(check: Check): string {
  if (changesIn(check) > 0) return changeSentence(check)
  return check.total === 0 ? 'The file has no rows with data' : 'No changes: the catalog already matches the file'
}

/** Advice for a file without rows. */
function noRowsText({ csv, sheet }: FileSummary): string {
  const where = sheet === undefined ? '' : ` of the sheet “${sheet}”`
  const what = csv.hasHeader ? `Row ${csv.headerRow}${where} is the header row, and no row below has data.` : ''
  return `${what} Nothing would be written. Are the records on another sheet, or in another file?`.trim()
}

function checkedText(type: RecordType, check: Check): string {
  const rows = countText(check.total, 'row is valid', 'rows are valid')
  const known = check.total - check.inserted
  const unchanged = check.unchanged === known ? 'unchanged' : `${numberText(check.unchanged)} of them unchanged`
  const same =
    known === 0 || check.total === 1
      ? ''
      : ` ${countText(known, 'is', 'are')} in the catalog already${check.unchanged === 0 ? '' : `, ${unchanged}`}.`
  return `${rows}.${same} ${titleCase(type.plural)} ${activityText(check)}`
}

const FIELDS_SHOWN = 2

/** `Strength, Unit and 8 more`. */
function namesOf(fields: readonly string[]): string {
  const names = fields.map(fieldLabel)
  const further = names.length - FIELDS_SHOWN
  if (further > 0) return `${names.slice(0, FIELDS_SHOWN).join(', ')} and ${numberText(further)} more`
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((text) => text !== '').join(' and ')
}

interface KeepChoiceProps {
  type: RecordType
  missing: readonly string[]
  keeps: boolean
  onChange: (keeps: boolean) => void
}

function KeepChoice({ type, missing, keeps, onChange }: KeepChoiceProps) {
  const isNeeded = missing.some((name) => fieldNamed(type, name)?.required)
  const label = `The file has no column for ${namesOf(missing)}`
  if (isNeeded) {
    return (
      <Text size="sm">
        {label}. The {type.plural} that you have keep their values.
      </Text>
    )
  }
  return (
    <ChoiceQuestion
      title={label}
      answer={keeps ? 'keep existing values' : 'clear these fields'}
      choices={[
        { label: 'Keep existing values', onChoose: () => onChange(true) },
        { label: 'Clear these fields', onChoose: () => onChange(false) },
      ]}
    />
  )
}
