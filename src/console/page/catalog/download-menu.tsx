import { Button, Menu, VisuallyHidden } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ChevronDown, Download } from 'lucide-react'
import type { RecordType } from '#records/record-type'
import { saveFile } from '../save-file'
import { useSession } from '../session'
import { Problem } from '../shell/problem'

interface Choice {
  label: string
  q?: string
  inactive?: boolean
}

/** A catalog, or what was found in it, as a file for a spreadsheet, in which no value runs as a formula. */
export function DownloadMenu({ type, q }: { type: RecordType; q: string }) {
  const { client } = useSession()
  const download = useMutation({
    mutationFn: async ({ q, inactive }: Choice) => {
      const file = await client.file('get', '/admin/datasets/v1/', {
        query: { type: type.name, format: 'csv', safe: '1', q, show_inactive: inactive ? '1' : undefined },
      })
      saveFile(await file.blob(), `${type.name}.csv`)
    },
  })
  const choices: Choice[] = [
    { label: `All active ${type.plural}` },
    { label: `All ${type.plural}, inactive ones too`, inactive: true },
  ]
  if (q.trim() !== '') {
    choices.unshift(
      { label: 'Active records that were found', q },
      { label: 'All records found, inactive ones too', q, inactive: true },
    )
  }
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            variant="default"
            loading={download.isPending}
            leftSection={<Download size={16} aria-hidden />}
            rightSection={<ChevronDown size={16} aria-hidden />}
          >
            Download as CSV
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {choices.map((choice) => (
            <Menu.Item key={choice.label} onClick={() => download.mutate(choice)}>
              {choice.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <VisuallyHidden role="status">
        {download.isPending ? 'The file is being made.' : download.isSuccess ? 'The file is ready.' : ''}
      </VisuallyHidden>
      {download.error !== null && <Problem title="The file could not be downloaded" error={download.error} />}
    </>
  )
}
