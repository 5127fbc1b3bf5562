import type { CatalogClient } from '#client/catalog-client'
import type { Plan, Stop, SyncPolicy, SyncResult } from '#client/sync'
import { CHANGES, type Change } from '#shared/records/change'
import { RECORD_TYPES, type RecordType, type RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { counted } from '#shared/records/warnings'
import { CommandEnd, EXIT, type ExitCode, isSystemError, wrongUse } from './exits'
import { type FileOptions, type LocalFile, moveInto, readLocalFile, writeWhole } from './files'
import type { Output } from './output'
import { type ReadingOptions, readValidFile, type ValidFile } from './reading'

export interface PushOptions extends Omit<FileOptions, 'maxAge'>, ReadingOptions {
  maxAge?: number
  reconcile?: boolean
  maxShrink?: number
  confirmShrink?: boolean
  /** Names of fields, or `all`. */
  allowEmptied?: readonly string[]
  dryRun?: boolean
  diff?: string
  exitCode?: boolean
  moveTo?: string
  errors?: string
}

/** @throws CommandEnd 2 for a name that no catalog has */
export function typeNamed(name: string): RecordType & { name: RecordTypeName } {
  const found = RECORD_TYPES.find((known) => known === name)
  if (found === undefined)
    throw wrongUse(`There is no catalog “${name}”. The catalogs are ${RECORD_TYPES.join(', ')}.`)
  return recordTypes[found]
}

type Counts = Pick<Plan, Change | 'total' | 'unchanged'>

/** Records that a write changes. */
export const changesOf = ({ inserted, updated, unchanged, reactivated, deactivated }: Counts): number =>
  inserted + updated - unchanged + reactivated + deactivated

/** `12 inserted, 3 updated, 40 unchanged`. */
export function countsText(counts: Counts): string {
  const changed = { ...counts, updated: counts.updated - counts.unchanged }
  const parts = CHANGES.filter((name) => changed[name] > 0).map((name) => `${changed[name]} ${name}`)
  return [...parts, `${counts.unchanged} unchanged`].join(', ')
}

const stopText = (stop: Stop): string =>
  stop.code === 'shrink_guard'
    ? `${stop.would_deactivate} of ${stop.active_before} active records would be deactivated. If that is right: --confirm-shrink.`
    : `${counted(stop.count, 'record')} would lose their ${stop.field}. If that is right: --allow-emptied ${stop.field}.`

function policyOf(options: PushOptions, output: Output): SyncPolicy {
  const { reconcile, maxShrink, confirmShrink, allowEmptied = [], dryRun } = options
  return {
    mode: reconcile ? 'reconcile' : 'upsert',
    allowEmptied: allowEmptied.includes('all') ? 'all' : allowEmptied,
    onProgress: output.progress,
    ...(maxShrink !== undefined && { maxShrink }),
    ...(confirmShrink && { confirmShrink }),
    ...(dryRun && { dryRun }),
  }
}

/** What a command says of a result, and how it ends. */
function endOfSync(results: readonly SyncResult[], options: PushOptions): { text: string; exit: ExitCode } {
  const last = results.at(-1)
  if (last === undefined) throw new Error('nothing was sent')
  const { outcome, plan, stops, written, waiting } = last
  const what = stops.map(stopText)
  if (outcome === 'stopped') {
    const before = results.length > 1 ? ` ${counted(results.length - 1, 'part')} before it written.` : ''
    const file =
      waiting === null
        ? ''
        : ` The file waits${waiting.heldUntil === null ? '' : ` until ${waiting.heldUntil}`}: dcs approve ${waiting.uploadId}`
    return { text: `Stopped, nothing was written.${before} ${what.join(' ')}${file}`, exit: EXIT.stopped }
  }
  if (outcome === 'planned') {
    const pending = results.some((result) => changesOf(result.plan) > 0)
    const warning = stops.length > 0 ? ` It would be stopped: ${what.join(' ')}` : ''
    const text = `${counted(plan.total, 'record')}: ${countsText(plan)}. This was a dry run.${warning}`
    return { text, exit: pending && options.exitCode ? EXIT.pending : EXIT.done }
  }
  const found = written?.lookedUp ? ' Its answer was lost; the write was found.' : ''
  const counts = written ?? plan
  return {
    text: `${counted(counts.total, 'record')}: ${countsText(counts)}. The revision is ${counts.revision}.${found}`,
    exit: EXIT.done,
  }
}

/** Writes the list of changes into a file. */
async function writeDiff(
  client: CatalogClient,
  type: RecordTypeName,
  { parts, name }: ValidFile,
  { diff, reconcile }: PushOptions,
): Promise<void> {
  const [part, ...more] = parts
  if (diff === undefined || part === undefined) return
  if (more.length > 0) throw wrongUse('--diff takes files of one request: 50,000 rows and 10 MB.')
  const list = await client.file('post', '/admin/datasets/v1/', {
    query: { type, mode: reconcile ? 'reconcile' : 'upsert', dry_run: true, include: 'diff', format: 'csv' },
    body: { file: part.content, fileName: name },
    gzip: true,
  })
  await writeWhole(diff, new Uint8Array(await (await list.blob()).arrayBuffer()))
}

async function syncParts(
  client: CatalogClient,
  type: RecordTypeName,
  { parts, name }: ValidFile,
  policy: SyncPolicy,
  output: Output,
): Promise<SyncResult[]> {
  if (parts.length > 1 && policy.mode === 'reconcile') {
    throw new CommandEnd(
      EXIT.invalid,
      `${name} is larger than one request takes (50,000 rows and 10 MB), and a whole catalog must come in one.`,
    )
  }
  const results: SyncResult[] = []
  for (const { content, firstRow, lastRow } of parts) {
    if (parts.length > 1) output.note(`Rows ${firstRow} to ${lastRow}`)
    const result = await client.sync(type, { file: content, fileName: name }, policy)
    results.push(result)
    if (result.outcome === 'stopped') break
  }
  return results
}

/** Moves a file that is written to where it should go. @returns where it is now, or why it is not there */
async function moveWritten(
  { path }: LocalFile,
  { moveTo }: PushOptions,
): Promise<{ moved_to?: string; fault?: string }> {
  if (moveTo === undefined || path === null) return {}
  try {
    return { moved_to: await moveInto(moveTo, path) }
  } catch (error) {
    if (!isSystemError(error)) throw error
    return { fault: error.message }
  }
}

/** Brings a catalog to the state of a file. @returns how the command ends */
export async function push(
  client: CatalogClient,
  typeName: string,
  argument: string,
  options: PushOptions,
  output: Output,
): Promise<ExitCode> {
  const type = typeNamed(typeName)
  const local = await readLocalFile(argument, options, output)
  output.note(`Reading ${local.path ?? 'standard input'}`)
  const valid = await readValidFile(local.file, type, options)
  output.note(`${counted(valid.rows, 'row')} without errors. Asking what would change.`)
  await writeDiff(client, type.name, valid, options)
  const results = await syncParts(client, type.name, valid, policyOf(options, output), output)
  for (const { field, msg } of results.flatMap(({ plan }) => plan.warnings)) output.note(`${field}: ${msg}`)
  const { text, exit } = endOfSync(results, options)
  const isWritten = results.every(({ outcome }) => outcome === 'written')
  const moved = isWritten ? await moveWritten(local, options) : {}
  if (moved.moved_to !== undefined) output.note(`${local.path} is now ${moved.moved_to}.`)
  const fault = moved.fault === undefined ? '' : ` But the file could not be moved: ${moved.fault}`
  const ends = moved.fault === undefined ? exit : EXIT.usage
  await output.result(`${type.name}: ${text}${fault}`, {
    exit: ends,
    type: type.name,
    file: local.path,
    rows: valid.rows,
    results,
    ...moved,
  })
  return ends
}

/** Checks a file as `push` does, without a service. */
export async function validate(
  typeName: string,
  argument: string,
  options: PushOptions,
  output: Output,
): Promise<ExitCode> {
  const type = typeNamed(typeName)
  const local = await readLocalFile(argument, options, output)
  const { name, rows } = await readValidFile(local.file, type, options)
  await output.result(`${name}: ${counted(rows, 'row')}, no errors.`, {
    exit: EXIT.done,
    type: type.name,
    file: name,
    rows,
  })
  return EXIT.done
}
