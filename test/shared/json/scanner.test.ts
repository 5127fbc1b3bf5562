import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { membersOf, repeatedMember } from '#shared/json/members'
import { endOfLongString, endOfString, endOfValue } from '#shared/json/scanner'
import { stringMembers } from '#shared/json/string-members'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Texts with many quotes and backslashes, some of them longer than what is compared byte by byte. */
const awkward = fc.string({
  unit: fc.constantFrom('"', '\\', 'a', 'é', '𝒳', '[', '}', ',', ':'),
  maxLength: 300,
})

describe('the scanner of JSON', () => {
  it('finds the end of every string', () => {
    fc.assert(
      fc.property(awkward, fc.string(), (value, rest) => {
        const text = JSON.stringify(value)
        for (const find of [endOfString, endOfLongString])
          expect(find(bytesOf(`${text}${rest}`), 0)).toBe(bytesOf(text).length - 1)
      }),
    )
  })

  it('finds no end of a string that nothing closes', () => {
    for (const text of ['"', '"a', '"\\"', `"${'a'.repeat(200)}`, `"${'a'.repeat(100)}\\"`, '"\\'])
      for (const find of [endOfString, endOfLongString]) expect(find(bytesOf(text), 0)).toBe(text.length)
  })

  it('finds the end of a string of escaped quotes, however long it is', () => {
    const bytes = bytesOf(`"${'\\"'.repeat(500_000)}"`)
    for (const find of [endOfString, endOfLongString]) expect(find(bytes, 0)).toBe(bytes.length - 1)
  })

  it('finds the end of every value in a list', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), awkward), { minLength: 1 }), (values) => {
        const bytes = bytesOf(JSON.stringify(values))
        const found: unknown[] = []
        for (let at = 1; at < bytes.length; ) {
          const end = endOfValue(bytes, at)
          found.push(JSON.parse(textOf(bytes.subarray(at, end))))
          at = end + 1
        }
        expect(found).toEqual(JSON.parse(JSON.stringify(values)))
      }),
    )
  })

  it('finds the members of every object, and the first one that occurs twice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(awkward, fc.jsonValue()), { maxLength: 8 }),
        fc.boolean(),
        (members, spaced) => {
          const gap = spaced ? ' \n' : ''
          const written = members.map(
            ([name, value]) => `${JSON.stringify(name)}${gap}:${gap}${JSON.stringify(value)}`,
          )
          const bytes = bytesOf(`{${gap}${written.join(`${gap},${gap}`)}${gap}}`)
          const found = [...membersOf(bytes)].map(({ name, start, end }) => [
            name,
            JSON.parse(textOf(bytes.subarray(start, end))),
          ])
          expect(found).toEqual(members.map(([name, value]) => [name, JSON.parse(JSON.stringify(value))]))
          const names = members.map(([name]) => name)
          expect(repeatedMember(bytes)).toBe(names.find((name, at) => names.indexOf(name) < at))
        },
      ),
    )
  })
})

describe('stringMembers', () => {
  const wanted = new Set(['a', 'b'])

  it('reads the strings that it is asked for, beside members of any kind', () => {
    fc.assert(
      fc.property(awkward, awkward, fc.jsonValue({ maxDepth: 2 }), fc.boolean(), (a, b, other, marked) => {
        const text = `${marked ? '\uFEFF' : ''} {"a" : ${JSON.stringify(a)}, "other":${JSON.stringify(other)} ,"b":${JSON.stringify(b)}}\n`
        expect(stringMembers(bytesOf(text), wanted)).toEqual(
          new Map([
            ['a', a],
            ['b', b],
          ]),
        )
      }),
    )
  })

  it.each([
    ['a list', '["a"]'],
    ['a value that is no string', '{"a":1}'],
    ['a member that occurs twice', '{"a":"1","a":"2"}'],
    ['an ignored member that occurs twice', '{"x":1,"\\u0078":2}'],
    ['text behind the object', '{"a":"1"}}'],
    ['a string that never closes', '{"a":"1'],
    ['an ignored value that is not JSON', '{"x":[1,],"a":"1"}'],
    ['an ignored value of more than 16 KB', `{"x":[${'1,'.repeat(10_000)}1],"a":"1"}`],
    ['more than 100 ignored members', `{${Array.from({ length: 101 }, (_, n) => `"x${n}":1`).join()}}`],
  ])('refuses %s', (_, text) => {
    expect(stringMembers(bytesOf(text), wanted)).toBeUndefined()
  })

  it('ignores a long string, and refuses bytes that are not UTF-8', () => {
    expect(stringMembers(bytesOf(`{"x":"${'y'.repeat(100_000)}","a":"1"}`), wanted)).toEqual(
      new Map([['a', '1']]),
    )
    expect(
      stringMembers(new Uint8Array([...bytesOf('{"a":"'), 0xe9, ...bytesOf('"}')]), wanted),
    ).toBeUndefined()
  })
})
