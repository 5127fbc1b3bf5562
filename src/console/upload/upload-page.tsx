import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CatalogPageProps } from '../shell/catalog-page-props'
import { type LeaveQuestion, useLeaveQuestion } from '../shell/leave-guard'
import { Page } from '../widgets/page'
import { FileBar } from './file-bar'
import { FileChoice } from './file-choice'
import { Outcome } from './outcome'
import { isUnderWay } from './process/stage'
import { FileQuestions } from './questions/file-questions'
import { Written } from './review/written'
import { StepList } from './step-list'
import { useUpload } from './use-upload'
import './upload.css'

const WRITING_UPLOAD: LeaveQuestion = {
  title: 'Leave while the file is being written?',
  text: 'It goes on while this window is open. Come back to “Upload” to see what became of it.',
  leave: 'Leave',
}

/** From a file to the catalog: choose, look at what would change, confirm. */
export default function UploadPage({ type }: CatalogPageProps) {
  const state = useUpload(type)
  const { upload, stage, mode, keepsMissing } = state
  const queries = useQueryClient()
  const isWriting = isUnderWay(stage)
  const isWritten = stage.is === 'written'
  useLeaveQuestion(isWriting ? WRITING_UPLOAD : undefined)
  // What other pages have loaded of the catalog is out of date.
  useEffect(() => {
    if (isWritten) queries.invalidateQueries()
  }, [isWritten, queries])
  if (stage.is === 'empty') {
    return (
      <Page
        title="Upload"
        description="Nothing is written before you have seen what would change, and confirmed it."
      >
        <FileChoice type={type} onChoose={(chosen) => upload.choose(chosen)} />
      </Page>
    )
  }
  return (
    <Page title="Upload" actions={<StepList stage={stage} />}>
      {stage.is === 'written' && <Written type={type} {...stage} onAnother={() => upload.reset()} />}
      {stage.is !== 'written' && (
        <Stack gap="sm">
          <FileBar type={type} {...state} />
          {'file' in stage && (
            <FileQuestions type={type} file={stage.file} upload={upload} disabled={isWriting} />
          )}
          <Outcome type={type} upload={upload} mode={mode} keepsMissing={keepsMissing} stage={stage} />
        </Stack>
      )}
    </Page>
  )
}
