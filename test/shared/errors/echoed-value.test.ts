import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldError } from '#shared/errors/errors'
import { parseExactJson } from '#shared/json/exact-numbers'

const echoed = (value: unknown): unknown => fieldError(0, 'x', 'wrong_type', 'is wrong', value).value

describe('the value that an error repeats', () => {
  it.each(['', 'a', 7, true, false, null, [], {}, [1, 'a', { b: null }], 'x'.repeat(200), '😀'.repeat(200)])(
    'is the value itself while it is short: %j',
    (value) => expect(echoed(value)).toBe(value),
  )

  it.each(['x', '語', '😀', '\0'])('is cut after 200 characters of a text of %j', (letter) => {
    expect(echoed(letter.repeat(201))).toBe(`${letter.repeat(200)}…`)
    expect(echoed(letter.repeat(5000))).toBe(`${letter.repeat(200)}…`)
  })

  it('is the beginning of the JSON text of any other long value, with numbers as they are written', () => {
    expect(echoed(undefined)).toBeNull()
    expect(echoed({ a: { b: Array(300).fill(1) } })).toBe(`${'{"a":{"b":[1'.padEnd(200, ',1')}…`)
    expect(JSON.stringify(echoed(parseExactJson('[1.0]')))).toBe('[1.0]')
    expect(echoed(parseExactJson(`[${'1.0,'.repeat(99)}1.0]`))).toBe(`[${'1.0,'.repeat(49)}1.0…`)
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        if (typeof value === 'string') return
        const characters = [...JSON.stringify(value)]
        expect(echoed(value)).toEqual(characters.length <= 200 ? value : `${characters.slice(0, 200).join('')}…`)
      }),
    )
  })
})
