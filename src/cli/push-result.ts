import type { SyncResult, WriteResult } from '#client/catalog-client'
import { mergeResults } from '#client/merge-results'
import type { Part } from '#files/parts'
import { changesIn } from '#shared/records/change'
import { countText } from '#shared/records/warnings'
import { CliError, EXIT, type ExitCode, isUncertain } from './exits'
import type { PushOptions } from './file-to-send'
import { countsText, optionsFor, stopText } from './write-result'

/** The texts that `dcs push` prints about its result. */

/** If a part of a file failed: which rows are already written. */
function writtenBefore(results: readonly WriteResult[], parts: readonly Part[]): string {
  const [first, ...others] = results
  const last = parts[results.length - 1]
  if (first === undefined || last === undefined) return 'Nothing was written.'
  const counts = countsText(mergeResults([first, ...others]))
  return `Rows up to ${last.lastRow} were written (${counts}), later rows were not.`
}

export const answerOf = (result: SyncResult): WriteResult | undefined => {
  if (result.outcome === 'stopped') return undefined
  return result.outcome === 'written' ? result.written : result.plan
}

export const asResults = (written: readonly WriteResult[]): SyncResult[] =>
  written.map((each) => ({ outcome: 'written', written: each }))

/** The text about the response, and the exit code. */
export function endOfPush(
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

/** The error of a push that failed, with the outcome of earlier parts. */
export function pushError(
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
