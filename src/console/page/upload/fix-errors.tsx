import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { Copy, Download, Search } from 'lucide-react'
import { saveFile } from '../save-file'
import { Problem } from '../shell/problem'
import { valueText } from '../wording'
import type { ChosenFile } from './chosen-file'
import { fileWithErrors } from './errors-file'
import type { RowError } from './row-errors'

/** Tab-separated, as spreadsheet programs take it from the clipboard. */
const clipboardText = (errors: readonly RowError[]): string =>
  [
    ['Row', 'Field', 'Reason', 'Value'],
    ...errors.map(({ row, field, message, value }) => [row ?? '', field ?? '', message, valueText(value)]),
  ]
    .map((cells) => cells.map((cell) => String(cell).replace(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n')

interface FixErrorsProps {
  file: ChosenFile
  errors: readonly RowError[]
  shown: readonly RowError[]
  filter: string
  onFilter: (filter: string) => void
}

/** Tools for fixing a file: a filter, the list for the clipboard, the file with the errors in it. */
export function FixErrors({ file, errors, shown, filter, onFilter }: FixErrorsProps) {
  const clipboard = useClipboard()
  const download = useMutation({
    mutationFn: () => fileWithErrors(file, errors),
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
        The download is your file with one more column, “_errors”. Fix the rows and upload the file here. You
        can keep that column or delete it.
      </Text>
      {download.error !== null && <Problem title="The file could not be made" error={download.error} />}
    </Stack>
  )
}
