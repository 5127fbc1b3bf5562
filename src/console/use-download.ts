import { useMutation } from '@tanstack/react-query'
import type { OutputFile } from '#files/fix/errors-file'

/** Makes a file and gives it to the person. */
export const useDownload = () =>
  useMutation({ mutationFn: (make: () => Promise<OutputFile>) => make(), onSuccess: saveFile })

/** How long a browser may take to begin with a download, in milliseconds. */
const BEGINNING_MS = 60_000

/** Gives the person a file, as a download. */
export function saveFile({ name, content }: OutputFile): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), BEGINNING_MS)
}
