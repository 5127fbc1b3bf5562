import { WARNING_CODES, type WarningCode } from '#shared/records/warning-codes'
import type { Warning } from '#shared/records/warnings'
import { keysOf } from '#shared/text/keys-of'
import { CliError, EXIT } from './exits'

/** `--fail-on`: warnings that make a command fail. */
export interface FailOnOptions {
  failOn?: readonly WarningCode[]
}

/** Parses codes separated by commas. @returns undefined if one is unknown */
export function warningCodes(text: string): WarningCode[] | undefined {
  const codes = text.split(',')
  const known = keysOf(WARNING_CODES).filter((code) => codes.includes(code))
  return codes.every((code) => known.some((one) => one === code)) ? known : undefined
}

/**
 * @param outcome what was written, as a sentence
 * @throws CliError 3 with all warnings, if one of them has a code of `--fail-on`
 */
export function requireNoWarning(warnings: readonly Warning[], { failOn = [] }: FailOnOptions, outcome: string): void {
  const codes = failOn.filter((code) => warnings.some((warning) => warning.code === code))
  if (codes.length === 0) return
  const lines = warnings.map(({ field, msg }) => `${field}: ${msg}`)
  const message = [`The file has warnings of --fail-on ${codes.join(',')}. ${outcome}`, ...lines].join('\n')
  throw new CliError(EXIT.invalid, message, { warnings })
}
