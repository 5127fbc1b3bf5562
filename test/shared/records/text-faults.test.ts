import { describe, expect, it } from 'vitest'
import {
  isBrokenText,
  isNullMarker,
  isRuledLine,
  isUnsplitList,
  repeatsHeader,
  textKeptByFormula,
} from '#shared/records/text-faults'

it('a text that stands for no value is known in any case and form, but NA as an id is sodium', () => {
  const markers = ['NULL', '\\N', '(null)', 'NaN', 'None', 'N/A', 'N / A', 'NA', 'n.a.', 'n.a', 'nil', 'Not applicable']
  for (const text of [...markers, '-', '–', 'TBD']) expect(isNullMarker(text, false), text).toBe(true)
  for (const text of ['Nasal', 'Null-Sieben', 'A', 'no', '0', 'tablet'])
    expect(isNullMarker(text, false), text).toBe(false)
  expect([isNullMarker('NA', true), isNullMarker('N/A', true)]).toEqual([false, true])
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

  it.each(['Café', 'Johnson & Johnson', 'AT&T; more', 'Ã', '5 µg', 'ÂNGELA', 'NESTLÉ®', '« RÉALITÉ »'])(
    'is not %s',
    (text) => expect(isBrokenText(text)).toBe(false),
  )
})

describe('the only item of a list', () => {
  it.each([
    ['a; b', '|'],
    ['a$$b', '|'],
    ['a|b', '+'],
    ['["a","b"]', '|'],
    ['{a,b}', '+'],
  ] as const)('looks like several: %s', (item, separator) => expect(isUnsplitList(item, separator)).toBe(true))

  it.each([
    ['a/b', '+'],
    ['[18F] FDG', '|'],
    ['a|b', '|'],
  ] as const)('is one: %s', (item, separator) => expect(isUnsplitList(item, separator)).toBe(false))
})

it('a text that is kept by a formula is the text between its quotes', () => {
  expect(textKeptByFormula('="1001"')).toBe('1001')
  expect(textKeptByFormula(' = "a ""b""" ')).toBe('a "b"')
  for (const cell of ['=1001', '="a"&"b"', '="a', 'x="a"', '=']) expect(textKeptByFormula(cell), cell).toBeUndefined()
})

it('a row repeats the header row in any case, and nothing less', () => {
  expect(repeatsHeader(['ID ', 'Name', ''], ['id', 'name'])).toBe(true)
  expect(repeatsHeader(['id', 'A'], ['id', 'name'])).toBe(false)
  expect(repeatsHeader(['', ''], ['', ''])).toBe(false)
})
