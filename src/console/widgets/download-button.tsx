import { Button, type ButtonProps } from '@mantine/core'
import { Download } from 'lucide-react'
import type { OutputFile } from '#files/fix/errors-file'
import { useDownload } from '../use-download'
import { Problem } from './problem'

interface DownloadButtonProps extends Pick<ButtonProps, 'size' | 'className'> {
  children: string
  getFile: () => Promise<OutputFile>
}

/** A button that creates a file and downloads it, or says why that failed. */
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
      {error !== null && <Problem title="The file could not be created" error={error} />}
    </>
  )
}
