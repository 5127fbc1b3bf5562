import { rm } from 'node:fs/promises'
import type { CatalogClient } from '#client/catalog-client'
import { isStale, ServiceError } from '#client/service-error'
import type { Stop, SyncPolicy, SyncResult, WriteResult } from '#client/sync'
import type { Part } from '#files/parts'
import { CHANGES, type Change } from '#shared/records/change'
import { fieldNamed, RECORD_TYPES, type RecordType, type RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { counted } from '#shared/records/warnings'
import { CliError, EXIT, type ExitCode, endOf, isUncertain, usageError } from './exits'
import { type FileOptions, type LocalFile, readLocalFile, writeWhole } from './files'
import type { Output } from './output'
import { type ReadingOptions, readTable, requireValid, type TableFile } from './reading'
import type { Connection } from './settings'

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

/** @throws CliError 2 for a name that no catalog has */
export function typeNamed(name: string): RecordType & { name: RecordTypeName } {
  const found = RECORD_TYPES.find((known) => known === name)
  if (found === undefined)
    throw usageError(`There is no catalog “${name}”. The catalogs are ${RECORD_TYPES.join(', ')}.`)
  return recordTypes[found]
}

const COUNTS = ['total', ...CHANGES, 'unchanged'] as const

type Counts = Pick<WriteResult, Change | 'total' | 'unchanged'>

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
    ? `${stop.would_deactivate} of ${stop.active_before} active records would be deactivated. If that is ` +
      'right: --confirm-shrink.'
    : `${counted(stop.emptied, 'record')} would lose their ${stop.field}. If that is right: --allow-emptied ` +
      `${stop.field}.`

/** @throws CliError 2 for options that contradict each other, or that would have no effect */
function requireSensible(options: PushOptions, type: RecordType): void {
  const { allowEmptied = [], confirmShrink, maxShrink, dryRun, exitCode, older, newest } = options
  for (const name of allowEmptied) {
    if (name === 'all' || fieldNamed(type, name) !== undefined) continue
    throw usageError(
      `--allow-emptied: there is no field “${name}”. The fields are ` +
        `${type.fields.map((field) => field.name).join(', ')}.`,
    )
  }
  if (confirmShrink && maxShrink !== undefined) throw usageError('--confirm-shrink makes --max-shrink meaningless.')
  if (exitCode && !dryRun) throw usageError('--exit-code needs --dry-run.')
  if (older && !newest) throw usageError('--older needs --newest.')
}

export const allowed = (fields: readonly string[] = []): readonly string[] | 'all' =>
  fields.includes('all') ? 'all' : fields

function policyOf(options: PushOptions, output: Output): SyncPolicy {
  const { reconcile, maxShrink, confirmShrink, maxEmptied, allowEmptied, dryRun } = options
  return {
    mode: reconcile ? 'reconcile' : 'upsert',
    maxShrink,
    confirmShrink,
    maxEmptied,
    allowEmptied: allowed(allowEmptied),
    dryRun,
    onProgress: output.progress,
  }
}

/** The counts of several parts together. */
const sumOf = (all: readonly Counts[]): Counts =>
  Object.fromEntries(
    COUNTS.map((name) => [name, all.reduce((sum, counts) => sum + counts[name], 0)]),
  ) as unknown as Counts

const writesOf = (results: readonly SyncResult[]): WriteResult[] =>
  results.flatMap((result) => (result.outcome === 'written' ? [result.written] : []))

const plansOf = (results: readonly SyncResult[]): WriteResult[] =>
  results.flatMap((result) => (result.outcome === 'planned' ? [result.plan] : []))

/** What is written of a file in parts, when one of them is not. */
function writtenBefore(results: readonly SyncResult[], parts: readonly Part[]): string {
  const writes = writesOf(results)
  const last = parts[writes.length - 1]
  if (last === undefined) return 'Nothing was written.'
  return `Rows to ${last.lastRow} are written (${countsText(sumOf(writes))}), those after it are not.`
}

/** What a command says of the answers, and how it ends. */
function endOfPush(
  results: readonly SyncResult[],
  parts: readonly Part[],
  { exitCode }: PushOptions,
): { text: string; exit: ExitCode } {
  const last = results.at(-1)
  if (last === undefined) throw new Error('nothing was sent')
  const what = 'stops' in last ? last.stops.map(stopText).join(' ') : ''
  if (last.outcome === 'stopped') {
    const { waiting } = last
    const file = waiting === null ? '' : ` The file waits until ${waiting.heldUntil}: dcs approve ${waiting.uploadId}`
    return { text: `Stopped. ${writtenBefore(results, parts)} ${what}${file}`, exit: EXIT.stopped }
  }
  if (last.outcome === 'planned') {
    const sum = sumOf(plansOf(results))
    const warning = what === '' ? '' : ` It would be stopped: ${what}`
    const text = `${counted(sum.total, 'record')}: ${countsText(sum)}. This was a dry run.${warning}`
    return { text, exit: changesOf(sum) > 0 && exitCode ? EXIT.pending : EXIT.done }
  }
  const sum = sumOf(writesOf(results))
  const { revision } = last.written
  return {
    text: `${counted(sum.total, 'record')}: ${countsText(sum)}. The revision is ${revision}.`,
    exit: EXIT.done,
  }
}

/** Writes the list of changes into a file: those that were made, or those that a dry run has found. */
async function writeDiff(
  client: CatalogClient,
  type: RecordTypeName,
  { parts: [part], name }: TableFile,
  { diff, reconcile, dryRun }: PushOptions,
  results: readonly SyncResult[],
): Promise<void> {
  const [write] = writesOf(results)
  if (diff === undefined || part === undefined || !(dryRun || write?.batch_id)) return
  const list = write?.batch_id
    ? await client.file('get', '/admin/catalogs/v1/{type}/writes/{batch_id}/changes', {
        params: { type, batch_id: write.batch_id },
        query: { format: 'csv' },
      })
    : await client.file('post', '/admin/datasets/v1/', {
        query: {
          type,
          mode: reconcile ? 'reconcile' : 'upsert',
          dry_run: true,
          include: 'diff',
          format: 'csv',
        },
        body: { file: part.content, fileName: name },
        gzip: true,
      })
  await writeWhole(diff, list.stream)
}

/** What the catalog was when the newest of several files was chosen. */
interface Seen {
  expected: NonNullable<SyncPolicy['expected']>
  /** When a program wrote last. */
  lastSuccess: string | null
}

async function seenNow({ client }: Connection, type: RecordTypeName): Promise<Seen> {
  const { revision, epoch, sync } = await client.get('/admin/catalogs/v1/{type}', { params: { type } })
  return { expected: { revision, epoch }, lastSuccess: sync.last_success_at }
}

/**
 * Whether a file is older than what a program has written last: yesterday's file, which may be the newest that is left,
 * must not take the catalog back.
 */
const isOlder = ({ writtenAt }: LocalFile, { lastSuccess }: Seen): boolean =>
  writtenAt !== null && lastSuccess !== null && writtenAt < Date.parse(lastSuccess)

/** A file and how it is sent. */
class Push {
  readonly #connection: Connection
  readonly #type: RecordTypeName
  readonly #file: TableFile
  readonly #policy: SyncPolicy
  readonly results: SyncResult[] = []

  constructor(connection: Connection, type: RecordTypeName, file: TableFile, policy: SyncPolicy) {
    this.#connection = connection
    this.#type = type
    this.#file = file
    this.#policy = policy
  }

  /** Sends every part, until one is stopped. @param seen the write depends on it */
  async send(seen: Seen | undefined, output: Output): Promise<void> {
    const { parts } = this.#file
    for (const part of parts) {
      if (parts.length > 1) output.note(`Rows ${part.firstRow} to ${part.lastRow}`)
      const result = await this.#sendPart(part, part === parts[0] ? seen : undefined)
      this.results.push(result)
      if (result.outcome === 'stopped') return
    }
  }

  /** Whether the catalog has all that the file has. */
  async isKnown(): Promise<boolean> {
    const [part] = this.#file.parts
    const result = part && (await this.#sync(part, { dryRun: true }))
    return result?.outcome === 'planned' && changesOf(result.plan) === 0
  }

  #sync({ content }: Part, more: SyncPolicy): Promise<SyncResult> {
    const source = { file: content, fileName: this.#file.name }
    return this.#connection.client.sync(this.#type, source, { ...this.#policy, ...more })
  }

  async #sendPart(part: Part, seen: Seen | undefined): Promise<SyncResult> {
    try {
      return await this.#sync(part, seen === undefined ? {} : { expected: seen.expected })
    } catch (error) {
      if (seen === undefined || !isStale(error)) throw error
      const now = await seenNow(this.#connection, this.#type)
      const isSame = now.lastSuccess === seen.lastSuccess || (await this.isKnown())
      if (isSame) return this.#sendPart(part, now)
      throw new CliError(
        EXIT.stopped,
        'Another program has written the catalog meanwhile. Nothing was written.',
        { newest_write: now.lastSuccess },
        error,
      )
    }
  }

  /** Why the rest of a file is not written, and what is known of it. */
  endOf(error: unknown, output: Output): CliError {
    const end = endOf(error, output.shell.env)
    const { parts } = this.#file
    const before = this.results.length > 0 ? ` ${writtenBefore(this.results, parts)}` : ''
    const known =
      isUncertain(end) && !this.#policy.dryRun
        ? ' It is not known whether what was being sent is written. The same command may be run again: it ' +
          'writes nothing twice.'
        : ''
    return before + known === ''
      ? end
      : new CliError(end.exit, `${end.message}${before}${known}`, { ...end.details, results: this.results }, error)
  }
}

/** Brings a catalog to the state of a file. @returns how the command ends */
export async function push(
  connection: Connection,
  typeName: string,
  argument: string,
  options: PushOptions,
  output: Output,
): Promise<ExitCode> {
  const type = typeNamed(typeName)
  requireSensible(options, type)
  const local = await readLocalFile(argument, options, output)
  output.note(`Reading ${local.path ?? 'standard input'}`)
  const file = await readTable(local.file, type, options)
  const { parts, rows } = file
  if (parts.length > 1 && (options.reconcile || options.diff !== undefined)) {
    throw new CliError(
      EXIT.invalid,
      `${file.name} is larger than one request takes (50,000 rows and 10 MB). A whole catalog must come ` +
        'in one, and so must a file for --diff.',
    )
  }
  // One part must not be written when another one has errors.
  if (parts.length > 1) await requireValid(file, type, options)
  output.note(`${counted(rows, 'row')}. Sending.`)
  connection.signal.throwIfAborted()
  const work = new Push(connection, type.name, file, policyOf(options, output))
  const seen = options.newest && !options.older ? await seenNow(connection, type.name) : undefined
  const finish = async (text: string, exit: ExitCode) => {
    const { results } = work
    await output.result(`${type.name}: ${text}`, { exit, type: type.name, file: local.path, rows, results })
    return exit
  }
  if (seen !== undefined && options.maxAge === undefined && isOlder(local, seen)) {
    const when = `${local.path} was written before the newest write of a program, ${seen.lastSuccess}.`
    if (await work.isKnown()) return finish(`${when} It changes nothing, so it was not sent.`, EXIT.done)
    throw usageError(`${when} To take the catalog back: --older.`)
  }
  try {
    await work.send(seen, output)
  } catch (error) {
    if (error instanceof ServiceError && error.status === 400) await requireValid(file, type, options)
    throw work.endOf(error, output)
  }
  for (const { warnings } of [...writesOf(work.results), ...plansOf(work.results)])
    for (const { field, msg } of warnings) output.note(`${field}: ${msg}`)
  await writeDiff(connection.client, type.name, file, options, work.results)
  const { text, exit } = endOfPush(work.results, parts, options)
  if (options.errors !== undefined && exit !== EXIT.stopped) await rm(options.errors, { force: true })
  return finish(text, exit)
}

/** Checks a file as the service does, without a service. */
export async function validate(
  typeName: string,
  argument: string,
  options: PushOptions,
  output: Output,
): Promise<ExitCode> {
  const type = typeNamed(typeName)
  const local = await readLocalFile(argument, options, output)
  const file = await readTable(local.file, type, options)
  await requireValid(file, type, options)
  if (options.errors !== undefined) await rm(options.errors, { force: true })
  const { name, rows } = file
  await output.result(`${name}: ${counted(rows, 'row')}, no errors.`, {
    exit: EXIT.done,
    type: type.name,
    file: name,
    rows,
  })
  return EXIT.done
}
