import type { GivenFile } from '#files/fix/errors-file'

/** How long a browser may take to begin with a download, in milliseconds. */
const BEGINNING_MS = 60_000

/** Gives the person a file, as a download. */
export function saveFile({ name, content }: GivenFile): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), BEGINNING_MS)
}
