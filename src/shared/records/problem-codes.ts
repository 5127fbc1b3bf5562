/** Codes of possible problems of a catalog (docs/contract.md#possible-problems). */
export const PROBLEM_CODES = ['check_digit', 'same_item', 'strength_conflict'] as const

export type ProblemCode = (typeof PROBLEM_CODES)[number]
