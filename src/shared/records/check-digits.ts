/** Check digits of codes. A wrong one means that the code was mistyped. */

/** LOINC: digits, a hyphen and the check digit (Luhn's algorithm, mod 10). */
const LOINC = /^\d+-\d$/

/** SNOMED CT: 6 to 18 digits, the last one of which is the check digit (Verhoeff's algorithm). */
const SNOMED_ID = /^\d{6,18}$/

const digitsOf = (text: string): number[] => Array.from(text.replace('-', ''), Number)

/** Doubles every second digit from the right, and adds the digits of each product. */
function isLuhn(digits: readonly number[]): boolean {
  const sum = digits.toReversed().reduce((total, digit, n) => {
    const product = n % 2 === 0 ? digit : 2 * digit
    return total + (product > 9 ? product - 9 : product)
  }, 0)
  return sum % 10 === 0
}

/** Composition in the dihedral group of ten elements: 0 to 4 are rotations, 5 to 9 reflections. */
function compose(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5)
  return b < 5 ? 5 + ((a - b + 5) % 5) : (a - b + 5) % 5
}

const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4] as const

/** Applies the permutation once per position. It repeats after eight. */
const PERMUTED: readonly (readonly number[])[] = Array.from({ length: 8 }, (_, times) =>
  Array.from({ length: 10 }, (_, digit) => {
    let result = digit
    for (let n = 0; n < times; n++) result = PERMUTATION[result] ?? 0
    return result
  }),
)

const isVerhoeff = (digits: readonly number[]): boolean =>
  digits.toReversed().reduce((check, digit, n) => compose(check, PERMUTED[n % 8]?.[digit] ?? 0), 0) === 0

export type CheckedCode = 'loinc' | 'snomed'

/** Whether a code has the form of its kind, but a wrong check digit. */
export const hasWrongCheckDigit = (kind: CheckedCode, code: string): boolean =>
  kind === 'loinc' ? LOINC.test(code) && !isLuhn(digitsOf(code)) : SNOMED_ID.test(code) && !isVerhoeff(digitsOf(code))
