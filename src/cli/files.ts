import { readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { CliError, EXIT, isSystemError, usageError } from './exits'
import type { Output } from './output'
import { untilStopped } from './shell'

export interface FileOptions {
  /** Takes the file that was written last, if a pattern names several. */
  newest?: boolean
  /** A file that was written longer ago is too old, in milliseconds. */
  maxAge?: number
  /** A file that the export writes last; `*` stands for the name of the export without its ending. */
  doneFile?: string
}

export interface LocalFile {
  /** Null for standard input. */
  path: string | null
  /** When it was written last, in milliseconds since 1970; null for standard input. */
  writtenAt: number | null
  file: File
  /** @throws CliError 2 when it has been written since it was read */
  requireUnchanged(): Promise<void>
}

const STDIN = '-'

/** How long the newest file must be unchanged before it is read, in milliseconds. */
const UNCHANGED_MS = 5000

/** Clocks of two machines that differ by more are wrong, in milliseconds. */
const CLOCKS_MS = 5 * 60_000

/** A pattern of the last part of a path: `*` for any letters, `?` for one. */
const patternOf = (name: string): RegExp =>
  new RegExp(
    `^${name
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    process.platform === 'win32' ? 'is' : 's',
  )

interface FileState {
  file: string
  size: number
  at: number
}

/** @throws CliError 2 for what is no file */
async function fileStateOf(file: string): Promise<FileState> {
  const state = await stat(file).catch(() => {
    throw usageError(`The file ${file} is missing, or it may not be read.`)
  })
  if (!state.isFile()) throw usageError(`${file} is not a file.`)
  return { file, size: state.size, at: state.mtimeMs }
}

/** The files that an argument names, the newest first. A shell may have left a pattern as it is. */
async function namedFiles(argument: string, output: Output): Promise<FileState[]> {
  const { dir, base } = path.parse(argument)
  if (!/[*?]/.test(base)) return [await fileStateOf(argument)]
  const pattern = patternOf(base)
  const names = (await readdir(dir === '' ? '.' : dir)).filter((name) => pattern.test(name)).sort()
  const states = await Promise.all(
    names.map((name) =>
      fileStateOf(path.join(dir, name)).catch((error: CliError) => output.note(`Left out: ${error.message}`)),
    ),
  )
  const files = states.filter((state) => state !== undefined)
  if (files.length === 0) throw usageError(`No file is named like ${argument}.`)
  return files.sort((a, b) => b.at - a.at)
}

const timeText = (at: number): string => new Date(at).toISOString()

/** @throws CliError 2 for a file that is too old, or whose age nobody can tell */
function requireFresh({ file, at }: FileState, maxAge: number, output: Output): void {
  const now = Date.now()
  const times = `it was written at ${timeText(at)}, and here it is ${timeText(now)}`
  const refused = (why: string) => new CliError(EXIT.usage, why, { file, written_at: timeText(at) })
  if (now - at > maxAge) throw refused(`${file} is too old (--max-age): ${times}.`)
  if (at - now > CLOCKS_MS) throw refused(`The age of ${file} is not known, because the clocks differ: ${times}.`)
  if (at - now > UNCHANGED_MS) output.note(`The clock of ${file} is another one: ${times}.`)
}

/** @throws CliError 2 when the export has not written its marker since it has written the file */
async function requireDone({ file, at }: FileState, doneFile: string): Promise<void> {
  const marker = doneFile.replace('*', path.parse(file).name)
  const state = await stat(marker).catch(() => undefined)
  if (state !== undefined && state.mtimeMs >= at) return
  const why = state === undefined ? 'is missing' : `is older: ${timeText(state.mtimeMs)}, not ${timeText(at)}`
  throw usageError(`${file} is not finished: ${marker} ${why}.`)
}

const requireSame = async ({ file, size, at }: FileState, when: string): Promise<void> => {
  const state = await fileStateOf(file)
  if (state.size === size && state.at === at) return
  throw usageError(`${file} is still being written: it has changed ${when}. Nothing was sent; run the command again.`)
}

/** The file that an argument means: the only one, or the newest. An older one never stands in for it. */
async function pick(argument: string, options: FileOptions, output: Output): Promise<FileState> {
  const { newest, maxAge, doneFile } = options
  const [first, ...others] = await namedFiles(argument, output)
  if (first === undefined) throw usageError(`No file is named like ${argument}.`)
  if (others.length > 0 && !newest) {
    throw usageError(
      `${argument} names ${others.length + 1} files. With --newest the one that was written last is taken.`,
    )
  }
  if (maxAge !== undefined) requireFresh(first, maxAge, output)
  if (doneFile !== undefined) await requireDone(first, doneFile)
  else if (newest && Math.abs(Date.now() - first.at) < UNCHANGED_MS) {
    await untilStopped(sleep(UNCHANGED_MS), output.shell)
    await requireSame(first, 'within the last seconds')
  }
  return first
}

/** Reads the file that an argument names; `-` is standard input. @throws CliError when it is missing or too old */
export async function readLocalFile(argument: string, options: FileOptions, output: Output): Promise<LocalFile> {
  const { newest, maxAge, doneFile } = options
  if (newest && maxAge === undefined) {
    throw usageError('--newest needs --max-age, such as 20h: else a file of another night is taken.')
  }
  if (argument === STDIN) {
    if (maxAge !== undefined || doneFile !== undefined)
      throw usageError('Standard input has no time: --newest, --max-age and --done-file need a file.')
    if (output.shell.stdin.isTTY) throw usageError('Standard input is a terminal: name a file, or pipe one in.')
    const bytes = await untilStopped(buffer(output.shell.stdin), output.shell)
    return { path: null, writtenAt: null, file: new File([bytes], 'stdin'), requireUnchanged: async () => {} }
  }
  const state = await pick(argument, options, output)
  const { file, at } = state
  const content = new File([await readFile(file)], path.basename(file))
  return { path: file, writtenAt: at, file: content, requireUnchanged: () => requireSame(state, 'while it was read') }
}

/** @throws CliError 2 when a command would write over the file that it reads */
export async function requireOtherFile(
  source: string | null,
  option: string,
  target: string | undefined,
): Promise<void> {
  if (source === null || target === undefined) return
  if ((await realpath(source)) === (await realpath(target).catch(() => ''))) {
    throw usageError(`${option} ${target} is the file that is read: it would be lost. Name another one.`)
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

/** Writes a file whole or not at all, also when the power fails. */
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
