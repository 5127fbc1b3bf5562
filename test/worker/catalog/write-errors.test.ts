import { describe, expect, it } from 'vitest'
import { MAX_REQUEST_SEARCH_CHARACTERS } from '#shared/limits'
import { catalogOfEachTest, type Fields, newCatalog } from '../../support/catalog'

const catalog = catalogOfEachTest()
const { record } = catalog

const errorsOf = async (records: unknown) => (await catalog.refused(400, catalog.post(records))).errors

const nothingWritten = async () => {
  expect(await catalog.list({ show_inactive: 1 })).toMatchObject({ total: 0, items: [] })
}

describe('validation', () => {
  it('names every failing field of every failing record, in order, with the rejected value', async () => {
    const errors = await errorsOf([
      record('ok'),
      record('bad', { strength: 7, otc: 'true', generic_list: ['a', 'x'.repeat(101)] }),
      { name: '  ' },
      'text',
      null,
      [],
      7,
      record('bad too', { is_active: 'no', name: null }),
    ])
    const boolean = expect.stringMatching(/^must be true or false/)
    const object = 'must be an object with the fields of one record'
    const list = ['a', 'x'.repeat(101)]
    expect(errors.map(({ index, field, code, msg, value }) => [index, field, code, msg, value])).toEqual([
      [1, 'strength', 'wrong_type', 'must be a string', 7],
      [1, 'generic_list', 'too_long', 'item 2 must be at most 100 characters', list],
      [1, 'otc', 'wrong_type', boolean, 'true'],
      [2, 'medication_id', 'required', 'is required', null],
      [2, 'name', 'required', 'is required and must not be blank', '  '],
      ...['text', null, [], 7].map((value, n) => [3 + n, null, 'wrong_type', object, value]),
      [7, 'name', 'required', 'is required', null],
      [7, 'is_active', 'wrong_type', boolean, 'no'],
    ])
    expect(errors[1]).toMatchObject({ limit: 100, item: 2 })
    await nothingWritten()
  })

  it('refuses a whole write for one wrong record among thousands, in both modes and in a dry run', async () => {
    await catalog.write([record('kept')])
    const value = 'x'.repeat(65)
    const records = Array.from({ length: 2000 }, (_, n) => record(`n${n}`, n === 1321 ? { sku: value } : {}))
    for (const query of [{}, { mode: 'reconcile', confirm_shrink: true }, { dry_run: true }]) {
      const { errors } = await catalog.refused(400, catalog.post(records, query))
      const msg = 'must be at most 64 characters'
      expect(errors).toEqual([{ index: 1321, field: 'sku', code: 'too_long', msg, value, limit: 64 }])
    }
    expect(await catalog.ids({ show_inactive: 1 })).toEqual(['kept'])
  })

  it('lists every error without a limit', async () => {
    const errors = await errorsOf(Array.from({ length: 5000 }, () => ({})))
    expect(errors.map(({ index, field }) => `${index} ${field}`)).toEqual(
      Array.from({ length: 10_000 }, (_, n) => `${n >> 1} ${n % 2 === 0 ? 'medication_id' : 'name'}`),
    )
  })

  it('refuses an id that occurs twice, at every later place, naming the first, which may be invalid', async () => {
    const sent = [record('a', { name: '' }), record('b'), record('a'), record('A'), record('a', { sku: 7 })]
    const msg = 'occurs already at index 0; send each id once'
    const twice = { field: 'medication_id', code: 'duplicate_id', value: 'a', first_index: 0, msg }
    expect(await errorsOf(sent)).toEqual([
      expect.objectContaining({ index: 0, field: 'name', code: 'required' }),
      { index: 2, ...twice },
      { index: 4, ...twice },
      { index: 4, field: 'sku', code: 'wrong_type', msg: 'must be a string', value: 7 },
    ])
    await nothingWritten()
  })

  it('treats ids that differ by case, white space or normal form as different', async () => {
    const ids = ['a', 'A', ' a', 'a ', 'caf\u00e9', 'cafe\u0301', '1', '01', '1.0']
    expect(await catalog.write(ids.map((id) => record(id)))).toMatchObject({ inserted: ids.length })
    for (const id of ids) expect(await catalog.get(id)).toMatchObject({ medication_id: id })
  })

  it('refuses text that cannot be stored and returns the value as sent', async () => {
    const answer = await catalog.postText('[{"medication_id":"a","name":"x\\u0000","sku":"\\ud800"}]')
    expect(answer.status).toBe(400)
    // As JSON: a failing assertion with half a surrogate pair in it breaks the connection to the test runner.
    const broken = { index: 0, code: 'malformed' }
    const { errors } = answer.body as { errors: unknown[] }
    expect(JSON.parse(JSON.stringify(errors))).toEqual([
      { ...broken, field: 'name', msg: 'must not contain the character U+0000', value: 'x\0' },
      { ...broken, field: 'sku', msg: expect.stringContaining('half a surrogate pair'), value: '\ud800' },
    ])
  })

  it('refuses a record that is too large for the database, and takes one that just fits', async () => {
    const large = (length: number) => record('large', { refid: 'x'.repeat(length) })
    expect(await errorsOf([large(600_000)])).toMatchObject([
      { index: 0, field: 'refid', code: 'too_large', limit: 500_000, value: expect.stringMatching(/^x{200}…$/) },
    ])
    expect(await catalog.write([large(490_000)])).toMatchObject({ inserted: 1 })
    expect((await catalog.get('large')).refid).toHaveLength(490_000)
  })
})

describe('a body is refused', () => {
  it('that is no list of records, or not UTF-8', async () => {
    for (const text of ['{}', '{"records":null}', '{"records":{}}', 'null', '5', '"text"', 'true', '{"record":[]}']) {
      const { message } = await catalog.refused(400, catalog.postText(text))
      expect(message, text).toContain('list of records')
    }
    const headers = { 'Content-Type': 'application/json' }
    const latin = { headers, body: new Uint8Array([0x5b, 0x22, 0xe9, 0x22, 0x5d]) }
    expect((await catalog.refused(400, catalog.send('POST', '/', {}, latin))).message).toContain('UTF-8')
  })

  it('that is nested too deeply, with a clear answer', async () => {
    const deep = (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`
    for (const [field, deepest] of Object.entries({ name: 0, aliases: 0, refid: 990, unknown: 991 })) {
      for (const depth of [990, 991, 992, 200_000]) {
        const { status, text } = await catalog.postText(`[{"medication_id":"a","name":"n","${field}":${deep(depth)}}]`)
        expect(status, `${field} ${depth}: ${text.slice(0, 200)}`).toBe(depth <= deepest ? 200 : 400)
      }
    }
  })
})

it('names that search makes much longer are refused with one error if they are too much together', async () => {
  const idOf = (n: number) => `r${String(n).padStart(5, '0')}`
  const folded = 18 * 200 + 3 + idOf(0).length + 2
  const fitting = Math.floor(MAX_REQUEST_SEARCH_CHARACTERS / folded)
  const records = Array.from({ length: fitting + 50 }, (_, n) => record(idOf(n), { name: '\ufdfa'.repeat(200) }))
  expect(await errorsOf(records)).toMatchObject([{ index: fitting, field: 'name', code: 'too_large' }])
  await nothingWritten()
})

// Each such record fills more than half of a chunk, and a statement binds a hundred values.
it('records of very many characters that the database is sent as escapes are written or refused', async () => {
  const aliases = Array.from({ length: 260 }, (_, n) => 100 + n + '\u0001'.repeat(195)).join('|')
  const rows = (count: number) =>
    `id,name,aliases\n${catalog
      .records(count)
      .map((_, n) => `r${n},n,${aliases}\n`)
      .join('')}`
  const { message, errors } = await catalog.refused(400, catalog.postCsv(rows(76)))
  expect(errors).toMatchObject([{ index: null, field: null, code: 'too_large' }])
  expect(message).toContain('send fewer records at a time')
  await nothingWritten()
  expect(await catalog.upload(rows(75), { mode: 'reconcile' })).toMatchObject({ inserted: 75 })
})

describe('fields that a type does not have', () => {
  it('are ignored and named once each', async () => {
    const result = await catalog.write([
      record('a', { colour: 'red', __proto__x: 1 }),
      record('b', { colour: 'blue', size: 4, _errors: 'of a CSV file' }),
      record('c', { constructor: 1, toString: 2, Name: 'x', 'medication_id ': 'y' }),
    ])
    const names = ['colour', '__proto__x', 'size', '_errors', 'constructor', 'toString', 'Name', 'medication_id ']
    expect(result.warnings).toEqual(names.map((field) => ({ field, msg: 'unknown field, ignored' })))
    expect(Object.keys(await catalog.get('a'))).not.toContain('colour')
  })

  it('are named a hundred at most, by the beginning of a long name, and the rest is counted', async () => {
    const many = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`x${from + n}`, n]))
    const { warnings } = await catalog.write([
      record('a', { ['y'.repeat(300)]: 1, ...many(0, 60) }),
      record('b', many(30, 130)),
      record('c', many(0, 150)),
    ])
    expect(warnings).toHaveLength(101)
    expect([warnings[0]!.field, warnings[99]!.field]).toEqual([`${'y'.repeat(200)}…`, 'x98'])
    // 31 of the second record and 51 of the third.
    const msg = 'ignored 82 times: unknown fields or columns beside these'
    expect(warnings[100]).toEqual({ field: '*', msg })
    const columns = Array.from({ length: 150 }, (_, n) => `unheard of ${n}`)
    const { warnings: ofFile } = await catalog.upload(`id,name,${columns}\na,A`)
    expect(ofFile).toHaveLength(101)
    expect(ofFile[100]).toMatchObject({ field: '*', msg: expect.stringContaining('50 times') })
  })

  it('are beside the list too', async () => {
    const { body } = await catalog.postText('{"records":[{"medication_id":"a","name":"n"}],"note":true}')
    const msg = 'sent beside the records, ignored; parameters are sent in the address'
    expect(body).toMatchObject({ data: { dry_run: false, warnings: [{ field: 'note', msg }] } })
  })

  it('warn also of `__proto__`, which gives a record nothing', async () => {
    const text = '[{"medication_id":"a","name":"n","__proto__":{"sku":"stolen","aliases":["x"]}}]'
    const { body } = await catalog.postText(text)
    expect(body).toMatchObject({ data: { warnings: [{ field: '__proto__' }] } })
    expect(await catalog.get('a')).toMatchObject({ sku: null, aliases: [] })
  })

  it('are ignored without a warning when they are read-only fields', async () => {
    const sent = record('a', { updated_at: '1999-01-01T00:00:00.000Z', form_id: 'syrup', form_name: 'tablet' })
    const wrong = record('b', { updated_at: 7, form_id: { any: 'thing' } })
    expect(await catalog.write([sent, wrong])).toMatchObject({ inserted: 2, warnings: [] })
    const { form_id, updated_at } = await catalog.get('a')
    expect(form_id).toBe('tablet')
    expect(Date.parse(updated_at as string)).toBeGreaterThan(Date.now() - 60_000)
  })
})

it('fields of imaging on another lab test are stored, with one warning each', async () => {
  const labTests = await newCatalog('lab_test')
  const fields: Fields = { body_part: 'Chest', laterality: 'left', view: 'AP' }
  const imaging = labTests.record('x', { kind: 'imaging', ...fields })
  const sent = [imaging, labTests.record('y', fields), labTests.record('z', fields)]
  const { warnings } = await labTests.write(sent)
  expect(warnings.map(({ field }) => field)).toEqual(['body_part', 'laterality', 'view'])
  expect(await labTests.get('y')).toMatchObject(fields)
  const blank = labTests.record('w', { body_part: null, view: '' })
  expect(await labTests.write([imaging, blank])).toMatchObject({ warnings: [], unchanged: 1 })
})
