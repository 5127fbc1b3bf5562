import { readFile, realpath } from 'node:fs/promises'
import { isSystemError, usageError } from './exits'

/** @throws CliError 2 if a command would overwrite its input file */
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

/** The content of a JSON file; null if it is missing. @throws CliError 2 if it is not JSON */
export async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''))
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return null
    if (error instanceof SyntaxError) throw usageError(`${file} is not JSON: ${error.message}`)
    throw error
  }
}
