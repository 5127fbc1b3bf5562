import type { CatalogClient, SyncPolicy, SyncResult, WriteResult } from '#client/catalog-client'
import { hasStatus, isRefusal, isStale, ServiceError } from '#client/service-error'
import { MAX_EXAMPLES } from '#shared/limits'
import { changesIn } from '#shared/records/change'
import type { RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { countText } from '#shared/records/warnings'
import type { AnswerFile } from './ask'
import { removeErrors, requireValid } from './errors-file'
import { CliError, cliErrorOf, EXIT, type ExitCode, REPEATABLE_EXITS } from './exits'
import { requireNoWarning } from './fail-on'
import { type PushOptions, readToSend } from './file-to-send'
import type { LocalFile } from './local-file'
import type { Output } from './output'
import { answerOf, asResults, endOfPush, pushError } from './push-result'
import { inactiveQuestion, namesQuestion } from './questions'
import type { TableFile } from './read-table'
import { reportNotSent } from './report'
import type { Connection } from './settings'
import { writeWhole } from './write-whole'

function policyOf(options: PushOptions): SyncPolicy {
  const { reconcile, maxShrink, confirmShrink, maxEmptied, allowEmptied = [], inactive, dryRun } = options
  return {
    mode: reconcile ? 'reconcile' : 'upsert',
    maxShrink,
    confirmShrink,
    maxEmptied,
    allowEmptied: allowEmptied.includes('all') ? 'all' : allowEmptied,
    // Fields without a column keep their values in any case.
    keepMissing: inactive === 'keep' ? true : undefined,
    dryRun,
  }
}

/** Writes the list of changes to a file: those made, or those that a dry run has found. */
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

/** Sends a file, or its parts that are not yet written. */
type Send = (more?: SyncPolicy) => Promise<SyncResult>

/** Whether the catalog already matches the file. */
async function isUpToDate(send: Send): Promise<boolean> {
  const result = await send({ dryRun: true, results: [] })
  return result.outcome === 'planned' && changesIn(result.plan) === 0
}

/**
 * Sends the newest file only if no other job writes in the meantime, because that may be a newer file. If this file
 * would change nothing, it may be sent.
 *
 * @throws CliError 4 if another job has written in the meantime
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

/**
 * Asks about unexpected names and inactive records, which only the catalog knows. Stops for warnings of `--fail-on`.
 *
 * @throws CliError 3
 */
async function requireAnswered(
  dryRun: () => Promise<SyncResult>,
  { table, summary }: TableFile,
  options: PushOptions,
  answerFile: AnswerFile,
): Promise<void> {
  const result = await dryRun().catch((error: unknown) => {
    // The write itself is then rejected, too, and listed by the service.
    if (!isRefusal(error)) throw error
  })
  if (result?.outcome !== 'planned') return
  const { headerRow } = table.csv
  const question = namesQuestion(result.plan, headerRow, answerFile.answers.stored.renamed)
  if (question !== undefined) {
    await answerFile.answer(question)
    await answerFile.save(summary)
  }
  const stop = options.inactive === undefined ? inactiveQuestion(result.plan, headerRow) : undefined
  if (stop !== undefined) throw new CliError(EXIT.invalid, stop)
  requireNoWarning(result.plan.warnings, options, 'Nothing was written.')
}

/**
 * Whether the service does not list a rejected upload: the file is too large, or something before it rejected the file.
 */
const isUnlisted = (error: unknown): boolean =>
  error instanceof ServiceError && (error.status === 413 || (error.code === 'unknown' && error.status >= 400))

/** Whether a file was not sent because it needs the user's input. */
const isQuestion = (error: unknown): boolean => error instanceof CliError && error.exit === EXIT.invalid

/** Syncs a catalog from a file. @returns the exit code */
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
      // A command with one of these exit codes is run again.
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
  if (options.dryRun) requireNoWarning(answer?.warnings ?? [], options, 'Nothing was written.')
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
