import { describe, expect, it } from 'vitest'
import { parseExactRecords } from '#records/exact-records'

/** The `refid` of each record as JSON text. */
const refids = (text: string, name?: string): string[] => {
  const body = parseExactRecords(text) as Record<string, unknown>
  const list = (name === undefined ? body : body[name]) as unknown as Record<string, unknown>[]
  return list.map((record) => JSON.stringify(record.refid))
}

describe('the numbers of a refid', () => {
  it('are kept as they are written, in every record', () => {
    const text =
      '[ {"name":"a, ]} \\"","refid":1.0}, {"refid":[1e400,{"x":-0.0}]},{},{"refid":"1.0"},{"refid":12345678901234567890} ]'
    expect(refids(text)).toEqual(['1.0', '[1e400,{"x":-0.0}]', undefined, '"1.0"', '12345678901234567890'])
  })

  it('are kept in an object that holds the list, beside other members and under a name that is escaped', () => {
    const text =
      '{"x":[1,{"refid":2.0}],"y":"]\\\\","rec\\u006frds" : [{"r\\u0065fid":1.0}],"z":{"records":[3.0]}}'
    expect(refids(text, 'records')).toEqual(['1.0'])
  })

  it('are those of the last member when a name occurs twice', () => {
    expect(refids('{"records":[{"refid":1.0}],"records":[{"refid":2.0},{"refid":3.0}]}', 'records')).toEqual([
      '2.0',
      '3.0',
    ])
    expect(refids('[{"refid":1.0,"refid":2.00}]')).toEqual(['2.00'])
  })

  it('change nothing else: values that are no records stay unchanged', () => {
    expect(parseExactRecords('[1.0, "refid", null, [{"refid":1.0}], {"refid":null}]')).toEqual([
      1,
      'refid',
      null,
      [{ refid: 1 }],
      { refid: null },
    ])
    expect(() => parseExactRecords('[{"refid":1.0}')).toThrow(SyntaxError)
  })
})
