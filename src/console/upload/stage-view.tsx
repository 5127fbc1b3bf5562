import { Paper, Progress, Stack, Text } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { Problem } from '../widgets/problem'
import { countText } from '../wording'
import { ErrorReport } from './fix/error-report'
import type { Progress as FileProgress } from './process/stage'
import { FilePreview } from './review/file-preview'
import { Interrupted, TooLarge } from './review/not-written'
import type { UploadInProgress } from './use-upload'

/** The content below the file for the current stage. The page itself shows `empty`, `written` and the questions. */
export function StageView({ type, upload, mode, keepsMissing, stage }: UploadInProgress) {
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
    // To the user it is one step: first the page prepares the file, then the service checks it.
    case 'preparing':
      return <Transfer label="Checking" rows={stage.file.records} />
    case 'faulty':
      return <ErrorReport type={type} upload={upload} mode={mode} keepsMissing={keepsMissing} stage={stage} />
    case 'tooLarge':
      return <TooLarge type={type} file={stage.file} />
    case 'checking':
      return <Transfer progress={stage.progress} label="Checking" rows={stage.file.records} />
    case 'notChecked':
      return <Problem title="The file could not be checked" error={stage.error} onRetry={checkAgain} />
    case 'checked':
      return <FilePreview type={type} upload={upload} stage={stage} keepsMissing={keepsMissing} />
    case 'writing':
      return (
        <Transfer
          progress={stage.progress}
          label="Writing"
          // The dry run has already sent it.
          sending="Sending the file once more"
          rows={stage.file.records}
        />
      )
    case 'interrupted':
      return <Interrupted {...stage} onRetry={() => upload.retryWrite()} />
  }
}

interface TransferProps {
  /** The current activity: `Checking`. */
  label: string
  sending?: string
  progress?: FileProgress
  rows?: number
}

const NOTHING_TO_SEND: FileProgress = { part: 0, parts: 1, sent: 1 }

/** The progress of a file. Each part is sent, then processed by the service, which does not report its progress. */
function Transfer({ label, sending = 'Sending the file', progress = NOTHING_TO_SEND, rows }: TransferProps) {
  const { part, parts, sent } = progress
  // If there are several parts, sending is the first half of a part's progress, and processing the second half.
  const share = parts === 1 ? sent : (part + sent / 2) / parts
  const percent = Math.round(share * 100)
  const isProcessing = sent === 1
  const prefersReducedMotion = useReducedMotion()
  const rowsText = rows === undefined ? '' : ` ${countText(rows, 'row', 'rows')}`
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        {/* Screen readers announce the steps, not every percent. */}
        <Text role="status" fw={500}>
          {isProcessing || parts > 1 ? `${label}${rowsText}…` : `${sending}…`}
          {parts > 1 && ` Part ${part + 1} of ${parts}.`}
        </Text>
        <Progress.Root size="lg">
          <Progress.Section
            value={percent}
            striped={isProcessing}
            animated={isProcessing && !prefersReducedMotion}
            aria-label={isProcessing ? `${label}, in progress` : 'Sent'}
          />
        </Progress.Root>
        <Text size="sm" c="dimmed">
          {isProcessing ? 'A large file takes some seconds.' : `${percent} % sent`}
        </Text>
      </Stack>
    </Paper>
  )
}
