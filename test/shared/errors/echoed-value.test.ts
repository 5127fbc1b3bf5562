import { expect, it } from 'vitest'
import { fieldError } from '#shared/errors/errors'
import { parseExactJson } from '#shared/json/exact-numbers'

const echoed = (value: unknown): unknown => fieldError(0, 'x', 'wrong_type', 'is wrong', value).value

it('an error repeats a short value, and the first 200 characters of a long one, with numbers as they are written', () => {
  expect(echoed(undefined)).toBeNull()
  for (const letter of ['x', '😀', '\0']) {
    expect(echoed(letter.repeat(200))).toBe(letter.repeat(200))
    expect(echoed(letter.repeat(201))).toBe(`${letter.repeat(200)}…`)
  }
  expect(JSON.stringify(echoed(parseExactJson('[1.0]')))).toBe('[1.0]')
  expect(echoed(parseExactJson(`[${'1.0,'.repeat(99)}1.0]`))).toBe(`[${'1.0,'.repeat(49)}1.0…`)
})
