import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { CliError, EXIT, usageError } from './exits'
import type { Output } from './output'
import { untilStopped } from './shell'

/** The input file of a command: a name, the newest match of a pattern, or standard input. */

export interface FileOptions {
  /** Uses the most recently modified file if a pattern matches several. */
  newest?: boolean
  /** Longest time since the file was modified, in milliseconds. */
  maxAge?: number
  /** A marker file that the export writes last; `*` stands for the input file's name without its extension. */
  doneFile?: string
}

export interface LocalFile {
  /** Null for standard input. */
  path: string | null
  /** Time of the last modification, in milliseconds since 1970; null for standard input. */
  writtenAt: number | null
  file: File
  /** Why the file is outdated, as a sentence: it was replaced, or a newer file exists. Undefined if it is not. */
  changeSince(): Promise<string | undefined>
}

const STDIN = '-'

/** How long the newest file must be unchanged before it is read, in milliseconds. */
const UNCHANGED_MS = 5000

/** Largest difference between the clocks of two machines, in milliseconds. Beyond it, one of them is wrong. */
export const CLOCKS_MS = 5 * 60_000

/** A regular expression for the last part of a path: `*` for any characters, `?` for one. */
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
  /** Device and inode identify the file, whatever its path: a replacement has a different inode. */
  device: number
  inode: number
}

/** @throws CliError 2 if it is not a file */
async function fileStateOf(file: string): Promise<FileState> {
  const state = await stat(file).catch(() => {
    throw usageError(`The file ${file} is missing or cannot be read.`)
  })
  if (!state.isFile()) throw usageError(`${file} is not a file.`)
  const { size, mtimeMs: at, dev: device, ino: inode } = state
  return { file, size, at, device, inode }
}

const isSameFile = (a: FileState, b: FileState): boolean => a.device === b.device && a.inode === b.inode

const isUnchanged = (a: FileState, b: FileState): boolean => isSameFile(a, b) && a.size === b.size && a.at === b.at

/** A match of a pattern: a file, or an entry that cannot be read as one. */
type Match = { file: string; at: number } & ({ state: FileState } | { problem: string })

async function matchOf(file: string): Promise<Match> {
  try {
    const state = await fileStateOf(file)
    return { file, at: state.at, state }
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    // A broken link has its own time. An entry without a time may be newer than everything else.
    const at = await lstat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    )
    return { file, at, problem: error.message }
  }
}

const timeText = (at: number): string => (Number.isFinite(at) ? new Date(at).toISOString() : 'unknown')

/**
 * The most recently modified match of a pattern. If it cannot be read, no older file is used instead.
 *
 * @throws CliError 2 if it is unclear which file is the newest, or if the newest cannot be read
 */
async function newestMatch(argument: string, { newest }: FileOptions, output: Output): Promise<FileState> {
  const { dir, base } = path.parse(argument)
  const pattern = patternOf(base)
  const names = (await readdir(dir === '' ? '.' : dir)).filter((name) => pattern.test(name)).sort()
  const matches = await Promise.all(names.map((name) => matchOf(path.join(dir, name))))
  const [first, second, ...others] = matches.sort((a, b) => b.at - a.at)
  if (first === undefined) throw usageError(`No file matches ${argument}.`)
  if (second !== undefined && !newest) {
    throw usageError(
      `${argument} matches ${others.length + 2} files. To use the most recently modified one, add --newest.`,
    )
  }
  if ('problem' in first) {
    const instead = second === undefined ? '' : ' It is the newest match, and dcs sends no older file instead.'
    throw usageError(first.problem + instead)
  }
  const { state } = first
  if (second?.at === first.at && !('state' in second && isSameFile(second.state, state))) {
    throw usageError(
      `${first.file} and ${second.file} have the same time (${timeText(first.at)}), so it is not clear which one is ` +
        'newer. Nothing was sent. Remove the older one.',
    )
  }
  for (const match of [second, ...others]) if (match && 'problem' in match) output.note(`Ignored: ${match.problem}`)
  return state
}

const namedFile = (argument: string, options: FileOptions, output: Output): Promise<FileState> =>
  /[*?]/.test(path.basename(argument)) ? newestMatch(argument, options, output) : fileStateOf(argument)

/** @throws CliError 2 if the file is too old, or if its age is unknown */
function requireFresh({ file, at }: FileState, maxAge: number, output: Output): void {
  const now = Date.now()
  const times = `it was modified at ${timeText(at)}, and the time here is ${timeText(now)}`
  const refused = (why: string) => new CliError(EXIT.usage, why, { file, written_at: timeText(at) })
  if (now - at > maxAge) throw refused(`${file} is too old (--max-age): ${times}.`)
  if (at - now > CLOCKS_MS)
    throw refused(`Cannot determine the age of ${file} because its time is in the future: ${times}.`)
  if (at - now > UNCHANGED_MS) output.note(`${file} has the time of a different clock: ${times}.`)
}

/** @throws CliError 2 if the export has not written its marker since it wrote the file */
async function requireDone({ file, at }: FileState, doneFile: string): Promise<void> {
  const marker = doneFile.replace('*', path.parse(file).name)
  const state = await stat(marker).catch(() => undefined)
  if (state !== undefined && state.mtimeMs >= at) return
  const why = state === undefined ? 'is missing' : `is older: ${timeText(state.mtimeMs)}, not ${timeText(at)}`
  throw usageError(`${file} is not finished: ${marker} ${why}.`)
}

/** Finds the file for an argument. */
async function pick(argument: string, options: FileOptions, output: Output, signal: AbortSignal | undefined) {
  const { newest, maxAge, doneFile } = options
  const state = await namedFile(argument, options, output)
  if (maxAge !== undefined) requireFresh(state, maxAge, output)
  if (doneFile !== undefined) await requireDone(state, doneFile)
  else if (newest && Math.abs(Date.now() - state.at) < UNCHANGED_MS) {
    await untilStopped(sleep(UNCHANGED_MS), signal)
    if (!isUnchanged(state, await fileStateOf(state.file)))
      throw usageError(
        `${state.file} is still being written: it changed within the last seconds. Nothing was sent; run the ` +
          'command again.',
      )
  }
  return state
}

async function readStandardInput({ maxAge, doneFile }: FileOptions, { shell }: Output, signal?: AbortSignal) {
  if (maxAge !== undefined || doneFile !== undefined)
    throw usageError('Standard input has no time: --newest, --max-age and --done-file need a file.')
  if (shell.stdin.isTTY) throw usageError('Standard input is a terminal. Name a file, or pipe one in.')
  const bytes = await untilStopped(buffer(shell.stdin), signal)
  return { path: null, writtenAt: null, file: new File([bytes], 'stdin'), changeSince: async () => undefined }
}

/**
 * Reads the file for an argument; `-` is standard input.
 *
 * @param signal also ends the reading
 * @throws CliError 2 if it is missing or too old, or if it is unclear which file is meant
 */
export async function readLocalFile(
  argument: string,
  options: FileOptions,
  output: Output,
  signal = output.shell.signal,
): Promise<LocalFile> {
  if (options.newest && options.maxAge === undefined)
    throw usageError('--newest requires --max-age, such as 20h. Without it, an old file could be sent.')
  if (argument === STDIN) return readStandardInput(options, output, signal)
  const state = await pick(argument, options, output, signal)
  const { file, at } = state
  const content = new File([await readFile(file)], path.basename(file))
  const changeSince = async () => {
    const now = await namedFile(argument, options, output).catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error
      return error.message
    })
    if (typeof now === 'string') return now
    if (isUnchanged(now, state)) return undefined
    return now.file === file ? `${file} has changed since dcs read it.` : `${now.file} is newer than ${file}.`
  }
  return { path: file, writtenAt: at, file: content, changeSince }
}
