import { isRefusal } from '#client/service-error'
import { fieldNamed, type RecordType, type RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { countText } from '#shared/records/warnings'
import { AnswerFile } from './ask'
import { removeErrors, requireValid } from './errors-file'
import { CliError, EXIT, type ExitCode, usageError } from './exits'
import { type FailOnOptions, requireNoWarning } from './fail-on'
import { requireOtherFile } from './files'
import { CLOCKS_MS, type FileOptions, readLocalFile } from './local-file'
import type { Output } from './output'
import { noSuchField } from './questions'
import { readTable, type TableFile } from './read-table'
import type { Connection, ConnectionOptions } from './settings'

/** Reads the file of an upload, and checks that it may be sent. */

export interface PushOptions extends ConnectionOptions, FileOptions, FailOnOptions {
  /** The file with the answers to questions about the input file. */
  answers?: string
  reconcile?: boolean
  maxShrink?: number
  confirmShrink?: boolean
  maxEmptied?: number
  /** Names of fields, or `all`. */
  allowEmptied?: readonly string[]
  /** How to handle inactive records in the file, if it does not say whether they are active. */
  inactive?: 'keep' | 'activate'
  /** Accepts a last line without a line break as complete. */
  lastLine?: 'keep'
  dryRun?: boolean
  diff?: string
  exitCode?: boolean
  errors?: string
}

/** @throws CliError 2 for options that contradict each other or have no effect */
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

/** @throws CliError 3 for a file in several parts that must be sent in one */
function requireOnePart({ parts, name }: TableFile, { reconcile, diff }: PushOptions): void {
  if (parts.length === 1 || !(reconcile || diff !== undefined)) return
  throw new CliError(
    EXIT.invalid,
    `${name} is larger than one request (50,000 rows and 10 MB). With --reconcile or --diff, it must fit ` +
      'into one.',
  )
}

/** @throws CliError 2 if this machine's clock is wrong: yesterday's file could look like today's */
async function requireRightClock({ client, clock }: Connection, type: RecordTypeName, output: Output): Promise<void> {
  const params = { type }
  // The key may be write-only. An error response contains the time, too.
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
 * Asks about a last line without a line break, or an unclosed table: an interrupted upload or connection can leave half
 * a value at the end.
 *
 * @throws CliError 3 in a reconcile and for standard input, because only the sender knows whether the input is complete
 */
function requireWholeFile(
  { name, openEnd }: TableFile,
  asks: boolean,
  { lastLine }: PushOptions,
  output: Output,
): void {
  if (openEnd === undefined || lastLine === 'keep') return
  const why = `${name} may be truncated: ${openEnd.why}`
  if (asks)
    throw new CliError(
      EXIT.invalid,
      `${why}. If the file is complete, add --last-line keep.\nIt ends with “${openEnd.end}”.`,
    )
  output.say(`${why}. It ends with “${openEnd.end}”.`)
}

/**
 * Reads a file and checks that it can be sent.
 *
 * @throws CliError 2 or 3; only its first line is free of record values
 */
export async function readToSend(
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
  // One part must not be written if another part has errors.
  if (file.parts.length > 1) await requireValid(file, type, options)
  const change = await local.changeSince()
  if (change !== undefined) throw usageError(`${change} Nothing was sent; run the command again.`)
  return { local, file, answerFile }
}

/** Checks a file by the service's rules, without the service. */
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
  const warnings = await requireValid(file, type, options)
  requireNoWarning(warnings, options, 'It has no errors.')
  for (const { field, msg } of warnings) output.note(`${field}: ${msg}`)
  await removeErrors(options, type, output)
  const { name, rows } = file
  const text = `${name}: ${countText(rows, 'row')}, no errors.`
  return output.result(text, { exit: EXIT.done, type: typeName, file: name, rows, warnings })
}
