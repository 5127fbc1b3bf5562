import { Button, type ButtonProps } from '@mantine/core'
import { Download } from 'lucide-react'
import type { OutputFile } from '#files/fix/errors-file'
import { useDownload } from '../use-download'
import { Problem } from './problem'

interface DownloadButtonProps extends Pick<ButtonProps, 'size' | 'className'> {
  children: string
  getFile: () => Promise<OutputFile>
}

/** Makes a file and gives it to the person, or says why there is none. */
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
      {error !== null && <Problem title="The file could not be made" error={error} />}
    </>
  )
}
