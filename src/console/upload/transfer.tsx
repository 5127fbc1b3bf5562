import { Paper, Progress, Stack, Text } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { countText } from '../wording'
import type { Progress as FileProgress } from './process/stage'

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
export function Transfer({
  label,
  sending = 'Sending the file',
  progress = NOTHING_TO_SEND,
  rows,
}: TransferProps) {
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
