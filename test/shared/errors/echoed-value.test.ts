import { expect, it } from 'vitest'
import { fieldError } from '#shared/errors/errors'
import { parseExactJson } from '#shared/json/exact-numbers'

const echoed = (value: unknown): unknown => fieldError(0, 'x', 'wrong_type', 'is wrong', value).value

it('an error repeats the first 200 characters of a value', () => {
  expect(echoed(undefined)).toBeNull()
  for (const letter of ['x', '😀', '\0']) {
    expect(echoed(letter.repeat(200))).toBe(letter.repeat(200))
    expect(echoed(letter.repeat(201))).toBe(`${letter.repeat(200)}…`)
  }
  expect(JSON.stringify(echoed(parseExactJson('[1.0]')))).toBe('[1.0]')
})

it('a long list or object stays a list or object, and is truncated inside', () => {
  expect(echoed(Array.from({ length: 300 }, () => 'ab'))).toEqual([...Array(66).fill('ab'), 'a…', '…'])
  expect(echoed(['x'.repeat(150), 'y'.repeat(150), 'z'])).toEqual(['x'.repeat(150), `${'y'.repeat(48)}…`, '…'])
  expect(echoed({ a: 'x'.repeat(300), b: 1 })).toEqual({ a: `${'x'.repeat(197)}…`, '…': '…' })
  expect(echoed({ a: [[['x'.repeat(300)]]], b: 1 })).toEqual({ a: [[[`${'x'.repeat(194)}…`]]], '…': '…' })
  const many = parseExactJson(`[${'1.0,'.repeat(999)}1.0]`)
  expect(JSON.stringify(echoed(many))).toBe(`[${'1.0,'.repeat(199)}"…"]`)
  expect(echoed(parseExactJson(`1.${'0'.repeat(300)}`))).toBe(1)
})
