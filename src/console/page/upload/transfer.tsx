import { Paper, Progress, Stack, Text } from '@mantine/core'
import { countText } from '../wording'

interface TransferProps {
  /** What is being done: `Checking`. */
  label: string
  /** Share of the file that has been sent, 0 to 1; left out where nothing is sent. */
  sent?: number
  rows?: number
}

/** How far a file is: first on its way, then at work in the service, which does not say how far it is. */
export function Transfer({ label, sent = 1, rows }: TransferProps) {
  const percent = Math.round(sent * 100)
  const atWork = sent === 1
  const what = rows === undefined ? '' : ` ${countText(rows, 'row', 'rows')}`
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        {/* The steps are read out, not every percent. */}
        <Text role="status" fw={500}>
          {atWork ? `${label}${what}…` : 'Sending the file…'}
        </Text>
        <Progress.Root size="lg">
          <Progress.Section
            value={percent}
            striped={atWork}
            animated={atWork}
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
