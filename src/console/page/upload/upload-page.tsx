import { Stack } from '@mantine/core'
import { type LeaveQuestion, useLeaveQuestion } from '../shell/leave-guard'
import { Page } from '../shell/page'
import type { CatalogPageProps } from '../shell/pages'
import { Problem } from '../shell/problem'
import { TypeSwitch } from '../shell/type-switch'
import { Checked } from './checked'
import { FileChoice } from './file-choice'
import { FileSummary } from './file-summary'
import { ModeChoice } from './mode-choice'
import { Refused } from './refused'
import { Transfer } from './transfer'
import { type Upload, useUpload } from './use-upload'
import { Written } from './written'

const WRITING: LeaveQuestion = {
  title: 'Leave while the file is being written?',
  text: 'It may be written all the same. Look under “Batches” afterwards.',
  leave: 'Leave',
}

/** From a file to the catalog: choose, look at what would change, confirm. */
export default function UploadPage({ type }: CatalogPageProps) {
  const upload = useUpload(type)
  const { state } = upload
  const busy = state.is === 'writing'
  useLeaveQuestion(busy ? WRITING : undefined)
  return (
    <Page
      title="Upload"
      description="Nothing is written before you have seen what would change, and confirmed it."
      actions={<TypeSwitch type={type} page="upload" disabled={busy} />}
    >
      {state.is === 'written' ? (
        <Written type={type} result={state.result} onAnother={upload.reset} />
      ) : (
        <Stack gap="lg">
          <FileChoice type={type} upload={upload} disabled={busy} />
          {'file' in state && (
            <FileSummary
              type={type}
              file={state.file}
              disabled={busy}
              onSheet={(sheet) => upload.changeSheet(state.file, sheet)}
            />
          )}
          <ModeChoice type={type} mode={upload.mode} disabled={busy} onChange={upload.changeMode} />
          <Outcome upload={upload} type={type} />
        </Stack>
      )}
    </Page>
  )
}

/** What has become of the file so far. */
function Outcome({ upload, type }: CatalogPageProps & { upload: Upload }) {
  const { state } = upload
  switch (state.is) {
    case 'empty':
    case 'written':
      return null
    case 'reading':
      return <Transfer label={`Reading ${state.name}`} />
    case 'unreadable':
      return <Problem title={`${state.name} cannot be used`} error={state.error} />
    case 'checking':
      return <Transfer sent={state.sent} label="Checking" rows={state.file.csv.rows} />
    case 'refused':
      return (
        <Refused
          type={type}
          file={state.file}
          error={state.error}
          onRetry={() => upload.check(state.file, upload.mode)}
        />
      )
    case 'checked':
      return <Checked type={type} upload={upload} {...state} />
    case 'writing':
      return <Transfer sent={state.sent} label="Writing" rows={state.file.csv.rows} />
    case 'interrupted':
      return (
        <Problem
          title="The upload did not come to its end"
          error={state.error}
          onRetry={() => upload.check(state.file, upload.mode)}
        />
      )
  }
}
