import { NativeSelect, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import type { RecordType } from '#records/record-type'
import { useSession } from '../session'
import { ConfirmationShare } from '../settings/confirmation-share'
import type { CatalogPageProps } from '../shell/catalog-page-props'
import { type LeaveQuestion, useLeaveQuestion } from '../shell/leave-guard'
import { Page } from '../shell/page'
import { Problem } from '../shell/problem'
import { TypeSwitch } from '../shell/type-switch'
import { CellQuestions } from './file/cell-questions'
import { ColumnTable } from './file/column-table'
import { FileChoice } from './file/file-choice'
import { FileSummary } from './file/file-summary'
import { WrongCatalog } from './file/wrong-catalog'
import { ErrorReport } from './fix/error-report'
import { ModeChoice } from './mode-choice'
import type { Mode, Stage } from './process/stage'
import type { UploadProcess } from './process/upload-process'
import { rememberFile, takeFileAlong, uploadOf } from './process/upload-store'
import { Checked } from './review/checked'
import { Interrupted, TooLarge } from './review/refused'
import { Written } from './review/written'
import { REVIEW, StepList, stepOf } from './step-list'
import { Transfer } from './transfer'
import './upload.css'

const WRITING: LeaveQuestion = {
  title: 'Leave while the file is being written?',
  text: 'It goes on while this window is open. Come back to “Upload” to see what became of it.',
  leave: 'Leave',
}

function useUpload(type: RecordType) {
  const { client, login } = useSession()
  const upload = useMemo(() => uploadOf(client, login, type), [client, login, type])
  const state = useSyncExternalStore(upload.subscribe, upload.state)
  useEffect(() => takeFileAlong(upload), [upload])
  const { file } = upload
  const isFirst = useRef(true)
  useEffect(() => {
    // Before the file of another catalog is taken along there is none.
    if (!isFirst.current || file !== undefined) rememberFile(upload)
    isFirst.current = false
  }, [upload, file])
  return { upload, ...state }
}

/** From a file to the catalog: choose, look at what would change, confirm. */
export default function UploadPage({ type }: CatalogPageProps) {
  const { upload, stage, mode, sheets } = useUpload(type)
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const busy = stage.is === 'writing'
  const isWritten = stage.is === 'written'
  useLeaveQuestion(busy ? WRITING : undefined)
  // What other pages have loaded of the catalog is out of date.
  useEffect(() => {
    if (isWritten) queries.invalidateQueries()
  }, [isWritten, queries])
  const [columnsOpen, columns] = useDisclosure(false)
  const file = 'file' in stage ? stage.file : undefined
  const map = (header: string, field: string | null) => upload.mapColumn(header, field)
  const choice = (
    <FileChoice
      type={type}
      isChosen={stage.is !== 'empty'}
      disabled={busy}
      onChoose={(chosen) => upload.choose(chosen)}
    />
  )
  const modeChoice = (
    <Stack gap="xs">
      <ModeChoice type={type} mode={mode} disabled={busy} onChange={(chosen) => upload.changeMode(chosen)} />
      {mode === 'reconcile' && <ConfirmationShare type={type} disabled={busy} />}
    </Stack>
  )
  return (
    <Page
      title="Upload"
      description="Nothing is written before you have seen what would change, and confirmed it."
      actions={<TypeSwitch type={type} page="upload" disabled={busy} />}
    >
      <StepList stage={stage} />
      {stage.is === 'written' && <Written type={type} {...stage} onAnother={() => upload.reset()} />}
      {stage.is === 'empty' && (
        <>
          {choice}
          {modeChoice}
        </>
      )}
      {stage.is !== 'written' && stage.is !== 'empty' && (
        // Rows that are edited take the whole width.
        <div className="upload" data-wide={(stage.is === 'faulty' && stepOf(stage) === REVIEW) || undefined}>
          <Stack gap="md" miw={0}>
            {file !== undefined && columnsOpen && (
              <ColumnTable
                type={type}
                columns={file.csv.fileColumns}
                disabled={busy}
                onMap={map}
                onClose={columns.close}
              />
            )}
            {file?.better !== undefined && (
              <WrongCatalog
                type={type}
                better={file.better}
                onMove={() => navigate(`/${file.better?.type}/upload`)}
                onKeep={() => upload.keepType()}
              />
            )}
            {file !== undefined && (
              <CellQuestions
                file={file}
                disabled={busy}
                onChoose={(position, chosen) => upload.chooseCells(position, chosen)}
              />
            )}
            <Outcome type={type} upload={upload} mode={mode} stage={stage} />
          </Stack>
          <div className="upload-side">
            <Stack gap="md">
              {sheets !== undefined && (
                <NativeSelect
                  label="Sheet of the workbook"
                  maw={320}
                  disabled={busy}
                  data={[...sheets.names]}
                  value={sheets.chosen}
                  onChange={({ currentTarget }) => upload.changeSheet(currentTarget.value)}
                />
              )}
              {file !== undefined && (
                <FileSummary type={type} file={file} columnsOpen={columnsOpen} onColumns={columns.toggle} />
              )}
              {choice}
            </Stack>
            {modeChoice}
          </div>
        </div>
      )}
    </Page>
  )
}

/** What has become of the file so far. */
function Outcome({
  type,
  upload,
  mode,
  stage,
}: CatalogPageProps & { upload: UploadProcess; mode: Mode; stage: Stage }) {
  const checkAgain = () => upload.check()
  switch (stage.is) {
    case 'empty':
    case 'written':
    case 'asking':
      return null
    case 'reading':
      return <Transfer label={`Reading ${stage.name}`} />
    case 'unreadable':
      return <Problem title={`${stage.name} cannot be used`} error={stage.error} />
    case 'testing':
      return <Transfer label="Checking" rows={stage.file.csv.rows} />
    case 'faulty':
      return <ErrorReport type={type} upload={upload} mode={mode} stage={stage} />
    case 'tooLarge':
      return <TooLarge type={type} file={stage.file} />
    case 'checking':
      return <Transfer progress={stage.progress} label="Checking" rows={stage.file.csv.rows} />
    case 'refused':
      return <Problem title="The file could not be checked" error={stage.error} onRetry={checkAgain} />
    case 'checked':
      return <Checked type={type} upload={upload} stage={stage} />
    case 'writing':
      return <Transfer progress={stage.progress} label="Writing" rows={stage.file.csv.rows} />
    case 'interrupted':
      return <Interrupted error={stage.error} remainder={stage.remainder} onRetry={checkAgain} />
  }
}
