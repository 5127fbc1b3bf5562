import { hasWrongCheckDigit } from './check-digits'
import type { RawRecord, RecordType } from './record-type'
import { contradicts } from './strength-conflict'

/** Codes of possible problems of a catalog (docs/contract.md#possible-problems). */
export const PROBLEM_CODES = ['check_digit', 'same_item', 'strength_conflict'] as const

export type ProblemCode = (typeof PROBLEM_CODES)[number]

/** What two texts of a record, or a code of it, have against each other. */
export interface RecordProblem {
  code: Exclude<ProblemCode, 'same_item'>
  field: string
  value: string
  /** The name that a strength contradicts. */
  other?: string
}

/** The possible problems of one valid record by itself. */
export function problemsOf({ fields }: Pick<RecordType, 'fields'>, record: RawRecord): RecordProblem[] {
  const problems: RecordProblem[] = []
  for (const field of fields) {
    if (field.kind !== 'string' || field.checkDigit === undefined) continue
    const value = record[field.name]
    if (typeof value === 'string' && hasWrongCheckDigit(field.checkDigit, value))
      problems.push({ code: 'check_digit', field: field.name, value })
  }
  const { strength, name, display_name } = record
  if (typeof strength !== 'string') return problems
  const other = [name, display_name].find((text) => typeof text === 'string' && contradicts(strength, text))
  if (typeof other === 'string') problems.push({ code: 'strength_conflict', field: 'strength', value: strength, other })
  return problems
}
