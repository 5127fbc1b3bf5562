import fc from 'fast-check'
import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import { parseJsonObject } from '#shared/json/object'
import { decodeCanonicalBase64url } from '#worker/crypto/base64url'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('decodeCanonicalBase64url', () => {
  it('decodes every encoded text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(decodeCanonicalBase64url(base64url.encode(bytes))).toEqual(new Uint8Array(bytes))
      }),
    )
  })

  it('accepts one spelling of each value: decoding and encoding returns the same text', () => {
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
  it('rejects every object with a duplicate property, however it is written', () => {
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

  it('accepts a duplicate name in a nested object, and keeps a property called __proto__ as a property', () => {
    const nested = parseJsonObject(bytesOf('{"a":{"b":1,"b":2},"b":[{"a":1}]}'))
    expect(nested).toEqual({ a: { b: 2 }, b: [{ a: 1 }] })
    const object = parseJsonObject(bytesOf('{"__proto__":{"alg":"dir"}}'))
    expect(object?.alg).toBeUndefined()
    expect(Object.keys(object ?? {})).toEqual(['__proto__'])
  })

  it('rejects anything but an object, and bytes that are not UTF-8', () => {
    for (const text of ['', ' ', 'null', '[]', '7', '"a"', '{', '{"a":1}x', '{"a":1,}', '\ufeff{}'])
      expect(parseJsonObject(bytesOf(text)), text).toBeUndefined()
    expect(parseJsonObject(new Uint8Array([...bytesOf('{"a":"'), 0xe9, ...bytesOf('"}')]))).toBeUndefined()
  })
})
