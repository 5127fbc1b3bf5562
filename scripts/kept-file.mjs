/** Files of JSON with what is shown only once. */
import { readFile, rename, writeFile } from 'node:fs/promises'

/** @returns {Promise<any>} undefined when there is no such file */
export async function readKept(file) {
  let text
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file} is damaged. Delete it; what it held is made again.`, { cause })
  }
}

/** Writes the whole file or nothing. Only its owner can read it. */
export async function keep(file, content) {
  const unfinished = `${file}.new`
  await writeFile(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  await rename(unfinished, file)
}
