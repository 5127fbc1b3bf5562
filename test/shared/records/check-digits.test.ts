import { expect, it } from 'vitest'
import { hasWrongCheckDigit } from '#shared/records/check-digits'

const DIGITS = [...'0123456789']

const mistyped = (code: string): string[] =>
  [...code].flatMap((digit, n) =>
    digit === '-'
      ? []
      : DIGITS.filter((other) => other !== digit).map((other) => code.slice(0, n) + other + code.slice(n + 1)),
  )

const transposed = (code: string): string[] =>
  [...code].flatMap((digit, n) => {
    const next = code[n + 1]
    return next === undefined || next === digit || digit === '-' || next === '-'
      ? []
      : [code.slice(0, n) + next + digit + code.slice(n + 2)]
  })

it.each([
  ['loinc', '718-7'],
  ['snomed', '22298006'],
  ['snomed', '900000000000207008'],
] as const)('the check digit of the %s code %s is right, and every mistyped digit is detected', (kind, code) => {
  expect(hasWrongCheckDigit(kind, code)).toBe(false)
  expect(mistyped(code).filter((wrong) => !hasWrongCheckDigit(kind, wrong))).toEqual([])
})

it('two swapped digits of a SNOMED code are detected, and those of a LOINC code unless they are 0 and 9', () => {
  expect(transposed('22298006').filter((wrong) => !hasWrongCheckDigit('snomed', wrong))).toEqual([])
  expect(transposed('4544-3').filter((wrong) => !hasWrongCheckDigit('loinc', wrong))).toEqual([])
  expect(hasWrongCheckDigit('loinc', '5090-6')).toBe(hasWrongCheckDigit('loinc', '5900-6'))
})

it('a code of another form is ignored', () => {
  for (const code of ['718', 'LP14542-7', '718-71']) expect(hasWrongCheckDigit('loinc', code), code).toBe(false)
  for (const code of ['12345', '1234567890123456789', 'SCT-22298007'])
    expect(hasWrongCheckDigit('snomed', code), code).toBe(false)
})
