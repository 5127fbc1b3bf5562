import { useMutation } from '@tanstack/react-query'
import type { OutputFile } from '#files/fix/errors-file'

/** Creates a file and downloads it. */
export const useDownload = () =>
  useMutation({ mutationFn: (make: () => Promise<OutputFile>) => make(), onSuccess: saveFile })

const BEGINNING_MS = 60_000

/** Downloads a file. */
export function saveFile({ name, content }: OutputFile): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), BEGINNING_MS)
}
