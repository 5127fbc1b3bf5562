import { fstatSync, fsyncSync, ftruncateSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Position } from '#client/catalog-client'
import type { RecordTypeName } from '#shared/records/record-type'
import { countText } from '#shared/records/warnings'
import { EXIT, type ExitCode, isSystemError, usageError } from './exits'
import { readJson } from './files'
import type { Output } from './output'
import type { Connection } from './settings'
import { writeWhole } from './write-whole'

/** The content of a mirror's state file. */
interface State extends Partial<Position> {
  /**
   * The file behind stdout, and its size when the state was saved. Anything after that was written by a run that did
   * not finish.
   */
  output?: { inode: number; bytes: number }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isState = (value: unknown): value is State => {
  if (!isObject(value)) return false
  const { revision, epoch, output } = value
  const hasPosition = typeof revision === 'number' && typeof epoch === 'string'
  const hasOutput = isObject(output) && typeof output.inode === 'number' && typeof output.bytes === 'number'
  return hasPosition ? output === undefined || hasOutput : hasOutput && revision === undefined
}

/** @returns an empty state if the file is missing, because the copy is new */
async function readState(file: string): Promise<State> {
  const state = await readJson(file).catch((error: unknown) => {
    if (isSystemError(error)) throw error
  })
  if (state === null) return {}
  if (isState(state)) return state
  throw usageError(`${file} is not the state of a mirror: it is empty or damaged. Delete it to make the copy again.`)
}

const positionOf = ({ revision, epoch }: State): Position | null =>
  revision === undefined || epoch === undefined ? null : { revision, epoch }

/** Beginnings of the lines that `dcs changes` writes. */
const LINE_BEGINNINGS: readonly string[] = ['{"revision":', '{"change":"cleared"}']

const LINE_BREAK = 0x0a

/** Whether a line, or the beginning of a line, was written by `dcs changes`. */
const isOwnLine = (text: string): boolean =>
  LINE_BEGINNINGS.some((beginning) => text.startsWith(beginning) || beginning.startsWith(text))

/**
 * Removes the incomplete line of a run that was ended by a full disk or a power failure. Its record is sent again. Only
 * removes output of this command: lines with its beginnings, after the size in the saved state.
 *
 * @param stdout is write-only, so the file is opened again (Linux)
 */
async function removeHalfLine(stdout: number, { output: known }: State, output: Output): Promise<void> {
  const { size, ino } = fstatSync(stdout)
  if (known === undefined || known.inode !== ino || known.bytes >= size) return
  const file = await open(`/dev/fd/${stdout}`, 'r').catch(() => undefined)
  if (file === undefined) return
  const { buffer } = await file.read(Buffer.alloc(size - known.bytes), 0, size - known.bytes, known.bytes)
  await file.close()
  const end = buffer.lastIndexOf(LINE_BREAK) + 1
  const lines = buffer.toString('utf8').split('\n')
  if (end === buffer.length || !lines.every((line) => line === '' || isOwnLine(line))) return
  ftruncateSync(stdout, known.bytes + end)
  output.say('The last line was incomplete, so dcs removed it. Its record is sent again.')
}

/**
 * Writes the changes since the last run to stdout, one line per record. The state is saved last and atomically, so if a
 * run is killed, the next run repeats it.
 */
export async function changes(
  { client }: Connection,
  output: Output,
  type: RecordTypeName,
  { state: stateFile }: { state: string },
): Promise<ExitCode> {
  const { stdoutFile } = output.shell
  const state = await readState(stateFile)
  const save = async (position: Position | null) => {
    if (stdoutFile === undefined) return writeWhole(stateFile, `${JSON.stringify(position)}\n`)
    // The lines must be on disk before the state says so.
    fsyncSync(stdoutFile)
    const { ino: inode, size: bytes } = fstatSync(stdoutFile)
    await writeWhole(stateFile, `${JSON.stringify({ ...position, output: { inode, bytes } })}\n`)
  }
  if (stdoutFile !== undefined) {
    await removeHalfLine(stdoutFile, state, output)
    // Tells the next run where the output of this run begins.
    await save(positionOf(state))
  }
  let count = 0
  for await (const step of client.mirror(type, positionOf(state))) {
    // The copy must be emptied before the following changes.
    const lines = step.isFresh ? [{ change: 'cleared' }, ...step.changes] : step.changes
    for (const line of lines) await output.write(`${JSON.stringify(line)}\n`)
    count += step.changes.length
    if (step.position !== null) await save(step.position)
  }
  output.note(countText(count, 'change'))
  return EXIT.done
}
