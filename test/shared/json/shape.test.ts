import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonLimits, requireLimits } from '#shared/json/shape'
import { RECORDS_JSON_LIMITS } from '#shared/limits'
import { utf8Encoder } from '#shared/text/utf8'
import { errorsOf } from '../records/csv/support'

const LIMITS: JsonLimits = { depth: 3, containers: 4, values: 6 }

const check = (text: string, limits = LIMITS): void => requireLimits(utf8Encoder.encode(text), limits)

const codeOf = (text: string, limits = LIMITS): string | undefined => {
  const { status, errors } = errorsOf(() => check(text, limits))
  expect(status).toBe(400)
  expect(errors).toMatchObject([{ index: null, field: null, value: null }])
  return errors[0]?.code
}

describe('the shape of a JSON body', () => {
  it('ignores the content of strings', () => {
    const texts = ['[[[[{{{{', ',,,,,,,,,,', '"[[[[', '\\', '\\"[[[[,,,,,,']
    expect(() => check(JSON.stringify(texts))).not.toThrow()
    expect(codeOf('["\\\\",[[[]]]]')).toBe('too_deep')
    for (const text of ['"never closes [[[[[', ']]]]', '"\\', 'nonsense']) expect(() => check(text)).not.toThrow()
  })

  it('is measured as JSON.parse sees it, for any value', () => {
    const shape = (value: unknown): { depth: number; containers: number; values: number } => {
      if (typeof value !== 'object' || value === null) return { depth: 0, containers: 0, values: 0 }
      const inner = Object.values(value).map(shape)
      const sum = (name: 'containers' | 'values') => inner.reduce((total, one) => total + one[name], 0)
      const depth = 1 + Math.max(0, ...inner.map((one) => one.depth))
      // An empty container counts as one value, other containers as their elements.
      return { depth, containers: 1 + sum('containers'), values: Math.max(1, inner.length) + sum('values') }
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, spaced) => {
        const text = JSON.stringify(value, null, spaced ? 2 : 0)
        const exact = shape(value)
        expect(() => check(text, exact)).not.toThrow()
        for (const name of ['depth', 'containers', 'values'] as const) {
          if (exact[name] === 0) continue
          const code = name === 'depth' ? 'too_deep' : 'too_many'
          expect(codeOf(text, { ...exact, [name]: exact[name] - 1 })).toBe(code)
        }
      }),
    )
  })
})

it('a value outside the records may be nested 991 levels deep, in addition to its record and the list', () => {
  const nested = (levels: number) => `[{"unknown":${'['.repeat(levels)}${']'.repeat(levels)}}]`
  expect(() => check(nested(991), RECORDS_JSON_LIMITS)).not.toThrow()
  expect(codeOf(nested(992), RECORDS_JSON_LIMITS)).toBe('too_deep')
})
