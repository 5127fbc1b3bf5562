import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
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
}

interface LocalFile {
  /** Null for standard input. */
  path: string | null
  /** When it was written last, in milliseconds since 1970; null for standard input. */
  writtenAt: number | null
  file: File
}

const STDIN = '-'

/** How long a file must be unchanged before it is read, in milliseconds. */
const UNCHANGED_MS = 1000

/** A pattern of the last part of a path: `*` for any letters, `?` for one. */
const patternOf = (name: string): RegExp =>
  new RegExp(
    `^${name
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    process.platform === 'win32' ? 'i' : '',
  )

/** The files that an argument names. A shell may have left a pattern as it is. */
async function namedFiles(argument: string): Promise<string[]> {
  const { dir, base } = path.parse(argument)
  if (!/[*?]/.test(base)) return [argument]
  const pattern = patternOf(base)
  const names = (await readdir(dir === '' ? '.' : dir)).filter((name) => pattern.test(name))
  if (names.length === 0) throw usageError(`No file is named like ${argument}.`)
  return names.sort().map((name) => path.join(dir, name))
}

interface FileState {
  file: string
  size: number
  at: number
}

async function fileStateOf(file: string): Promise<FileState> {
  const state = await stat(file).catch(() => {
    throw usageError(`The file ${file} is missing, or it may not be read.`)
  })
  if (!state.isFile()) throw usageError(`${file} is not a file.`)
  return { file, size: state.size, at: state.mtimeMs }
}

/** Files that nobody writes at this moment, the newest first. */
async function stableFiles(files: readonly string[], output: Output): Promise<FileState[]> {
  const before = await Promise.all(files.map(fileStateOf))
  if (before.some(({ at }) => Date.now() - at < UNCHANGED_MS * 2)) await sleep(UNCHANGED_MS)
  const after = await Promise.all(files.map(fileStateOf))
  const unchanged = after.filter(({ file, size, at }, i) => {
    const isUnchanged = before[i]?.size === size && before[i]?.at === at && Date.now() - at >= UNCHANGED_MS
    if (!isUnchanged) output.note(`${file} is being written, so it is not taken.`)
    return isUnchanged
  })
  return unchanged.sort((a, b) => b.at - a.at)
}

/** The file that an argument means: the only one, or the newest. */
async function pick(argument: string, { newest }: FileOptions, output: Output): Promise<FileState> {
  const files = await namedFiles(argument)
  if (newest) {
    const [first] = await stableFiles(files, output)
    if (first === undefined)
      throw usageError(`Every file that ${argument} names is still being written. Try again later.`)
    return first
  }
  if (files.length > 1) {
    throw usageError(`${argument} names ${files.length} files. With --newest the one that was written last is taken.`)
  }
  return fileStateOf(files[0] ?? argument)
}

/** Reads the file that an argument names; `-` is standard input. @throws CliError when it is missing or too old */
export async function readLocalFile(argument: string, options: FileOptions, output: Output): Promise<LocalFile> {
  const { newest, maxAge = Number.POSITIVE_INFINITY } = options
  if (argument === STDIN) {
    if (newest || options.maxAge !== undefined)
      throw usageError('Standard input has no time: --newest and --max-age need a file.')
    if (output.shell.stdin.isTTY) throw usageError('Standard input is a terminal: name a file, or pipe one in.')
    const bytes = await untilStopped(buffer(output.shell.stdin), output.shell)
    return { path: null, writtenAt: null, file: new File([bytes], 'stdin') }
  }
  const { file, at } = await pick(argument, options, output)
  const age = Date.now() - at
  if (age > maxAge) {
    const hours = Math.floor(age / 3_600_000)
    throw new CliError(EXIT.usage, `${file} is too old: it was written ${hours} hours ago (--max-age).`, {
      file,
      written_at: new Date(at).toISOString(),
    })
  }
  return { path: file, writtenAt: at, file: new File([await readFile(file)], path.basename(file)) }
}

/** What a file of JSON has; undefined if there is no such file. @throws CliError 2 when it is not JSON */
export async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    if (error instanceof SyntaxError) throw usageError(`${file} is not JSON: ${error.message}`)
    throw error
  }
}

/** Writes a file whole or not at all. */
export async function writeWhole(
  file: string,
  content: string | Uint8Array | AsyncIterable<string | Uint8Array>,
  mode = 0o666,
): Promise<void> {
  const part = `${file}.${process.pid}.part`
  try {
    await writeFile(part, content, { mode })
    await rename(part, file)
  } finally {
    await rm(part, { force: true })
  }
}
