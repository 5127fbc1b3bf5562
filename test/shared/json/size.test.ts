import { expect, it } from 'vitest'
import { isLargerThan, parseExactJson } from '#shared/json/exact-numbers'

it.each([
  ['a text', 'x'.repeat(100), 102],
  ['a list', Array.from({ length: 100 }, () => 1), 201],
  ['an object', Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`n${100 + n}`, 1])), 901],
  ['a number as it is written', parseExactJson(`1.${'0'.repeat(98)}`), 100],
])('the size of %s is that of its JSON', (_, value, characters) => {
  expect(isLargerThan(characters - 1, value)).toBe(true)
  expect(isLargerThan(characters + 1, value)).toBe(false)
})
