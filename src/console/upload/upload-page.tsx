import { Button, Group, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Columns3, Undo2 } from 'lucide-react'
import { memo, useEffect } from 'react'
import { Link } from 'wouter'
import { isEmptyColumn } from '#files/columns/file-column'
import { asksColumns, asksHeader, type FileSummary } from '#files/file-summary'
import type { RecordType } from '#shared/records/record-type'
import { activeText, changeSentence, changesIn, MODE_LABELS } from '../changes/change-texts'
import { type LeaveQuestion, useLeaveQuestion } from '../frame/leave-guard'
import type { CatalogPageProps } from '../frame/shown-catalog'
import { historyAddress, restoreAddress, writeAddress } from '../history/history-address'
import { DoneNotice } from '../widgets/done-notice'
import { Page } from '../widgets/page'
import { countText } from '../wording'
import { FileChoice, ReplaceFile } from './file-choice'
import { isBeingWritten, type Stage } from './process/stage'
import { columnName, emptyColumnsText } from './questions/column-table'
import { COLUMNS_ID, ColumnsPanel } from './questions/columns-question'
import { FileQuestions } from './questions/file-questions'
import { LeftOutRows } from './review/not-written'
import { StageView } from './stage-view'
import { type UploadInProgress, useUpload } from './use-upload'
import './upload.css'

const STEPS = ['File', 'Columns', 'Review'] as const

/** The index in `STEPS` of the user's current step; undefined when all steps are done. */
function stepOf(stage: Stage): number | undefined {
  switch (stage.is) {
    case 'empty':
    case 'reading':
    case 'unreadable':
      return 0
    case 'asking':
      return 1
    case 'faulty':
      return stage.errors.groups.some(({ ofFile }) => ofFile) ? 1 : 2
    case 'written':
      return undefined
    default:
      return 2
  }
}

function StepText({ stage }: { stage: Stage }) {
  const step = stepOf(stage)
  if (step === undefined) return null
  return (
    <Text size="sm" c="dimmed">
      Step {step + 1} of {STEPS.length}: {STEPS[step]}
    </Text>
  )
}

const WRITING_UPLOAD: LeaveQuestion = {
  title: 'Leave while the file is being written?',
  text: 'It continues while this window is open. Return to “Upload” to see the result.',
  leave: 'Leave',
}

/** Uploads a file: choose it, review the changes, confirm. */
export default function UploadPage({ type }: CatalogPageProps) {
  return <UploadSteps state={useUpload(type)} />
}

const UploadSteps = memo(function UploadSteps({ state }: { state: UploadInProgress }) {
  const { type, upload, stage } = state
  const queries = useQueryClient()
  const isWriting = isBeingWritten(stage)
  const isWritten = stage.is === 'written'
  useLeaveQuestion(isWriting ? WRITING_UPLOAD : undefined)
  // Data of the catalog that other pages have loaded is outdated.
  useEffect(() => {
    if (isWritten) queries.invalidateQueries()
  }, [isWritten, queries])
  if (stage.is === 'empty') {
    return (
      <Page
        key="file"
        title="Upload"
        description="You see what would change first. Nothing is written until you confirm."
      >
        <FileChoice type={type} onChoose={(picked) => upload.choose(picked)} />
      </Page>
    )
  }
  return (
    // A separate page, because movement within one page would look like a mistake.
    <Page key="steps" title="Upload" above="" actions={<StepText stage={stage} />}>
      {stage.is === 'written' && <Written type={type} {...stage} onAnother={() => upload.reset()} />}
      {stage.is !== 'written' && (
        <Stack gap="xs">
          <FileBar {...state} />
          {'file' in stage && <FileQuestions type={type} file={stage.file} upload={upload} disabled={isWriting} />}
          <StageView {...state} />
        </Stack>
      )}
    </Page>
  )
})

interface WrittenProps extends Omit<Stage & { is: 'written' }, 'is'> {
  type: RecordType
  onAnother: () => void
}

function Written({ type, result, isOneWrite, leftOut, failing, onAnother }: WrittenProps) {
  const changes = changesIn(result)
  const { batch_id: batchId } = isOneWrite ? result : {}
  const undoAddress = batchId === undefined ? undefined : restoreAddress(type, batchId, 'undo')
  const seeAddress = batchId === undefined ? historyAddress(type) : writeAddress(type, batchId)
  return (
    <Stack>
      <DoneNotice
        title={changes === 0 ? 'No changes: the catalog already matched the file' : changeSentence(result, true)}
        text={`The ${type.plural} are up to date. ${activeText(result)}`}
      />
      {failing !== undefined && <LeftOutRows count={leftOut} getFile={async () => failing} />}
      <Group>
        <Button component={Link} href={`/${type.name}/catalog`}>
          See the catalog
        </Button>
        <Button variant="default" component={Link} href={seeAddress}>
          See what changed
        </Button>
        {undoAddress !== undefined && changes > 0 && (
          <Button variant="default" component={Link} href={undoAddress} leftSection={<Undo2 size={16} />}>
            Undo
          </Button>
        )}
        <Button variant="default" onClick={onAnother}>
          Upload another file
        </Button>
      </Group>
    </Stack>
  )
}

/** The chosen file in one line, with controls for how it is read and written. */
function FileBar({ type, upload, stage, mode, sheets }: UploadInProgress) {
  const [columnsOpen, columns] = useDisclosure(false)
  const disabled = isBeingWritten(stage)
  const file = 'file' in stage ? stage.file : undefined
  const name = file?.name ?? ('name' in stage ? stage.name : '')
  const isAsked = file !== undefined && asksColumns(file)
  const isSheetKnown = file?.equalSheets === undefined
  const canSeeColumns = file !== undefined && !isAsked && isSheetKnown
  return (
    <>
      <Paper withBorder px="md" py={6} component="section" aria-labelledby="file-name">
        <Group gap="sm" justify="space-between">
          <Stack gap={0} miw={0} flex={{ base: '1 1 100%', md: '1 1 240px' }}>
            <Title order={2} size="h5" id="file-name" className="breakable" translate="no">
              {name}
            </Title>
            {/* Reserves the line before the file is read. */}
            <Text size="sm" mih="1.55em">
              {file !== undefined && isSheetKnown && !asksHeader(file) && factsOf(file)}
            </Text>
          </Stack>
          <Group gap="xs">
            {sheets !== undefined && sheets.all.length > 1 && isSheetKnown && (
              <NativeSelect
                size="xs"
                aria-label="Sheet of the workbook"
                data={sheets.all.map((sheet) => ({ value: sheet.name, label: sheet.name }))}
                value={sheets.chosen}
                disabled={disabled}
                onChange={({ currentTarget: { value } }) =>
                  upload.changeReading((answers) => answers.changeSheet(value))
                }
              />
            )}
            <NativeSelect
              size="xs"
              aria-label="What the file is"
              data={[
                { value: 'upsert', label: MODE_LABELS.upsert },
                { value: 'reconcile', label: MODE_LABELS.reconcile },
              ]}
              value={mode}
              disabled={disabled}
              onChange={({ currentTarget: { value } }) =>
                upload.changeMode(value === 'reconcile' ? 'reconcile' : 'upsert')
              }
            />
            {canSeeColumns && (
              <Button
                variant="default"
                size="xs"
                leftSection={<Columns3 size={14} />}
                aria-expanded={columnsOpen}
                aria-controls={columnsOpen ? COLUMNS_ID : undefined}
                onClick={columns.toggle}
              >
                Columns
              </Button>
            )}
            <ReplaceFile disabled={disabled} onChoose={(picked) => upload.choose(picked)} />
          </Group>
        </Group>
      </Paper>
      {canSeeColumns && columnsOpen && (
        <ColumnsPanel type={type} file={file} upload={upload} disabled={disabled} onClose={columns.close} />
      )}
    </>
  )
}

const COLUMNS_SHOWN = 5

/** The number of rows and columns that are read, and the ignored columns. */
function factsOf({ records, csv }: FileSummary): string {
  const leftOut = csv.fileColumns.filter(({ field, by }) => by !== undefined && field === undefined)
  const emptyHeaders = csv.fileColumns.filter(isEmptyColumn).map(({ header }) => header)
  const unread = csv.ignoredColumns.filter((name) => !emptyHeaders.includes(name))
  const ignored = [...unread, ...leftOut.map(columnName)].filter((name) => name !== '')
  const rows = countText(records, 'row', 'rows')
  const read = `${rows}, ${countText(csv.columns.length, 'column is', 'columns are')} read`
  const empty = emptyColumnsText(csv.fileColumns)
  const further = ignored.length > COLUMNS_SHOWN ? ` and ${ignored.length - COLUMNS_SHOWN} more` : ''
  const notRead = ignored.length === 0 ? '' : `Not read: ${ignored.slice(0, COLUMNS_SHOWN).join(', ')}${further}`
  return [read, notRead, empty].filter((text) => text !== '').join('. ')
}
