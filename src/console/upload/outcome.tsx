import { Paper, Progress, Stack, Text } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { Problem } from '../widgets/problem'
import { countText } from '../wording'
import { ErrorReport } from './fix/error-report'
import type { Progress as FileProgress } from './process/stage'
import { Checked } from './review/checked'
import { Interrupted, TooLarge } from './review/refused'
import type { UploadInProgress } from './use-upload'

/** What has become of the file so far. */
export function Outcome({ type, upload, mode, keepsMissing, stage }: UploadInProgress) {
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
    case 'validating':
      return <Transfer label="Checking" rows={stage.file.records} />
    case 'faulty':
      return <ErrorReport type={type} upload={upload} mode={mode} keepsMissing={keepsMissing} stage={stage} />
    case 'tooLarge':
      return <TooLarge type={type} file={stage.file} />
    case 'checking':
      return <Transfer progress={stage.progress} label="Checking" rows={stage.file.records} />
    case 'refused':
      return <Problem title="The file could not be checked" error={stage.error} onRetry={checkAgain} />
    case 'checked':
      return <Checked type={type} upload={upload} stage={stage} keepsMissing={keepsMissing} />
    case 'writing':
      return (
        <Transfer
          progress={stage.progress}
          label="Writing"
          sending="Sending the file once more"
          rows={stage.file.records}
        />
      )
    case 'interrupted':
      return <Interrupted {...stage} onRetry={() => upload.writeAgain()} />
  }
}

interface TransferProps {
  /** What is being done: `Checking`. */
  label: string
  /** What the sending of the file is called. */
  sending?: string
  /** How much has been sent; left out if nothing is sent. */
  progress?: FileProgress
  rows?: number
}

const NOTHING_TO_SEND: FileProgress = { part: 0, parts: 1, sent: 1 }

/** How far a file is: each part first on its way, then at work in the service, which does not say how far it is. */
function Transfer({ label, sending = 'Sending the file', progress = NOTHING_TO_SEND, rows }: TransferProps) {
  const { part, parts, sent } = progress
  // Half of the time of a part is for the way, half for the work.
  const share = parts === 1 ? sent : (part + sent / 2) / parts
  const percent = Math.round(share * 100)
  const atWork = sent === 1
  const isStill = useReducedMotion()
  const what = rows === undefined ? '' : ` ${countText(rows, 'row', 'rows')}`
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        {/* The steps are read out, not every percent. */}
        <Text role="status" fw={500}>
          {atWork || parts > 1 ? `${label}${what}…` : `${sending}…`}
          {parts > 1 && ` Part ${part + 1} of ${parts}.`}
        </Text>
        <Progress.Root size="lg">
          <Progress.Section
            value={percent}
            striped={atWork}
            animated={atWork && !isStill}
            aria-label={atWork ? `${label}, in progress` : 'Sent'}
          />
        </Progress.Root>
        <Text size="sm" c="dimmed">
          {atWork ? 'A large file takes some seconds.' : `${percent} % sent`}
        </Text>
      </Stack>
    </Paper>
  )
}
