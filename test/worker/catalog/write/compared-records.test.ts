import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { digestOf } from '#shared/text/digest'
import { catalogOfEachTest, type Fields, type Query } from '../../../support/catalog'
import { TestHistory } from '../../../support/history'
import { calling } from '../../../support/service'

const catalog = catalogOfEachTest()
const { record } = catalog

const PAD = 'x'.repeat(90)

/** More records than a request sends without comparing them. */
const many = (fields: (n: number) => Fields = () => ({})) =>
  catalog.records(900, (n) => ({ manufacturer: PAD, ...fields(n) }))

/** A file of records with these fields. */
const file = (fields: readonly string[], records: readonly Fields[]) =>
  `${[fields, ...records.map((one) => fields.map((name) => one[name] ?? ''))].map((cells) => cells.join(',')).join('\n')}\n`

const COMPARISON = 'substr(element.value'
const FACTS = 'as sample'

/** The same catalog with a database that runs something after a statement, by default after it has compared records. */
function through(times: number, act: () => Promise<unknown>, statement = COMPARISON) {
  let isDue = false
  let left = times
  const afterwards = async <Result>(result: Promise<Result>): Promise<Result> => {
    const given = await result
    if (isDue && left-- > 0) await act()
    isDue = false
    return given
  }
  const database = {
    withSession: (): object => database,
    getBookmark: () => null,
    prepare: (text: string) => {
      isDue ||= text.includes(statement)
      return {
        bind: (...values: unknown[]) => {
          const bound = env.DB.prepare(text).bind(...values)
          return { bound, all: () => afterwards(bound.all()) }
        },
      }
    },
    batch: (statements: { bound: D1PreparedStatement }[]) =>
      afterwards(env.DB.batch(statements.map(({ bound }) => bound))),
  }
  return catalog.through(calling(undefined, { ...env, DB: database as unknown as D1Database }))
}

describe('a large request', () => {
  const ids = ['quote "', 'back\\slash', 'tab\tin', 'é 😀', '1', '01', 'constructor', '__proto__']
  const odd = (fields: Fields = {}) => ids.map((id) => record(id, { refid: 1.5, aliases: ['"', '\\'], ...fields }))

  it('has the counts and the effect of a small one, in its order', async () => {
    await catalog.write([...many(), ...odd(), record('gone', { is_active: false }), record('left out')])
    const before = await catalog.contents()
    const changes = (n: number) => (n % 100 === 7 ? { strength: `${n} mg` } : n === 800 ? { is_active: false } : {})
    const sent = [record('new'), ...odd({ strength: '5' }), ...many(changes), record('gone')]
    const counts = { total: 910, inserted: 1, updated: 907, unchanged: 890, reactivated: 1, deactivated: 2 }
    const query = { mode: 'reconcile' }
    expect(await catalog.write(sent, { ...query, dry_run: true })).toMatchObject(counts)
    expect(await catalog.write(sent, query)).toMatchObject({ ...counts, revision: 2 })
    const contents = await catalog.contents()
    for (const [id, stored] of before) {
      const changed = sent.find((one) => one.medication_id === id) ?? { is_active: false }
      const { form_id, added_names, updated_at, ...fields } = stored
      expect(contents.get(id), id).toMatchObject({ ...fields, is_active: true, ...changed })
    }
    const { items } = await catalog.list({ limit: 10 })
    expect(items.map((item) => item.medication_id)).toEqual([
      'gone',
      ...[8, 7, 6, 5, 4, 3, 2, 1, 0].map((n) => `r${100 * n + 7}`),
    ])
    expect(await catalog.write(sent, query)).toMatchObject({ unchanged: 910, revision: 2 })
  })

  it('also detects changes since a restore', async () => {
    const haveDigests = async () => {
      const { results } = await env.DB.prepare('select digest, data from records').all<{
        digest: string
        data: string
      }>()
      return results.every(({ digest, data }) => digest === digestOf(data))
    }
    await catalog.write(many((n) => ({ strength: '1', is_active: n > 0 })))
    await catalog.write(many(() => ({ strength: '2' })))
    expect(await haveDigests()).toBe(true)
    expect(await new TestHistory(catalog).restore(1)).toMatchObject({ updated: 899, deactivated: 1 })
    expect(await haveDigests()).toBe(true)
    const sent = many((n) => ({ strength: n === 7 ? '3' : '1' }))
    expect(await catalog.write(sent)).toMatchObject({ updated: 899, unchanged: 898, reactivated: 1 })
    expect(await catalog.get('r7')).toMatchObject({ strength: '3' })
  })

  it('is written as a whole if most of its records differ', async () => {
    await catalog.write(many())
    expect(await catalog.write(many((n) => ({ strength: `${n}` })))).toMatchObject({ updated: 900, unchanged: 0 })
    expect(await catalog.get('r899')).toMatchObject({ strength: '899', manufacturer: PAD })
  })

  it('lists its errors in the order of its records, whether they are found before or after comparing', async () => {
    const labels = (n: number) => ({ strength: n === 600 ? 'x'.repeat(300) : 's', otc: n === 700 ? 'perhaps' : 'yes' })
    await catalog.write(many())
    const rows = many(labels).map((one): Fields => ({ ...one, name: '' }))
    rows[800] = { ...rows[800], medication_id: 'new' }
    rows[5] = { ...rows[5], medication_id: 'new too' }
    const text = file(['medication_id', 'strength', 'otc', 'manufacturer'], rows)
    const { errors } = await catalog.refused(400, catalog.postCsv(text, { keep_missing: true }))
    expect(errors.map(({ index, field }) => [index, field])).toEqual([
      [6, 'name'],
      [601, 'strength'],
      [701, 'otc'],
      [801, 'name'],
    ])
  })

  it('with few columns changes only these, in some round trips', async () => {
    await catalog.write(many((n) => ({ strength: '1', refid: { n }, aliases: ['a'], is_active: n > 3 })))
    const rows = many((n) => ({ strength: n % 50 === 0 ? '2' : '1' }))
    const text = file(['medication_id', 'name', 'strength', 'manufacturer'], rows)
    expect(await catalog.upload(text)).toMatchObject({ updated: 896, reactivated: 4, unchanged: 879, emptied: {} })
    expect(await catalog.get('r50')).toMatchObject({ strength: '2', refid: { n: 50 }, aliases: ['a'] })
    const all = file(
      ['medication_id', 'name', 'manufacturer'],
      many().map((one) => ({ ...one, manufacturer: 'M' })),
    )
    expect(await catalog.upload(all, { mode: 'reconcile' })).toMatchObject({ updated: 900, unchanged: 0, emptied: {} })
    expect(await catalog.get('r51')).toMatchObject({ strength: '1', refid: { n: 51 }, manufacturer: 'M' })
  })
})

/** Round trips to databases of a request. */
async function tripsOf(send: () => Promise<unknown>): Promise<number> {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  try {
    await send()
    return JSON.parse(log.mock.calls[0]![0]).round_trips
  } finally {
    log.mockRestore()
  }
}

const all = (n: number) => ({ manufacturer: `${n}${PAD}` })
const few = (n: number) => ({ manufacturer: n === 107 ? `${n}${PAD}` : PAD })

it.each([
  ['large request', 'few records differ', 3, {}, write, few],
  ['large request', 'all records differ', 2, {}, write, all],
  ['file without columns that records use', 'all records differ', 3, { aliases: ['a'] }, upload, all],
  ['file without columns that no record uses', 'few records differ', 3, {}, upload, few],
  ['file without columns that no record uses', 'all records differ', 2, {}, upload, all],
] as const)(
  'a %s of which %s needs as many round trips as it should: %d',
  async (_, __, trips, stored, send, fields) => {
    await catalog.write(many(() => stored))
    expect(await tripsOf(() => send(many(fields)))).toBe(trips)
    expect(await catalog.get('r107')).toMatchObject({ aliases: [], ...stored, ...fields(107) })
  },
)

function write(records: Fields[]) {
  return catalog.write(records)
}

function upload(records: Fields[]) {
  return catalog.upload(file(['medication_id', 'name', 'manufacturer'], records))
}

it('a large request is not compared with a catalog of a few records', async () => {
  await catalog.write(catalog.records(10))
  expect(await tripsOf(() => catalog.write(many()))).toBe(2)
})

it('a file that replaces a few records that use more columns than it has needs three round trips', async () => {
  await catalog.write([record('r1', { strength: '1' })])
  const sent = file(['medication_id', 'name', 'manufacturer'], many())
  expect(await tripsOf(() => catalog.upload(sent))).toBe(3)
  expect(await catalog.get('r1')).toMatchObject({ strength: '1', manufacturer: PAD })
})

it('a file that fits into memory only if no record is kept for another comparison is written', async () => {
  await catalog.write([record('r1', { strength: '1' })])
  const name = 'āxxx'.repeat(50)
  const rows = Array.from({ length: 38_000 }, (_, n) => `${n},${name}`)
  expect(await catalog.upload(`id,name\n${rows.join('\n')}\n`)).toMatchObject({ inserted: 38_000 })
}, 60_000)

describe('if the catalog changes after the comparison', () => {
  const FEW = file(
    ['medication_id', 'name', 'manufacturer'],
    many().map((one) => ({ ...one, manufacturer: 'M' })),
  )

  it.each([
    [
      'a large request',
      (through: typeof catalog, query: Query) =>
        through.post(
          many((n) => (n === 5 ? { strength: '5' } : {})),
          query,
        ),
    ],
    ['a file with few columns', (other: typeof catalog, query: Query) => other.postCsv(FEW, query)],
  ])('%s compares once more, and writes its records', async (_, send) => {
    await catalog.write(many(() => ({ strength: '1' })))
    let n = 0
    const other = () => catalog.write([record('r6', { manufacturer: `other ${n++}` })])
    for (const [comparisons, query] of [
      [1, { dry_run: true }],
      [1, {}],
      [3, {}],
    ] as const) {
      expect((await send(through(comparisons, other), query)).status).toBe(200)
      if (!('dry_run' in query))
        expect(await catalog.get('r6')).toMatchObject({ manufacturer: expect.not.stringContaining('other') })
    }
    const { status } = await send(through(1, other), { expected_revision: (await catalog.write([])).revision })
    expect(status).toBe(409)
  })

  describe('because a column that the file lacks gets its first value', () => {
    const other = () => catalog.write([record('r6', { strength: '6', manufacturer: PAD })])

    it('keeps it if few records differ', async () => {
      await catalog.write(many())
      const text = file(['medication_id', 'name', 'manufacturer'], many(few))
      for (const query of [{ dry_run: true, max_emptied: 0 }, {}]) {
        const { status, body } = await through(1, other).postCsv(text, query)
        expect([status, body]).toMatchObject([200, { data: { emptied: {} } }])
      }
      expect(await catalog.get('r6')).toMatchObject({ strength: '6', manufacturer: PAD })
      expect(await catalog.get('r107')).toMatchObject(few(107))
    })

    it.each([{}, { dry_run: true }, { expected_revision: 1 }])('is rejected if all differ: %j', async (query) => {
      await catalog.write(many())
      const text = file(['medication_id', 'name', 'manufacturer'], many(all))
      const { message } = await catalog.refused(409, through(1, other, FACTS).postCsv(text, query))
      expect(message).toContain('expected_revision' in query ? 'expected_revision' : 'send the request again')
      expect(await catalog.get('r6')).toMatchObject({ strength: '6', manufacturer: PAD })
      expect(await catalog.upload(text)).toMatchObject({ updated: 900, emptied: {} })
      expect(await catalog.get('r6')).toMatchObject({ strength: '6', ...all(6) })
    })
  })
})
