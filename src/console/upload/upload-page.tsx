import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CatalogPageProps } from '../shell/catalog-page-props'
import { type LeaveQuestion, useLeaveQuestion } from '../shell/leave-guard'
import { Page } from '../widgets/page'
import { FileToUpload, ModeOfFile } from './choices'
import { FileUnderWay } from './file-under-way'
import { isUnderWay } from './process/stage'
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
  const { upload, stage } = state
  const columns = useDisclosure(false)
  const queries = useQueryClient()
  const isWriting = isUnderWay(stage)
  const isWritten = stage.is === 'written'
  useLeaveQuestion(isWriting ? WRITING_UPLOAD : undefined)
  // What other pages have loaded of the catalog is out of date.
  useEffect(() => {
    if (isWritten) queries.invalidateQueries()
  }, [isWritten, queries])
  return (
    <Page
      title="Upload"
      {...(!isWritten && {
        description: 'Nothing is written before you have seen what would change, and confirmed it.',
      })}
    >
      <StepList stage={stage} />
      {stage.is === 'written' && <Written type={type} {...stage} onAnother={() => upload.reset()} />}
      {stage.is === 'empty' && (
        <>
          <FileToUpload type={type} {...state} />
          <ModeOfFile type={type} {...state} />
        </>
      )}
      {stage.is !== 'written' && stage.is !== 'empty' && (
        <FileUnderWay type={type} columnsOpen={columns[0]} columns={columns[1]} {...state} />
      )}
    </Page>
  )
}
