import { readFile, realpath } from 'node:fs/promises'
import { isSystemError, usageError } from './exits'

/** @throws CliError 2 when a command would write over the file that it reads */
export async function requireOtherFile(
  source: string | null,
  option: string,
  target: string | undefined,
): Promise<void> {
  if (source === null || target === undefined) return
  if ((await realpath(source)) === (await realpath(target).catch(() => ''))) {
    throw usageError(`${option} ${target} is the input file, which would be lost. Name another file.`)
  }
}

/** What a file of JSON has; null if there is no such file. @throws CliError 2 when it is not JSON */
export async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''))
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return null
    if (error instanceof SyntaxError) throw usageError(`${file} is not JSON: ${error.message}`)
    throw error
  }
}
