import { fsyncSync, ftruncateSync } from 'node:fs'
import { open } from 'node:fs/promises'
import Papa from 'papaparse'
import type { CatalogClient, Position } from '#client/catalog-client'
import { textWorkbook } from '#files/workbook/text-workbook'
import type { RecordTypeName } from '#shared/records/record-type'
import { countText } from '#shared/records/warnings'
import { EXIT, type ExitCode, isSystemError, usageError } from './exits'
import { readJson, writeWhole } from './files'
import type { Output } from './output'
import type { Connection } from './settings'

type PullFormat = 'csv' | 'xlsx' | 'ndjson'

async function* contentOf(
  client: CatalogClient,
  type: RecordTypeName,
  format: PullFormat,
): AsyncGenerator<string | Uint8Array> {
  if (format === 'ndjson') {
    for await (const record of client.records(type)) yield `${JSON.stringify(record)}\n`
    return
  }
  const { stream, blob } = await client.file('get', '/admin/datasets/v1/', { query: { type, format: 'csv' } })
  if (format === 'csv') yield* stream
  else {
    const { data } = Papa.parse<string[]>(await (await blob()).text(), { skipEmptyLines: true })
    yield new Uint8Array(await textWorkbook([{ name: type, rows: data }]).arrayBuffer())
  }
}

interface PullOptions {
  format: PullFormat
  /** A file that is written whole or not at all. */
  output?: string
}

/** Writes the active records of a catalog to stdout or into a file. */
export async function pull(
  { client }: Connection,
  output: Output,
  type: RecordTypeName,
  { format, output: file }: PullOptions,
): Promise<ExitCode> {
  const content = contentOf(client, type, format)
  if (file !== undefined) await writeWhole(file, content)
  else for await (const piece of content) await output.write(piece)
  return EXIT.done
}

const isPosition = (value: unknown): value is Position =>
  typeof value === 'object' &&
  value !== null &&
  'revision' in value &&
  typeof value.revision === 'number' &&
  'epoch' in value &&
  typeof value.epoch === 'string'

/** @returns null if there is no such file, because the copy is new */
async function readState(file: string): Promise<Position | null> {
  const state = await readJson(file).catch((error: unknown) => {
    if (isSystemError(error)) throw error
  })
  if (state === null) return null
  if (isPosition(state)) return state
  throw usageError(`${file} is not the state of a mirror: it is empty or damaged. Delete it to make the copy again.`)
}

/** A look into a file for the end of its last whole line, in bytes. */
const TAIL_BYTES = 65_536

/**
 * Removes a line of an earlier run that has no end, because a disk was full or the power failed. Its record
 * comes again.
 *
 * @param stdout is only written, so the file is opened once more (Linux)
 */
async function removeHalfLine(stdout: number, output: Output): Promise<void> {
  const file = await open(`/dev/fd/${stdout}`, 'r').catch(() => undefined)
  if (file === undefined) return
  const { size } = await file.stat()
  let end = size
  for (let isFound = false; !isFound && end > 0; ) {
    const start = Math.max(0, end - TAIL_BYTES)
    const { buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
    const at = buffer.lastIndexOf('\n')
    isFound = at !== -1
    end = isFound ? start + at + 1 : start
  }
  await file.close()
  if (end === size) return
  ftruncateSync(stdout, end)
  output.say('The last line was not whole, so it is removed: its record comes again.')
}

/**
 * Writes what has changed since the last run to stdout, a line for each record. The state is saved last, and whole or
 * not at all, so that a run that is killed is repeated by the next one.
 */
export async function changes(
  { client }: Connection,
  output: Output,
  type: RecordTypeName,
  { state }: { state: string },
): Promise<ExitCode> {
  const { stdoutFile } = output.shell
  const position = await readState(state)
  if (stdoutFile !== undefined) await removeHalfLine(stdoutFile, output)
  let count = 0
  for await (const step of client.mirror(type, position)) {
    // The copy must be emptied before what follows.
    const lines = step.isFresh ? [{ change: 'cleared' }, ...step.changes] : step.changes
    for (const line of lines) await output.write(`${JSON.stringify(line)}\n`)
    count += step.changes.length
    if (step.position === null) continue
    // The lines must be there before the state says so.
    if (stdoutFile !== undefined) fsyncSync(stdoutFile)
    await writeWhole(state, `${JSON.stringify(step.position)}\n`)
  }
  output.note(countText(count, 'change'))
  return EXIT.done
}
