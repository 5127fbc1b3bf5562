import { describe, expect, it } from 'vitest'
import { catalogOfEachTest } from '../../support/catalog'

const catalog = catalogOfEachTest()

const write = (refid: string, key = 'refid') =>
  catalog.postText(`[{"medication_id":"a","name":"n",${JSON.stringify(key)}:${refid}}]`)

/** The text of `refid` in the response. */
const read = async (): Promise<string> => {
  const { text } = await catalog.send('GET', '/a/')
  return /"refid":(.*),"added_names"/.exec(text)![1]!
}

const VALUES = [
  ...['"  \\" \\\\ \\n \\u0001 é 😀  "', 'false', '[]', '{}', '-0', '1.0', '1E+2', '-98765432109876543210.5', '1e400'],
  ...['{"n":12345678901234567890,"o":{"deep":[1,[2.50],null,1e999]}}', '{"refid":{"refid":1.0}}'],
  ...['{"__proto__":{"x":1},"constructor":2}', '{"medication_id":"other","name":7}'],
]

describe('refid', () => {
  it('is returned as it was sent', async () => {
    const body = `[${VALUES.map((json, n) => `{"medication_id":"${n + 10}","name":"n","refid":${json}}`)}]`
    expect((await catalog.postText(body)).status).toBe(200)
    const { text } = await catalog.send('GET', '/', { sort: 'id' })
    expect(Array.from(text.matchAll(/"refid":(.*?),"added_names"/g), ([, json]) => json)).toEqual(VALUES)
    expect((await catalog.postText(body)).body).toMatchObject({ data: { unchanged: VALUES.length } })
  })

  it('keeps each value as it was written', async () => {
    await write('1.0')
    for (const [json, stored] of [
      ['1', '1'],
      ['1.00', '1.00'],
      ['"a\\u0000b\\ud800"', '"a\\u0000b\\ud800"'],
      ['null', 'null'],
    ] as const) {
      expect((await write(json)).body, json).toMatchObject({ data: { updated: 1, unchanged: 0 } })
      expect(await read()).toBe(stored)
    }
  })

  it('may be nested 990 levels deep and not one more', async () => {
    const nested = (levels: number) =>
      `${'[{"a":'.repeat(levels / 2)}${levels % 2 ? '[]' : '1'}${'}]'.repeat(levels / 2)}`
    expect((await write(nested(990))).status).toBe(200)
    expect(await read()).toBe(nested(990))
    expect(await catalog.ids({ q: 'n', match: 'all', sort: 'match' })).toEqual(['a'])
    const changed = await catalog.write([catalog.record('a')], { dry_run: true })
    expect(changed).toMatchObject({ updated: 1, emptied: { refid: 1 } })
    const exact = nested(990).replace('1', '1.0')
    expect((await write(exact)).status).toBe(200)
    expect(await read()).toBe(exact)
    const { errors } = await catalog.refused(400, write(nested(991)))
    expect(errors).toMatchObject([{ index: 0, field: 'refid', msg: 'must not be nested deeper than 990 levels' }])
  })
})
