import { describe, expect, it } from 'vitest'
import {
  isBrokenText,
  isNullMarker,
  isRuledLine,
  isUnsplitList,
  repeatsHeader,
  sodiumIn,
  textKeptByFormula,
} from '#shared/records/text-faults'

it('a placeholder text is recognized in any case and form', () => {
  const markers = ['NULL', '\\N', '(null)', 'NaN', 'None', 'N/A', 'N / A', 'NA', 'n.a.', 'n.a', 'nil', 'Not applicable']
  for (const text of [...markers, '-', '–', 'TBD']) expect(isNullMarker(text), text).toBe(true)
  for (const text of ['Nasal', 'Null-Sieben', 'A', 'no', '0', 'tablet']) expect(isNullMarker(text), text).toBe(false)
})

it('sodium is not a missing value', () => {
  const isMissing = (text: string, name: string, idField: string) => isNullMarker(text, sodiumIn({ name }, idField))
  expect(isMissing('NA', 'medication_id', 'medication_id')).toBe(false)
  expect(isMissing('N/A', 'medication_id', 'medication_id')).toBe(true)
  for (const name of ['name', 'aliases', 'panel_members']) expect(isMissing('Na', name, 'lab_test_id')).toBe(false)
  expect(isMissing('NA', 'name', 'lab_test_id')).toBe(true)
  expect(isMissing('Na', 'unit', 'lab_test_id')).toBe(true)
  expect(isMissing('Na', 'name', 'medication_id')).toBe(true)
})

it('a ruled line only contains line characters', () => {
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

it('the text of a formula that protects a text is the text between its quotes', () => {
  expect(textKeptByFormula('="1001"')).toBe('1001')
  expect(textKeptByFormula(' = "a ""b""" ')).toBe('a "b"')
  for (const cell of ['=1001', '="a"&"b"', '="a', 'x="a"', '=']) expect(textKeptByFormula(cell), cell).toBeUndefined()
})

it('a row repeats the header row in any case, but not with only a part of its cells', () => {
  expect(repeatsHeader(['ID ', 'Name', ''], ['id', 'name'])).toBe(true)
  expect(repeatsHeader(['id', 'A'], ['id', 'name'])).toBe(false)
  expect(repeatsHeader(['', ''], ['', ''])).toBe(false)
})
