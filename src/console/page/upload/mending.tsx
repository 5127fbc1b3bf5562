import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { Copy, Download, Search } from 'lucide-react'
import { saveFile } from '../save-file'
import { Problem } from '../shell/problem'
import { valueText } from '../wording'
import type { ChosenFile } from './chosen-file'
import type { Fault } from './faults'
import { fileWithFaults } from './faults-file'

/** Tab-separated, as spreadsheet programs take it from the clipboard. */
const clipboardText = (faults: readonly Fault[]): string =>
  [
    ['Row', 'Field', 'Reason', 'Value'],
    ...faults.map(({ row, field, message, value }) => [row ?? '', field ?? '', message, valueText(value)]),
  ]
    .map((cells) => cells.map((cell) => String(cell).replace(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n')

interface MendingProps {
  file: ChosenFile
  faults: readonly Fault[]
  shown: readonly Fault[]
  filter: string
  onFilter: (filter: string) => void
}

/** What helps to mend a file: a filter, the list for the clipboard, the file with the faults in it. */
export function Mending({ file, faults, shown, filter, onFilter }: MendingProps) {
  const clipboard = useClipboard()
  const download = useMutation({
    mutationFn: () => fileWithFaults(file, faults),
    onSuccess: ({ name, content }) => saveFile(content, name),
  })
  return (
    <Stack gap="sm">
      <Group align="flex-end">
        <TextInput
          label="Filter"
          placeholder="Row, field, reason or value"
          leftSection={<Search size={16} aria-hidden />}
          value={filter}
          onChange={(event) => onFilter(event.currentTarget.value)}
          flex="1 1 220px"
        />
        <Button
          variant="default"
          leftSection={<Copy size={16} aria-hidden />}
          onClick={() => clipboard.copy(clipboardText(shown))}
        >
          {clipboard.copied ? 'Copied' : 'Copy the list'}
        </Button>
        <Button
          leftSection={<Download size={16} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          Download the file with its errors
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        The download is your file with one more column, “_errors”. Mend it, leave that column or not, and
        upload it here.
      </Text>
      {download.error !== null && <Problem title="The file could not be made" error={download.error} />}
    </Stack>
  )
}
