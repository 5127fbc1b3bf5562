import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import type { RecordType } from '#records/record-type'
import { useSession } from '../session'
import { type LeaveQuestion, useLeaveQuestion } from '../shell/leave-guard'
import { Page } from '../shell/page'
import type { CatalogPageProps } from '../shell/pages'
import { Problem } from '../shell/problem'
import { TypeSwitch } from '../shell/type-switch'
import { CellQuestions } from './cell-questions'
import { Checked } from './checked'
import { ConfirmationShare } from './confirmation-share'
import { ErrorReport } from './error-report'
import { FileChoice } from './file-choice'
import { FileSummary } from './file-summary'
import { ModeChoice } from './mode-choice'
import { Interrupted, TooLarge } from './refused'
import { SheetChoice } from './sheet-choice'
import type { Mode, Stage } from './stage'
import { Transfer } from './transfer'
import type { UploadProcess } from './upload-process'
import { rememberFile, takeFileAlong, uploadOf } from './upload-store'
import { Written } from './written'
import { WrongCatalog } from './wrong-catalog'

const WRITING: LeaveQuestion = {
  title: 'Leave while the file is being written?',
  text: 'It goes on while this window is open. Come back to “Upload” to see what became of it.',
  leave: 'Leave',
}

function useUpload(type: RecordType) {
  const { client, login } = useSession()
  const upload = useMemo(() => uploadOf(client, login, type), [client, login, type])
  const state = useSyncExternalStore(upload.subscribe, upload.state)
  useEffect(() => takeFileAlong(login, upload), [login, upload])
  const { file } = upload
  const isFirst = useRef(true)
  useEffect(() => {
    // Before the file of another catalog is taken along there is none.
    if (!isFirst.current || file !== undefined) rememberFile(login, upload)
    isFirst.current = false
  }, [login, upload, file])
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
  return (
    <Page
      title="Upload"
      description="Nothing is written before you have seen what would change, and confirmed it."
      actions={<TypeSwitch type={type} page="upload" disabled={busy} />}
    >
      {stage.is === 'written' ? (
        <Written type={type} {...stage} onAnother={() => upload.reset()} />
      ) : (
        <Stack gap="lg">
          <FileChoice
            type={type}
            isChosen={stage.is !== 'empty'}
            disabled={busy}
            onChoose={(file) => upload.choose(file)}
          />
          {sheets !== undefined && (
            <SheetChoice {...sheets} disabled={busy} onChange={(name) => upload.changeSheet(name)} />
          )}
          {'file' in stage && (
            <FileSummary
              type={type}
              file={stage.file}
              disabled={busy}
              onMap={(header, field) => upload.mapColumn(header, field)}
            />
          )}
          {'file' in stage && stage.file.better !== undefined && (
            <WrongCatalog
              type={type}
              better={stage.file.better}
              onMove={() => navigate(`/${stage.file.better?.type}/upload`)}
              onKeep={() => upload.keepType()}
            />
          )}
          {'file' in stage && (
            <CellQuestions
              file={stage.file}
              disabled={busy}
              onChoose={(position, choice) => upload.chooseCells(position, choice)}
            />
          )}
          <ModeChoice
            type={type}
            mode={mode}
            disabled={busy}
            onChange={(chosen) => upload.changeMode(chosen)}
          />
          {mode === 'reconcile' && <ConfirmationShare type={type} disabled={busy} />}
          <Outcome type={type} upload={upload} mode={mode} stage={stage} />
        </Stack>
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
