import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
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
import { FileChoice } from './file-choice'
import { FileSummary } from './file-summary'
import { keepFile, takeKeptFile } from './kept-file'
import { ModeChoice } from './mode-choice'
import { Refused } from './refused'
import { columnMemory } from './remembered-columns'
import { SheetChoice } from './sheet-choice'
import { Transfer } from './transfer'
import { type Stage, UploadProcess } from './upload-process'
import { Written } from './written'
import { WrongCatalog } from './wrong-catalog'

const WRITING: LeaveQuestion = {
  title: 'Leave while the file is being written?',
  text: 'It may be written all the same. Look under “History” afterwards.',
  leave: 'Leave',
}

function useUpload(type: RecordType) {
  const { client, login } = useSession()
  const [upload] = useState(() => new UploadProcess(client, type, columnMemory(login, type.name)))
  const state = useSyncExternalStore(upload.subscribe, upload.state)
  useEffect(() => {
    const file = takeKeptFile(login)
    if (file !== undefined) void upload.choose(file)
    return () => {
      keepFile(login, upload.file)
      upload.end()
    }
  }, [upload, login])
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
        <Written type={type} result={stage.result} onAnother={() => upload.reset()} />
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
              onMove={() => navigate(`/${stage.file.better?.name}/upload`)}
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
          <Outcome type={type} upload={upload} stage={stage} />
        </Stack>
      )}
    </Page>
  )
}

/** What has become of the file so far. */
function Outcome({ type, upload, stage }: CatalogPageProps & { upload: UploadProcess; stage: Stage }) {
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
    case 'checking':
      return <Transfer sent={stage.sent} label="Checking" rows={stage.file.csv.rows} />
    case 'refused':
      return <Refused type={type} file={stage.file} error={stage.error} onRetry={checkAgain} />
    case 'checked':
      return <Checked type={type} upload={upload} {...stage} />
    case 'writing':
      return <Transfer sent={stage.sent} label="Writing" rows={stage.file.csv.rows} />
    case 'interrupted':
      return <Problem title="The upload was interrupted" error={stage.error} onRetry={checkAgain} />
  }
}
