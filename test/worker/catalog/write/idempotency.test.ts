import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  type Answer,
  catalogOfEachTest,
  dataOf as data,
  newCatalog,
  type Query,
  type WriteResult,
} from '../../../support/catalog'
import { TestHistory } from '../../../support/history'
import { held, TestUploads } from '../../../support/uploads'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)

const KEY = 'nightly 2026-11-23'

const JSON_TYPE = { 'Content-Type': 'application/json' }

const send = (records: unknown, query: Query = {}, headers: Record<string, string> = {}, key = KEY) =>
  catalog.send('POST', '/', query, {
    headers: { ...JSON_TYPE, 'Idempotency-Key': key, ...headers },
    body: typeof records === 'string' ? records : JSON.stringify(records),
  })

const dataOf = (answer: Answer) => data<WriteResult>(answer)

const isReplayed = ({ headers }: Answer) => headers.get('Idempotency-Replayed') === 'true'

const writes = async () => (await history.writes()).items.length

describe('a write with an Idempotency-Key', () => {
  it('is applied once, and a repetition returns the first response', async () => {
    const first = await send([catalog.record('a'), catalog.record('b')])
    await catalog.write([catalog.record('a', { strength: '5 mg' })])
    const again = await send([catalog.record('a'), catalog.record('b')])
    expect([isReplayed(first), isReplayed(again)]).toEqual([false, true])
    expect(dataOf(again)).toEqual(dataOf(first))
    expect((again.body as { message: string }).message).toBe('2 records written: 2 inserted')
    expect((await catalog.get('a')).strength).toBe('5 mg')
    const uploads = new TestUploads(catalog)
    expect(await uploads.outcomes()).toEqual(['written', 'written'])
    const other = await newCatalog()
    expect(isReplayed(await other.post([other.record('b')], {}, { 'Idempotency-Key': KEY }))).toBe(false)
    await catalog.refused(422, send([]))
    expect((await uploads.outcomes())[0]).toBe('invalid')
  })

  it('has the key in its result, also in a repetition', async () => {
    const once = [catalog.record('a')]
    expect(dataOf(await send(once)).idempotency_key).toBe(KEY)
    expect(dataOf(await send(once)).idempotency_key).toBe(KEY)
    expect(dataOf(await catalog.post(once)).idempotency_key).toBeNull()
    expect(dataOf(await send(once, { dry_run: true }))).not.toHaveProperty('idempotency_key')
  })

  it('is the same if a parameter is sent with its default value', async () => {
    await send([catalog.record('a')])
    const written = { dry_run: false, mode: 'upsert', confirm_shrink: false, keep_missing: false, allow_emptied: '' }
    expect(isReplayed(await send([catalog.record('a')], written))).toBe(true)
    expect(isReplayed(await send([catalog.record('a')], { hold: false }))).toBe(true)
    expect((await send([catalog.record('a')], { max_shrink: 50 })).status).toBe(422)
  })

  it('is applied once if it is sent many times in parallel', async () => {
    const records = catalog.records(20)
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(records, { expected_revision: 0 })))
    for (const answer of answers) expect(dataOf(answer)).toMatchObject({ inserted: 20, revision: 1 })
    expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1)
    expect(await writes()).toBe(1)
  })

  it('returns 422 if another body is sent at the same time, and one of them is written', async () => {
    const answers = await Promise.all([1, 2, 3].map((count) => send(catalog.records(count))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
    expect(await writes()).toBe(1)
  })

  it('may be compressed the second time', async () => {
    const json = JSON.stringify([catalog.record('b')])
    expect(isReplayed(await send(json))).toBe(false)
    const headers = { ...JSON_TYPE, 'Content-Encoding': 'gzip', 'Idempotency-Key': KEY }
    expect(isReplayed(await catalog.send('POST', '/', {}, { headers, body: gzipSync(json) }))).toBe(true)
  })

  it('returns 422 with another request, and writes nothing', async () => {
    const csv = { 'Content-Type': 'text/csv' }
    dataOf(await send('id,name\na,A\n', {}, csv))
    const others = [
      send('id,name\na,B\n', {}, csv),
      send('id,name\na,A\n', {}, { 'Content-Type': 'text/csv; charset=windows-1251' }),
      send('id,name\na,A\n', { mode: 'reconcile' }, csv),
      send('id,name\na,A\n', { max_emptied: 0 }, csv),
      send([{}]),
    ]
    for (const other of others) await catalog.refused(422, other)
    expect(await writes()).toBe(1)
  })

  it('uses up a key only if it is applied', async () => {
    await catalog.refused(400, send([{}]))
    await catalog.refused(409, send([], { expected_revision: 7 }))
    expect(isReplayed(await send([catalog.record('a')], { dry_run: true }))).toBe(false)
    expect(isReplayed(await send([catalog.record('a')], { dry_run: true }, {}, 'x'.repeat(256)))).toBe(false)
    expect(isReplayed(await send([catalog.record('b')]))).toBe(false)
    expect(isReplayed(await send([catalog.record('b')], { dry_run: true }))).toBe(false)
  })

  it('returns 400 for a key that is not 1 to 255 printable ASCII characters', async () => {
    for (const key of ['', 'x'.repeat(256), 'é']) {
      const { errors } = await catalog.refused(400, send([catalog.record('a')], {}, {}, key))
      expect(errors).toMatchObject([{ field: 'Idempotency-Key', code: 'malformed' }])
    }
    dataOf(await send([catalog.record('a')], {}, {}, 'x'.repeat(255)))
  })
})

it('a restore or an undo with an Idempotency-Key is applied once', async () => {
  const restore = (path: string, query: Query, key = KEY) =>
    history.send('POST', path, query, { 'Idempotency-Key': key })
  const { batch_id } = await catalog.upload('id,name\na,A\n')
  await catalog.write([catalog.record('b')])
  const first = await restore('/restore', { revision: 1 })
  await catalog.write([catalog.record('c')])
  const again = await restore('/restore', { revision: 1 })
  expect(dataOf(again)).toEqual(dataOf(first))
  expect([first, again].map(isReplayed)).toEqual([false, true])
  await catalog.refused(422, restore('/restore', { revision: 0 }))
  await catalog.refused(422, restore(`/writes/${batch_id}/undo`, {}))
  const undone = await restore(`/writes/${batch_id}/undo`, {}, 'undo')
  expect(dataOf(await restore(`/writes/${batch_id}/undo`, {}, 'undo'))).toEqual(dataOf(undone))
  expect(await catalog.ids()).toEqual(['c'])
})

it('the write of a pending upload with an Idempotency-Key is applied once, even if the file is gone', async () => {
  const { uploadId } = await held(catalog, [catalog.record('a')])
  const write = (query: Query = {}) =>
    history.send('POST', `/uploads/${uploadId}/write`, query, { 'Idempotency-Key': KEY })
  const answers = await Promise.all([write(), write(), write()])
  expect(answers.map(dataOf).map(({ inserted }) => inserted)).toEqual([1, 1, 1])
  expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1)
  expect(isReplayed(await write())).toBe(true)
  await catalog.refused(422, write({ confirm_shrink: true }))
  await catalog.refused(410, history.send('POST', `/uploads/${uploadId}/write`))
})
