import { beforeEach, expect, it, vi } from 'vitest'
import { catalogOfEachTest, type Fields, type Query } from '../../../support/catalog'
import { TestHistory } from '../../../support/history'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)

/** Round trips to databases of the last request: one, if a file was not read. */
let trips: number
/** Rows that it read. */
let rowsRead: number

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation((line: string) => {
    const { round_trips, rows_read } = JSON.parse(line)
    trips = round_trips ?? trips
    rowsRead = rows_read ?? rowsRead
  })
})

const records = (fields: Fields = {}) =>
  catalog.records(900, (n) => ({ manufacturer: 'x'.repeat(90), loinc: n === 7 ? '12' : undefined, ...fields }))
const sent = records({ color: 'red', form_name: 'unheard of' })

const withoutIds = ({ batch_id, epoch, ...result }: Fields) => result

it.each([{}, { mode: 'reconcile' }, { keep_missing: true }])(
  'the same file as last time is not read: %j',
  async (query) => {
    const first = await catalog.write(sent, query)
    expect(trips).toBeGreaterThan(1)
    for (const key of ['a', 'b']) {
      const answer = await catalog.post(sent, { ...query, max_shrink: 5 }, { 'Idempotency-Key': key })
      const again = (answer.body as { data: typeof first }).data
      expect(withoutIds(again)).toEqual({
        ...withoutIds(first),
        inserted: 0,
        updated: 900,
        unchanged: 900,
        active_before: 900,
        idempotency_key: key,
      })
      expect(again.warnings.length).toBeGreaterThan(1)
      expect(again).toMatchObject({ epoch: first.epoch, batch_id: expect.not.stringMatching(first.batch_id!) })
      // One of them looks for the key.
      expect(trips).toBe(2)
      expect(rowsRead).toBeLessThan(50)
      const { body } = await history.send('GET', `/uploads/${again.batch_id}`)
      expect(body).toMatchObject({ data: { outcome: 'unchanged', revision: 1 } })
      const replay = await catalog.post(sent, { ...query, max_shrink: 5 }, { 'Idempotency-Key': key })
      expect(replay.body).toMatchObject({ data: again })
    }
  },
)

it('a file is read after any other write, and if it is sent with other parameters', async () => {
  const isRead = async (text: unknown[], query: Query = {}) => {
    await catalog.write(text, query)
    return trips > 1
  }
  await catalog.write(sent)
  expect(await isRead(sent)).toBe(false)
  expect(await isRead(sent, { mode: 'reconcile' })).toBe(true)
  expect(await isRead(sent, { mode: 'reconcile' })).toBe(false)
  expect(await isRead(sent, { keep_missing: true })).toBe(true)
  expect(await isRead(sent, { keep_missing: true })).toBe(false)
  await catalog.write([catalog.record('r1', { name: 'Other' })])
  expect(await isRead(sent)).toBe(true)
  expect(await catalog.get('r1')).toMatchObject({ name: 'Name of r1' })
  await history.send('POST', '/restore', { revision: 1, confirm_shrink: true })
  expect(await isRead(sent)).toBe(true)
  await catalog.refused(409, catalog.post(sent, { expected_revision: 1 }))
})

it('a file with very many warnings is read again', async () => {
  const many = records().map((one, n) => ({
    ...one,
    [`${'z'.repeat(190)}${n}`]: 1,
  }))
  const first = await catalog.write(many)
  expect(JSON.stringify(first.warnings).length).toBeGreaterThan(16_384)
  const { warnings } = await catalog.write(many)
  expect(warnings).toEqual(first.warnings)
  expect(trips).toBeGreaterThan(1)
})
