import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ApiError } from '#shared/errors/errors'
import { jsonSource } from '#shared/records/json-source'
import { atOnce } from '#shared/work'
import { errorsOf } from './csv/support'

const sourceOf = (text: string) => atOnce(jsonSource(new TextEncoder().encode(text)))

const recordsOf = (text: string): unknown[] =>
  [...sourceOf(text).records].flatMap((row) => (row.index === null ? [] : [row.record]))

/** The `refid` of each record as JSON text. */
const refids = (text: string): string[] =>
  (recordsOf(text) as Record<string, unknown>[]).map((record) => JSON.stringify(record.refid))

it('the numbers of a refid are kept as written, in every record, whatever contains the list', () => {
  const list =
    '[ {"name":"a, ]} \\"","refid":1.0}, {"refid":[1e400,{"x":-0.0}]},{},{"refid":"1.0"},{"refid":12345678901234567890} ]'
  expect(refids(list)).toEqual(['1.0', '[1e400,{"x":-0.0}]', undefined, '"1.0"', '12345678901234567890'])
  const object = '{"x":[1,{"refid":2.0}],"y":"]\\\\","rec\\u006frds" : [{"r\\u0065fid":1.0}],"z":{"records":[3.0]}}'
  expect(refids(object)).toEqual(['1.0'])
  expect(refids('[{"refid":1.0,"refid":2.00}]')).toEqual(['2.00'])
  const others = '[1.0, "refid", null, [{"refid":1.0}], {"refid":null}]'
  expect(JSON.stringify(recordsOf(others))).toBe('[1.0,"refid",null,[{"refid":1.0}],{"refid":null}]')
})

/** More than a chunk of a list. */
const LONG = 'x'.repeat(300_000)

describe('a list that is parsed in chunks', () => {
  it.each([
    ['a list', (list: string) => ` \n${list} `],
    ['an object with the list', (list: string) => `\ufeff{"count": 1, "items" : ${list}, "next": [1, {"a": 2}]}`],
  ])('contains the records that JSON.parse finds: %s', (_, body) => {
    const records = [{ a: LONG }, { b: '",]}[{' }, [{ c: [1] }], null, { d: LONG, e: { f: {} } }, 'é', {}, 7]
    for (const space of [0, 1]) expect(recordsOf(body(JSON.stringify(records, null, space)))).toEqual(records)
    expect(recordsOf(body('[]'))).toEqual([])
    expect(recordsOf(body(' [ ] '))).toEqual([])
  })

  it('is rejected if JSON.parse rejects it', () => {
    const good = JSON.stringify([{ a: 'é' }, { b: LONG }, { c: [1, { d: 2 }] }, { e: LONG }, { f: 1 }], null, 1)
    const broken = fc
      .tuple(fc.integer({ min: 0, max: good.length }), fc.constantFrom('', ',', ']', '}', '"', '[', 'x', '\n', ':'))
      .map(([at, text]) => good.slice(0, at) + text + good.slice(at + 1))
    const nearAnEnd = fc
      .tuple(
        fc.constantFrom(0, 1, 20, 300_030, 300_090, 600_140),
        fc.nat(60),
        fc.constantFrom('', ',', ']', '}', '"', '[', 'x'),
      )
      .map(([from, offset, text]) => good.slice(0, from + offset) + text + good.slice(from + offset + 1))
    fc.assert(
      fc.property(fc.oneof(broken, nearAnEnd), fc.boolean(), (list, isWrapped) => {
        const text = isWrapped ? `{"x":[1],"items":${list}}` : list
        let parsed: unknown
        try {
          parsed = JSON.parse(text)
        } catch {
          expect(() => sourceOf(text)).toThrow('The body is not valid JSON: ')
          return
        }
        expect(recordsOf(text)).toEqual(isWrapped ? (parsed as { items: unknown }).items : parsed)
      }),
      { numRuns: 25 },
    )
  })

  it.each([
    [`[{"a":"${LONG}"},]`, 'JSON: nothing follows a comma, behind the record at index 0.'],
    [`[{"a":"${LONG}"},{"b":"secret" "c"}]`, "JSON: Expected ',' or '}' after property value, behind the record at"],
    [`{"items":[{"a":"${LONG}"},{}]} x`, 'JSON: Unexpected non-whitespace character after JSON.'],
    ['   ', 'is empty'],
  ])('is rejected with what is wrong, without a value of the body (%#)', (text, message) => {
    expect(() => sourceOf(text)).toThrow(message)
  })

  it.each(['{}', '{"records":null}', '{"records":{}}', 'null', '5', '"text"', '{"record":[]}'])(
    'must exist in a body: %s is rejected',
    (text) => expect(() => sourceOf(text)).toThrow('list of records'),
  )

  it.each([
    ['x', { code: 'malformed', value: null }],
    [' ', { code: 'malformed', value: null }],
    ['{"record":[1]}', { code: 'wrong_type', value: { record: [1] } }],
  ])('that cannot be read has one error, of no record: %s', (text, error) => {
    let thrown: unknown
    try {
      sourceOf(text)
    } catch (refusal) {
      thrown = refusal
    }
    expect((thrown as ApiError).details.errors).toMatchObject([{ index: null, field: null, ...error }])
  })

  it('is in UTF-8', () => {
    expect(() => atOnce(jsonSource(new Uint8Array([0x5b, 0x22, 0xe9, 0x22, 0x5d])))).toThrow('UTF-8')
  })

  it('is parsed in steps', () => {
    const reading = jsonSource(new TextEncoder().encode(`[${Array(20).fill(`{"a":"${LONG}"}`)}]`))
    let steps = 0
    for (let next = reading.next(); !next.done; next = reading.next()) steps++
    expect(steps).toBeGreaterThan(5)
  })
})

describe('a body with too much content', () => {
  it.each(['{"records":[],"items":null}', '{"records":[{}],"x":1,"records":[]}'])(
    'is rejected because it has two lists: %s',
    (text) => {
      const errors = [{ index: null, field: 'items', code: 'conditional' }]
      expect(errorsOf(() => sourceOf(text))).toMatchObject({ status: 400, errors })
    },
  )

  it.each([
    ['250,000 values in one record', `[{"a":[1${',1'.repeat(250_000)}]}]`, 250_000],
    ['50,000 members in one record', `[{${Array.from({ length: 50_001 }, (_, n) => `"${n}":0`)}}]`, 50_000],
    ['the same next to the list', `{${Array.from({ length: 50_001 }, (_, n) => `"${n}":0`)},"items":[]}`, 50_000],
  ])('is rejected before it is parsed: %s', (_, text, limit) => {
    expect(errorsOf(() => sourceOf(text)).errors).toMatchObject([{ code: 'too_many', limit }])
  })
})

it('properties next to the list are reported, except those of a page, which may reveal that it is incomplete', () => {
  const page = '"items":[],"count":0,"total":0,"limit":100,"offset":0,"has_more":false'
  expect(sourceOf(`{"dry_run":true,${page},"type":"symptom"}`).propertiesBeside).toEqual([
    ['dry_run', true],
    ['type', 'symptom'],
  ])
  expect(sourceOf('[]').propertiesBeside).toEqual([])
  const partialOf = (body: object) => sourceOf(JSON.stringify(body)).partialError?.field
  expect(partialOf({ items: [], has_more: true })).toBe('has_more')
  expect(partialOf({ count: 1, total: 2, records: [{}] })).toBe('count')
  expect(partialOf({ items: [], has_more: false, count: 2, total: 2 })).toBeUndefined()
  expect(partialOf([{ has_more: true }])).toBeUndefined()
})
