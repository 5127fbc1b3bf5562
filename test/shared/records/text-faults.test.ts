import { describe, expect, it } from 'vitest'
import { isBrokenText, isNullMarker, isRuledLine } from '#shared/records/text-faults'

describe('a text that stands for no value', () => {
  it.each([
    ...['NULL', '\\N', '(null)', 'NaN', 'None', 'N/A', 'N / A', 'NA', 'n.a.', 'n.a', 'nil', 'Not applicable', '-'],
    ...['TBD', '–'],
  ])('is %s', (text) => expect(isNullMarker(text, false)).toBe(true))

  it.each(['Nasal', 'Null-Sieben', 'A', 'no', '0', 'tablet'])('is not %s', (text) =>
    expect(isNullMarker(text, false)).toBe(false),
  )

  it('is not NA as an id, which is sodium', () => {
    expect(isNullMarker('NA', true)).toBe(false)
    expect(isNullMarker('N/A', true)).toBe(true)
  })
})

it('a ruled line has nothing but signs of a line in its cells', () => {
  expect(isRuledLine(['-----', '', '===='])).toBe(true)
  expect(isRuledLine(['-----', 'A'])).toBe(false)
  expect(isRuledLine(['', ''])).toBe(false)
})

describe('a broken text', () => {
  it.each(['CafÃ©', 'â€“ drops', 'VitaminÂ B12', 'Johnson &amp; Johnson', '&#233;', 'Ð¼Ð³'])('is %s', (text) =>
    expect(isBrokenText(text)).toBe(true),
  )

  it.each(['Café', 'Müller', 'Johnson & Johnson', 'AT&T; more', 'Ã', '5 µg', 'Câncer', 'ÂNGELA'])('is not %s', (text) =>
    expect(isBrokenText(text)).toBe(false),
  )
})
