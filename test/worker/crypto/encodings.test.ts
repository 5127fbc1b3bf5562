import fc from 'fast-check'
import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import { parseJsonObject } from '#shared/json/object'
import { decodeCanonicalBase64url } from '#worker/crypto/base64url'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('decodeCanonicalBase64url', () => {
  it('decodes every text that encoding gives', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(decodeCanonicalBase64url(base64url.encode(bytes))).toEqual(new Uint8Array(bytes))
      }),
    )
  })

  it('takes one spelling of each value: what it decodes is encoded the same', () => {
    const characters = fc.constantFrom(...'AQgwZz09-_+/= \n'.split(''))
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 9 }), (text) => {
        const bytes = decodeCanonicalBase64url(text)
        if (bytes) expect(base64url.encode(bytes)).toBe(text)
      }),
    )
  })
})

describe('parseJsonObject', () => {
  it('refuses every object that has a member twice, however it is written', () => {
    const escaped = (name: string): string =>
      `"${[...name].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.jsonValue(), fc.boolean(), (name, value, asEscapes) => {
        const first = `${JSON.stringify(name)}:${JSON.stringify(value)}`
        const second = `${asEscapes ? escaped(name) : JSON.stringify(name)} : 1`
        expect(parseJsonObject(bytesOf(`{${first},"between":[{}],${second}}`))).toBeUndefined()
      }),
    )
  })

  it('accepts a name that occurs twice in a nested object, and keeps a member called __proto__ a member', () => {
    const nested = parseJsonObject(bytesOf('{"a":{"b":1,"b":2},"b":[{"a":1}]}'))
    expect(nested).toEqual({ a: { b: 2 }, b: [{ a: 1 }] })
    const object = parseJsonObject(bytesOf('{"__proto__":{"alg":"dir"}}'))
    expect(object?.alg).toBeUndefined()
    expect(Object.keys(object ?? {})).toEqual(['__proto__'])
  })

  it('refuses what is no object, and bytes that are not UTF-8', () => {
    for (const text of ['', ' ', 'null', '[]', '7', '"a"', '{', '{"a":1}x', '{"a":1,}', '\ufeff{}'])
      expect(parseJsonObject(bytesOf(text)), text).toBeUndefined()
    expect(parseJsonObject(new Uint8Array([...bytesOf('{"a":"'), 0xe9, ...bytesOf('"}')]))).toBeUndefined()
  })
})
