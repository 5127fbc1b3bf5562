import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { DownloadButton } from '../widgets/download-button'

interface FullListProps {
  /** Says what the list is. */
  children: ReactNode
  fileName: string
  /** The full list, as CSV; undefined while there is none. */
  getFile: (() => Promise<Blob>) | undefined
}

/** The line above a list that is shown in part, with a button that downloads all of it. */
export const FullListHeading = ({ children, fileName, getFile }: FullListProps) => (
  <Group justify="space-between">
    {children}
    {getFile !== undefined && (
      <DownloadButton size="xs" getFile={async () => ({ name: fileName, content: await getFile() })}>
        Download the full list
      </DownloadButton>
    )}
  </Group>
)
