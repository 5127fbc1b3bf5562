import { Button, type ButtonProps, Group } from '@mantine/core'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OutputFile } from '#files/fix/errors-file'
import { useDownload } from '../use-download'
import { Problem } from './problem'

interface DownloadButtonProps extends Pick<ButtonProps, 'size'> {
  children: string
  getFile: () => Promise<OutputFile>
}

/** A button that creates a file and downloads it, or shows why that failed. */
export function DownloadButton({ children, getFile, ...look }: DownloadButtonProps) {
  const { mutate, isPending, error } = useDownload()
  return (
    <>
      <Button
        {...look}
        variant="default"
        leftSection={<Download size={16} />}
        loading={isPending}
        onClick={() => mutate(getFile)}
      >
        {children}
      </Button>
      <Problem title="The file could not be created" error={error} />
    </>
  )
}

interface FullListProps {
  children: ReactNode
  fileName: string
  /** Returns the full list as CSV; undefined while it is not available. */
  getFile: (() => Promise<Blob>) | undefined
}

/** The line above a partial list, with a button to download the full list. */
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
