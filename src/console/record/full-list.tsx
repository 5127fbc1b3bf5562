import { Button, Group } from '@mantine/core'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { useDownload } from '../use-download'
import { Problem } from '../widgets/problem'

interface FullListProps {
  /** Says what the list is. */
  children: ReactNode
  fileName: string
  /** The full list, as CSV; undefined while there is none. */
  getFile: (() => Promise<Blob>) | undefined
}

/** The line above a list that is shown in part, with a button that downloads all of it. */
export function FullListHeading({ children, fileName, getFile }: FullListProps) {
  const download = useDownload()
  return (
    <>
      <Group justify="space-between">
        {children}
        {getFile !== undefined && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Download size={14} />}
            loading={download.isPending}
            onClick={() => download.mutate(async () => ({ name: fileName, content: await getFile() }))}
          >
            Download the full list
          </Button>
        )}
      </Group>
      {download.error !== null && <Problem title="The list could not be downloaded" error={download.error} />}
    </>
  )
}
