import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newCatalog, type TestCatalog } from '../support/catalog'
import { callService, jsonBody } from '../support/service'

let catalog: TestCatalog

/** The round trips to databases from the log line of each request. */
let trips: number[]

beforeEach(async () => {
  catalog = await newCatalog()
  trips = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => {
    const { round_trips: count } = JSON.parse(line)
    if (count !== undefined) trips.push(count)
  })
})

afterEach(() => vi.restoreAllMocks())

const bearer = () => ({ Authorization: `Bearer ${catalog.workspace.token}` })

const CALLS: [string, number, () => Promise<unknown>][] = [
  ['a list', 1, () => catalog.list()],
  ['a list of what matches', 1, () => catalog.list({ q: 'name' })],
  ['a record', 1, () => catalog.get('a')],
  ['the switch', 1, () => catalog.searchStatus()],
  ['the batches', 1, () => catalog.batches()],
  ['a write', 1, () => catalog.write([catalog.record('b')])],
  ['a reconcile', 1, () => catalog.reconcile([catalog.record('a'), catalog.record('b')])],
  ['a dry run', 1, () => catalog.write([catalog.record('c')], { dry_run: true })],
  [
    'a dry run with its diff',
    1,
    () => catalog.write([catalog.record('c')], { dry_run: true, include: 'diff' }),
  ],
  ['a change of the switch', 1, () => catalog.setSearch(true)],
  [
    'a registration',
    1,
    () =>
      callService('/registration/v1/init', {
        method: 'POST',
        ...jsonBody({ mobile_number: '+919876543210' }, bearer()),
      }),
  ],
]

describe('the round trips of a request to databases, one after another', () => {
  it('are two when the credential must be read, one of them for the credential', async () => {
    await catalog.write([catalog.record('a')])
    expect(trips).toEqual([2])
  })

  it.each(CALLS)('for %s with a cached credential: %i', async (_, count, send) => {
    await catalog.write([catalog.record('a')])
    await send()
    expect(trips.at(-1)).toBe(count)
  })
})
