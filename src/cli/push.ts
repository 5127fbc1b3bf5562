import type { CatalogClient, SyncPolicy, SyncResult, WriteResult } from '#client/catalog-client'
import { mergeResults } from '#client/merge-results'
import { hasStatus, isRefusal, isStale, ServiceError } from '#client/service-error'
import type { Part } from '#files/parts'
import { MAX_EXAMPLES } from '#shared/limits'
import { changesIn } from '#shared/records/change'
import { fieldNamed, type RecordType, type RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { countText } from '#shared/records/warnings'
import { AnswerFile } from './ask'
import { removeErrors, requireValid } from './errors-file'
import { CliError, cliErrorOf, EXIT, type ExitCode, isUncertain, REPEATABLE_EXITS, usageError } from './exits'
import { requireOtherFile, writeWhole } from './files'
import { CLOCKS_MS, type FileOptions, type LocalFile, readLocalFile } from './local-file'
import type { Output } from './output'
import { inactiveQuestion, namesQuestion, noSuchField } from './questions'
import { readTable, type TableFile } from './read-table'
import { reportNotSent } from './report'
import type { Connection, ConnectionOptions } from './settings'
import { countsText, optionsFor, stopText } from './write-result'

export interface PushOptions extends ConnectionOptions, FileOptions {
  /** The file with the answers to questions about what is read. */
  answers?: string
  reconcile?: boolean
  maxShrink?: number
  confirmShrink?: boolean
  maxEmptied?: number
  /** Names of fields, or `all`. */
  allowEmptied?: readonly string[]
  /** What becomes of inactive records that the file has, without saying whether they are active. */
  inactive?: 'keep' | 'activate'
  /** The last line is whole although it has no line break. */
  lastLine?: 'keep'
  dryRun?: boolean
  diff?: string
  exitCode?: boolean
  errors?: string
}

/** @throws CliError 2 for options that contradict each other, or that would have no effect */
function requireConsistent(options: PushOptions, type: RecordType): void {
  const { allowEmptied = [], confirmShrink, maxShrink, maxEmptied, reconcile, dryRun } = options
  const unknownField = allowEmptied.find((name) => name !== 'all' && fieldNamed(type, name) === undefined)
  if (unknownField !== undefined) throw noSuchField(unknownField, type)
  if (confirmShrink && !reconcile && maxShrink === undefined)
    throw usageError(
      '--confirm-shrink requires --reconcile or --max-shrink. Without one of them, the shrink guard does not apply.',
    )
  if (maxEmptied !== undefined && allowEmptied.includes('all'))
    throw usageError('--max-emptied has no effect with --allow-emptied all. Omit one of them.')
  if (options.inactive !== undefined && reconcile)
    throw usageError('--inactive is for uploads without --reconcile, which makes all records of the file active.')
  if (options.exitCode && !dryRun) throw usageError('--exit-code requires --dry-run.')
}

/** @throws CliError 3 for a file in parts that must come in one */
function requireOnePart({ parts, name }: TableFile, { reconcile, diff }: PushOptions): void {
  if (parts.length === 1 || !(reconcile || diff !== undefined)) return
  throw new CliError(
    EXIT.invalid,
    `${name} is larger than one request (50,000 rows and 10 MB). With --reconcile or --diff, it must fit ` +
      'into one.',
  )
}

function policyOf(options: PushOptions): SyncPolicy {
  const { reconcile, maxShrink, confirmShrink, maxEmptied, allowEmptied = [], inactive, dryRun } = options
  return {
    mode: reconcile ? 'reconcile' : 'upsert',
    maxShrink,
    confirmShrink,
    maxEmptied,
    allowEmptied: allowEmptied.includes('all') ? 'all' : allowEmptied,
    // Fields without a column keep their values anyway.
    keepMissing: inactive === 'keep' ? true : undefined,
    dryRun,
  }
}

/** Says which rows of a file in parts are written, when a part is not. */
function writtenBefore(results: readonly WriteResult[], parts: readonly Part[]): string {
  const [first, ...others] = results
  const last = parts[results.length - 1]
  if (first === undefined || last === undefined) return 'Nothing was written.'
  const counts = countsText(mergeResults([first, ...others]))
  return `Rows up to ${last.lastRow} were written (${counts}), later rows were not.`
}

const answerOf = (result: SyncResult): WriteResult | undefined => {
  if (result.outcome === 'stopped') return undefined
  return result.outcome === 'written' ? result.written : result.plan
}

const asResults = (written: readonly WriteResult[]): SyncResult[] =>
  written.map((each) => ({ outcome: 'written', written: each }))

/** What the command says about the answer, and its exit code. */
function endOfPush(
  result: SyncResult,
  before: readonly WriteResult[],
  parts: readonly Part[],
  { exitCode }: PushOptions,
): { text: string; exit: ExitCode } {
  if (result.outcome === 'written') {
    const { written } = result
    const text = `${countText(written.total, 'record')}: ${countsText(written)}. The revision is ${written.revision}.`
    return { text, exit: EXIT.done }
  }
  const why = result.stops.map(stopText).join(' ')
  if (result.outcome === 'stopped') {
    const { waiting } = result
    const approve = waiting && `dcs approve ${waiting.uploadId} ${optionsFor(result.stops)}`
    const file = waiting === null ? '' : ` The upload is pending until ${waiting.heldUntil}. To approve it: ${approve}`
    return { text: `Stopped. ${writtenBefore(before, parts)} ${why}${file}`, exit: EXIT.stopped }
  }
  const { plan } = result
  const warning = why === '' ? '' : ` A guard would stop the write: ${why}`
  const text = `${countText(plan.total, 'record')}: ${countsText(plan)}. This was a dry run.${warning}`
  return { text, exit: changesIn(plan) > 0 && exitCode ? EXIT.pending : EXIT.done }
}

/** The error of a push that failed, with what is known about earlier parts. */
function pushError(
  error: CliError,
  written: readonly WriteResult[],
  parts: readonly Part[],
  { dryRun }: PushOptions,
): CliError {
  const before = written.length > 0 && !dryRun ? ` ${writtenBefore(written, parts)}` : ''
  const unknown = isUncertain(error) && !dryRun ? ' The last upload may or may not have been written.' : ''
  return new CliError(
    error.exit,
    error.message + before + unknown,
    { ...error.details, results: asResults(written) },
    error.cause,
  )
}

/** Writes the list of changes into a file: those that were made, or those that a dry run has found. */
async function writeDiff(
  client: CatalogClient,
  type: RecordTypeName,
  { parts: [part], name }: TableFile,
  { diff, reconcile, inactive, dryRun }: PushOptions,
  batch_id: string | undefined,
): Promise<void> {
  if (diff === undefined || part === undefined || !(dryRun || batch_id)) return
  const list = batch_id
    ? await client.file('get', '/admin/catalogs/v1/{type}/writes/{batch_id}/changes', {
        params: { type, batch_id },
        query: { format: 'csv' },
      })
    : await client.file('post', '/admin/datasets/v1/', {
        query: {
          ...{ type, mode: reconcile ? 'reconcile' : 'upsert', dry_run: true, include: 'diff', format: 'csv' },
          keep_missing: inactive === 'keep' ? true : undefined,
        },
        body: { file: part.content, fileName: name },
        gzip: true,
      })
  await writeWhole(diff, list.stream)
}

/** Sends a file, or those of its parts that are not written yet. */
type Send = (more?: SyncPolicy) => Promise<SyncResult>

/** Whether the catalog has all that a file has. */
async function isUpToDate(send: Send): Promise<boolean> {
  const result = await send({ dryRun: true, results: [] })
  return result.outcome === 'planned' && changesIn(result.plan) === 0
}

/**
 * Sends the newest file only if no other program writes meanwhile: that may be a newer one. A file that changes nothing
 * may be sent.
 *
 * @throws CliError 4 for a program that writes meanwhile
 */
async function sendNewest(
  client: CatalogClient,
  output: Output,
  type: RecordTypeName,
  { writtenAt }: LocalFile,
  send: Send,
): Promise<SyncResult> {
  for (let before: string | null | undefined; ; ) {
    const { revision, epoch, sync } = await client.get('/admin/catalogs/v1/{type}', { params: { type } })
    const { last_success_at: last } = sync
    if (before === undefined && last !== null && writtenAt !== null && Date.parse(last) > writtenAt)
      output.note(`The catalog has been updated since the file was modified: at ${last}.`)
    if (before !== undefined && last !== before && !(await isUpToDate(send))) {
      const message = 'Another job has written the catalog in the meantime. Nothing was written.'
      throw new CliError(EXIT.stopped, message, { newest_write: last })
    }
    before = last
    try {
      return await send({ expected: { revision, epoch } })
    } catch (error) {
      if (!isStale(error)) throw error
    }
  }
}

/** Asks what only the catalog tells: about unexpected names, and about records that are inactive. @throws CliError 3 */
async function requireAnswered(
  dryRun: () => Promise<SyncResult>,
  { table, summary }: TableFile,
  { inactive }: PushOptions,
  answerFile: AnswerFile,
): Promise<void> {
  const result = await dryRun().catch((error: unknown) => {
    // The write is refused too, and listed.
    if (!isRefusal(error)) throw error
  })
  if (result?.outcome !== 'planned') return
  const { headerRow } = table.csv
  const question = namesQuestion(result.plan, headerRow, answerFile.answers.stored.renamed)
  if (question !== undefined) {
    await answerFile.answer(question)
    await answerFile.save(summary)
  }
  const stop = inactive === undefined ? inactiveQuestion(result.plan, headerRow) : undefined
  if (stop !== undefined) throw new CliError(EXIT.invalid, stop)
}

/** @throws CliError 2 if the clock of this machine is wrong: a file of yesterday would look like one of today */
async function requireRightClock({ client, clock }: Connection, type: RecordTypeName, output: Output): Promise<void> {
  const params = { type }
  // The key may write and not read. A refusal has the time, too.
  const status = await client.get('/admin/catalogs/v1/{type}', { params }).catch((error: unknown) => {
    if (!isRefusal(error)) throw error
  })
  const here = Date.now()
  const there = clock()
  const written = Date.parse(status?.sync.last_success_at ?? '')
  const isWrong = there !== undefined && Math.abs(there - here) > CLOCKS_MS
  if (isWrong || written - here > CLOCKS_MS) {
    const time = new Date(isWrong ? there : written).toISOString()
    throw usageError(
      `The clock of this machine differs from that of the service: it is ${new Date(here).toISOString()} here, and ` +
        `${isWrong ? 'there' : 'the catalog was last written at'} ${time}. Without the right time, --max-age cannot ` +
        'tell how old the file is. Nothing was sent.',
    )
  }
  if (there === undefined)
    output.note('The time of the service is unknown, so the clock of this machine is not checked.')
}

/**
 * Asks about a last line without a line break: an upload that stopped, or a connection that died, can leave half a
 * value at the end.
 *
 * @throws CliError 3 in a reconcile and for standard input, of which nobody else knows whether it is whole
 */
function requireWholeFile(
  { name, openEnd }: TableFile,
  asks: boolean,
  { lastLine }: PushOptions,
  output: Output,
): void {
  if (openEnd === undefined || lastLine === 'keep') return
  const why = `${name} may be truncated: its last line does not end with a line break`
  if (asks)
    throw new CliError(
      EXIT.invalid,
      `${why}. If the file is complete, add --last-line keep.\nIt ends with “${openEnd}”.`,
    )
  output.say(`${why}, but with “${openEnd}”.`)
}

/** Reads a file, and asks whether it can be sent. @throws CliError 2 or 3; only its first line has no values */
async function readToSend(
  type: RecordType,
  argument: string,
  options: PushOptions,
  output: Output,
  connection: Connection,
) {
  requireConsistent(options, type)
  const local = await readLocalFile(argument, options, output, connection.signal)
  if (options.maxAge !== undefined) await requireRightClock(connection, type.name, output)
  await requireOtherFile(local.path, '--errors', options.errors)
  await requireOtherFile(local.path, '--diff', options.diff)
  output.note(`Reading ${local.path ?? 'standard input'}`)
  const answerFile = await AnswerFile.open(output, type.name, argument, options.answers)
  const file = await readTable(local.file, type, answerFile)
  await answerFile.save(file.summary)
  requireWholeFile(file, options.reconcile === true || local.path === null, options, output)
  requireOnePart(file, options)
  // One part must not be written when another one has errors.
  if (file.parts.length > 1) await requireValid(file, type, options)
  const change = await local.changeSince()
  if (change !== undefined) throw usageError(`${change} Nothing was sent; run the command again.`)
  return { local, file, answerFile }
}

/** Whether the service does not list a refusal: the file is too large for it, or something before it has refused. */
const isUnlisted = (error: unknown): boolean =>
  error instanceof ServiceError && (error.status === 413 || (error.code === 'unknown' && error.status >= 400))

/** Whether a file was not sent because a question about it is open. */
const isQuestion = (error: unknown): boolean => error instanceof CliError && error.exit === EXIT.invalid

/** Brings a catalog to the state of a file. @returns the exit code */
export async function push(
  connection: Connection,
  output: Output,
  typeName: RecordTypeName,
  argument: string,
  options: PushOptions,
): Promise<ExitCode> {
  const { client, signal } = connection
  const type = recordTypes[typeName]
  const told = async (error: CliError): Promise<CliError> => {
    await reportNotSent(output, typeName, argument, error, options)
    return error
  }
  const { local, file, answerFile } = await readToSend(type, argument, options, output, connection).catch(
    async (error: unknown) => {
      const failure = cliErrorOf(error, output.shell.env)
      // A command that was stopped is run again.
      throw REPEATABLE_EXITS.includes(failure.exit) ? failure : await told(failure)
    },
  )
  const { parts, rows } = file
  output.note(`${countText(rows, 'row')}. Sending.`)
  signal.throwIfAborted()
  const policy = policyOf(options)
  const written: WriteResult[] = []
  const source = { parts, fileName: file.name }
  const sendUnasked: Send = (more) => client.sync(typeName, source, { ...policy, results: written, ...more })
  const send: Send = async (more = {}) => {
    const dryRun = () => sendUnasked({ ...more, dryRun: true, examples: MAX_EXAMPLES, results: [] })
    if (!(options.dryRun || more.dryRun)) await requireAnswered(dryRun, file, options, answerFile)
    return sendUnasked(more)
  }
  let result: SyncResult
  try {
    result = await (options.newest ? sendNewest(client, output, typeName, local, send) : send())
  } catch (error) {
    if (hasStatus(error, 400)) await requireValid(file, type, options)
    const failure = pushError(cliErrorOf(error, output.shell.env), written, parts, options)
    throw isUnlisted(error) || isQuestion(error) ? await told(failure) : failure
  }
  const { text, exit: ownExit } = endOfPush(result, written, parts, options)
  const change = result.outcome === 'written' ? await local.changeSince() : undefined
  const exit = change === undefined ? ownExit : EXIT.outdated
  const answer = answerOf(result)
  for (const { field, msg } of answer?.warnings ?? []) output.note(`${field}: ${msg}`)
  await writeDiff(client, typeName, file, options, answer?.batch_id).catch((error: unknown) => {
    if (answer?.batch_id === undefined) throw error
    output.say(`dcs: The list of changes could not be written: ${cliErrorOf(error, output.shell.env).message}`)
  })
  if (exit !== EXIT.stopped) await removeErrors(options, type, output)
  const results = result.outcome === 'stopped' ? [...asResults(written), result] : [result]
  const outdated = change === undefined ? '' : ` ${change} The catalog has the older state: run the command again.`
  const more = change === undefined ? {} : { outdated: change }
  return output.result(`${typeName}: ${text}${outdated}`, {
    ...{ exit, type: typeName, file: local.path, rows, results },
    ...more,
  })
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
  await requireOtherFile(local.path, '--errors', options.errors)
  const answerFile = await AnswerFile.open(output, typeName, argument, options.answers)
  const file = await readTable(local.file, type, answerFile)
  await answerFile.save(file.summary)
  requireWholeFile(file, false, options, output)
  await requireValid(file, type, options)
  await removeErrors(options, type, output)
  const { name, rows } = file
  const text = `${name}: ${countText(rows, 'row')}, no errors.`
  return output.result(text, { exit: EXIT.done, type: typeName, file: name, rows })
}
