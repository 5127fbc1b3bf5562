import { hasWrongCheckDigit } from './check-digits'
import type { ProblemCode } from './problem-codes'
import type { RawRecord, RecordType } from './record-type'
import type { ReadTexts } from './search/read-texts'
import { contradicts } from './strength-conflict'

/** A contradiction between two texts of a record, or a wrong code. */
export interface RecordProblem {
  code: Exclude<ProblemCode, 'same_item'>
  field: string
  value: string
  /** The name that a strength contradicts. */
  other?: string
}

/** The name or display name that the strength contradicts; undefined if there is no contradiction or no strength. */
export function contradictedName({ strength, name, display_name }: RawRecord, texts: ReadTexts): string | undefined {
  if (typeof strength !== 'string') return undefined
  if (typeof name === 'string' && contradicts(strength, name, texts)) return name
  const isOther = typeof display_name === 'string' && display_name !== name
  return isOther && contradicts(strength, display_name, texts) ? display_name : undefined
}

/** The possible problems of one valid record by itself. */
export function problemsOf(
  { fields }: Pick<RecordType, 'fields'>,
  record: RawRecord,
  texts: ReadTexts,
): RecordProblem[] {
  const problems: RecordProblem[] = []
  for (const field of fields) {
    if (field.kind !== 'string' || field.checkDigit === undefined) continue
    const value = record[field.name]
    if (typeof value === 'string' && hasWrongCheckDigit(field.checkDigit, value))
      problems.push({ code: 'check_digit', field: field.name, value })
  }
  const other = contradictedName(record, texts)
  if (other !== undefined)
    problems.push({ code: 'strength_conflict', field: 'strength', value: String(record.strength), other })
  return problems
}
