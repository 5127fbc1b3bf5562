import { rm } from 'node:fs/promises'
import type { CatalogClient, SyncPolicy, SyncResult, WriteResult } from '#client/catalog-client'
import { hasStatus, isStale } from '#client/service-error'
import type { Part } from '#files/parts'
import { changesIn } from '#shared/records/change'
import { fieldNamed, type RecordType, type RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { countText } from '#shared/records/warnings'
import { CliError, cliErrorOf, EXIT, type ExitCode, isUncertain, usageError } from './exits'
import { type FileOptions, readLocalFile, writeWhole } from './files'
import type { Output } from './output'
import { noSuchField, type ReadingOptions, readTable, type TableFile } from './read-table'
import { requireValid } from './require-valid'
import type { Connection } from './settings'
import { countsText, stopText, sumOf } from './write-result'

export interface PushOptions extends FileOptions, ReadingOptions {
  reconcile?: boolean
  maxShrink?: number
  confirmShrink?: boolean
  maxEmptied?: number
  /** Names of fields, or `all`. */
  allowEmptied?: readonly string[]
  /** With `newest`: the file may be older than what a program has written last. */
  older?: boolean
  dryRun?: boolean
  diff?: string
  exitCode?: boolean
  errors?: string
}

/** @throws CliError 2 for options that contradict each other, or that would have no effect */
function requireConsistent(options: PushOptions, type: RecordType): void {
  const { allowEmptied = [], confirmShrink, maxShrink, maxEmptied, reconcile, dryRun } = options
  const unknownField = allowEmptied.find((name) => name !== 'all' && fieldNamed(type, name) === undefined)
  if (unknownField !== undefined) throw noSuchField('--allow-emptied', unknownField, type)
  if (confirmShrink && maxShrink !== undefined) throw usageError('--confirm-shrink makes --max-shrink meaningless.')
  if (confirmShrink && !reconcile) throw usageError('--confirm-shrink needs --reconcile: without it no guard is asked.')
  if (maxEmptied !== undefined && allowEmptied.includes('all'))
    throw usageError('--allow-emptied all makes --max-emptied meaningless.')
  if (options.exitCode && !dryRun) throw usageError('--exit-code needs --dry-run.')
  if (options.older && !options.newest) throw usageError('--older needs --newest.')
}

/** @throws CliError 3 for a file in parts that must come in one */
function requireOnePart({ parts, name }: TableFile, { reconcile, diff }: PushOptions): void {
  if (parts.length === 1 || !(reconcile || diff !== undefined)) return
  throw new CliError(
    EXIT.invalid,
    `${name} is larger than one request takes (50,000 rows and 10 MB). A whole catalog must come ` +
      'in one, and so must a file for --diff.',
  )
}

function policyOf(options: PushOptions): SyncPolicy {
  const { reconcile, maxShrink, confirmShrink, maxEmptied, allowEmptied = [], dryRun } = options
  return {
    mode: reconcile ? 'reconcile' : 'upsert',
    maxShrink,
    confirmShrink,
    maxEmptied,
    allowEmptied: allowEmptied.includes('all') ? 'all' : allowEmptied,
    dryRun,
  }
}

/** What the parts have changed, or would change. */
const answersOf = (results: readonly SyncResult[]): WriteResult[] =>
  results.flatMap((result) => {
    if (result.outcome === 'written') return [result.written]
    return result.outcome === 'planned' ? [result.plan] : []
  })

/** Says which rows of a file in parts are written, when a part is not. */
function writtenBefore(results: readonly SyncResult[], parts: readonly Part[]): string {
  const writes = answersOf(results)
  const last = parts[writes.length - 1]
  if (last === undefined) return 'Nothing was written.'
  return `Rows to ${last.lastRow} are written (${countsText(sumOf(writes))}), those after it are not.`
}

/** What the command says about the answers, and its exit code. */
function endOfPush(
  results: readonly SyncResult[],
  parts: readonly Part[],
  { exitCode }: PushOptions,
): { text: string; exit: ExitCode } {
  const last = results.at(-1)
  if (last === undefined) throw new Error('nothing was sent')
  const sum = sumOf(answersOf(results))
  if (last.outcome === 'written') {
    const text = `${countText(sum.total, 'record')}: ${countsText(sum)}. The revision is ${last.written.revision}.`
    return { text, exit: EXIT.done }
  }
  const why = last.stops.map(stopText).join(' ')
  if (last.outcome === 'stopped') {
    const { waiting } = last
    const file = waiting === null ? '' : ` The file waits until ${waiting.heldUntil}: dcs approve ${waiting.uploadId}`
    return { text: `Stopped. ${writtenBefore(results, parts)} ${why}${file}`, exit: EXIT.stopped }
  }
  const warning = why === '' ? '' : ` It would be stopped: ${why}`
  const text = `${countText(sum.total, 'record')}: ${countsText(sum)}. This was a dry run.${warning}`
  return { text, exit: changesIn(sum) > 0 && exitCode ? EXIT.pending : EXIT.done }
}

/** The error of a push that failed, with what is known about earlier parts. */
function pushError(
  error: CliError,
  results: readonly SyncResult[],
  parts: readonly Part[],
  { dryRun }: PushOptions,
): CliError {
  const before = results.length > 0 && !dryRun ? ` ${writtenBefore(results, parts)}` : ''
  const unknown =
    isUncertain(error) && !dryRun
      ? ' It is not known whether what was being sent is written; nothing is written twice.'
      : ''
  return new CliError(error.exit, error.message + before + unknown, { ...error.details, results }, error.cause)
}

/** Writes the list of changes into a file: those that were made, or those that a dry run has found. */
async function writeDiff(
  client: CatalogClient,
  type: RecordTypeName,
  { parts: [part], name }: TableFile,
  { diff, reconcile, dryRun }: PushOptions,
  results: readonly SyncResult[],
): Promise<void> {
  const [write] = dryRun ? [] : answersOf(results)
  if (diff === undefined || part === undefined || !(dryRun || write?.batch_id)) return
  const list = write?.batch_id
    ? await client.file('get', '/admin/catalogs/v1/{type}/writes/{batch_id}/changes', {
        params: { type, batch_id: write.batch_id },
        query: { format: 'csv' },
      })
    : await client.file('post', '/admin/datasets/v1/', {
        query: { type, mode: reconcile ? 'reconcile' : 'upsert', dry_run: true, include: 'diff', format: 'csv' },
        body: { file: part.content, fileName: name },
        gzip: true,
      })
  await writeWhole(diff, list.stream)
}

/** Sends a part of a file. */
type Send = (more?: SyncPolicy) => Promise<SyncResult>

/** Whether the catalog has all that a part has. */
async function isUpToDate(send: Send): Promise<boolean> {
  const result = await send({ dryRun: true })
  return result.outcome === 'planned' && changesIn(result.plan) === 0
}

const timeOf = (text: string | null): number => (text === null ? Number.NEGATIVE_INFINITY : Date.parse(text))

/**
 * Sends a part only if no other program has written since a time, or meanwhile: an older file must not take the catalog
 * back. A file that changes nothing may be sent.
 *
 * @param since in milliseconds since 1970
 * @throws CliError 2 for a program that has written since, 4 for one that writes meanwhile
 */
async function sendNewest(client: CatalogClient, type: RecordTypeName, send: Send, since: number): Promise<SyncResult> {
  let expected: SyncPolicy['expected']
  for (let newest = since; ; ) {
    const { revision, epoch, sync } = await client.get('/admin/catalogs/v1/{type}', { params: { type } })
    const { last_success_at } = sync
    if (timeOf(last_success_at) > newest && !(await isUpToDate(send))) {
      const [exit, message] =
        expected === undefined
          ? [EXIT.usage, `A program has written at ${last_success_at}, after the file was. To take that back: --older.`]
          : [EXIT.stopped, 'Another program has written the catalog meanwhile. Nothing was written.']
      throw new CliError(exit, message, { newest_write: last_success_at })
    }
    newest = timeOf(last_success_at)
    expected = { revision, epoch }
    try {
      return await send({ expected })
    } catch (error) {
      if (!isStale(error)) throw error
    }
  }
}

/** Brings a catalog to the state of a file. @returns the exit code */
export async function push(
  { client, signal }: Connection,
  output: Output,
  typeName: RecordTypeName,
  argument: string,
  options: PushOptions,
): Promise<ExitCode> {
  const type = recordTypes[typeName]
  requireConsistent(options, type)
  const local = await readLocalFile(argument, options, output)
  output.note(`Reading ${local.path ?? 'standard input'}`)
  const file = await readTable(local.file, type, options)
  const { parts, rows } = file
  requireOnePart(file, options)
  // One part must not be written when another one has errors.
  if (parts.length > 1) await requireValid(file, type, options)
  output.note(`${countText(rows, 'row')}. Sending.`)
  signal.throwIfAborted()
  const policy = policyOf(options)
  const { newest, older, maxAge } = options
  const since = (maxAge === undefined && local.writtenAt) || Number.POSITIVE_INFINITY
  const results: SyncResult[] = []
  try {
    for (const part of parts) {
      if (parts.length > 1) output.note(`Rows ${part.firstRow} to ${part.lastRow}`)
      const source = { file: part.content, fileName: file.name }
      // One request: a write, or with `dryRun` the counts that it would have.
      const send: Send = (more) => client.sync(typeName, source, { ...policy, ...more })
      const isGuarded = newest && !older && part === parts[0]
      const result = await (isGuarded ? sendNewest(client, typeName, send, since) : send())
      results.push(result)
      if (result.outcome === 'stopped') break
    }
  } catch (error) {
    if (hasStatus(error, 400)) await requireValid(file, type, options)
    throw pushError(cliErrorOf(error, output.shell.env), results, parts, options)
  }
  for (const { warnings } of answersOf(results)) for (const { field, msg } of warnings) output.note(`${field}: ${msg}`)
  await writeDiff(client, typeName, file, options, results)
  const { text, exit } = endOfPush(results, parts, options)
  if (options.errors !== undefined && exit !== EXIT.stopped) await rm(options.errors, { force: true })
  return output.result(`${typeName}: ${text}`, { exit, type: typeName, file: local.path, rows, results })
}

/** Checks a file as the service does, without a service. */
export async function validate(
  output: Output,
  typeName: RecordTypeName,
  argument: string,
  options: PushOptions,
): Promise<ExitCode> {
  const type = recordTypes[typeName]
  const local = await readLocalFile(argument, options, output)
  const file = await readTable(local.file, type, options)
  await requireValid(file, type, options)
  if (options.errors !== undefined) await rm(options.errors, { force: true })
  const { name, rows } = file
  const text = `${name}: ${countText(rows, 'row')}, no errors.`
  return output.result(text, { exit: EXIT.done, type: typeName, file: name, rows })
}
