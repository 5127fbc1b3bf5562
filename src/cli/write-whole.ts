import { rename, rm, writeFile } from 'node:fs/promises'

/** Writes a file atomically, even if the power fails. */
export async function writeWhole(
  file: string,
  content: string | Uint8Array | AsyncIterable<string | Uint8Array>,
  mode = 0o666,
): Promise<void> {
  const part = `${file}.${process.pid}.part`
  try {
    await writeFile(part, content, { mode, flush: true })
    await rename(part, file)
  } finally {
    await rm(part, { force: true })
  }
}
