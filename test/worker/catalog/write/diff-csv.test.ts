import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { DEFAULT_QUOTA, DIFF_PAGE_ROWS, MAX_JSON_RECORDS, MAX_PAGE_BYTES } from '#shared/limits'
import { MAX_CHUNK_CHARACTERS, MAX_CHUNKS } from '#worker/catalog/write/chunk-builder'
import { catalogOfEachTest, csvBody, DATASETS, type Fields, type Query, queryString } from '../../../support/catalog'
import { bearer, jsonBody } from '../../../support/service'
import { type DatabaseCall, serviceWith } from '../../storage/faulty-database'

const catalog = catalogOfEachTest()
const { record } = catalog

const PREVIEW = { dry_run: true, include: 'diff' }
const FILE = { ...PREVIEW, format: 'csv' }
const HEADER = 'change,id,name,field,old,new\r\n'

const linesIn = (csv: string): string[][] =>
  Papa.parse<string[]>(csv, { skipEmptyLines: true, newline: '\r\n' }).data.slice(1)

const fileOf = async (records: Fields[], query: Query = {}): Promise<string> => {
  const { status, text } = await catalog.post(records, { ...FILE, ...query })
  expect(status, text.slice(0, 300)).toBe(200)
  return text
}

const changesOf = async (records: Fields[], query: Query = {}) => linesIn(await fileOf(records, query))

describe('the diff as CSV', () => {
  it('is a file, requested by format or by Accept', async () => {
    await catalog.write([record('a')])
    const body = csvBody('id,name\na,"Café, ""strong"""\n', { Accept: 'text/csv' })
    const { text, headers } = await catalog.send('POST', '/', PREVIEW, body)
    expect(text).toBe(`${HEADER}updated,a,"Café, ""strong""",name,Name of a,"Café, ""strong"""\r\n`)
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="medication-changes.csv"')
    expect((await catalog.send('POST', '/', { dry_run: true }, body)).body).toMatchObject({ data: { updated: 1 } })
  })

  it('has a line for each changed or new field, and for each other change of a record', async () => {
    await catalog.write([
      record('left out'),
      record('changed', { aliases: ['x', 'y'], generic_list: ['p', 'q'], otc: true, refid: 'r' }),
      record('asleep', { is_active: false }),
      record('asleep, changed', { is_active: false, strength: '5mg' }),
      record('same'),
      record('switched off'),
    ])
    const sent = [
      record('asleep, changed', { strength: '=10mg' }),
      record('new', { aliases: ['x', 'y'], is_active: false }),
      record('same'),
      record('changed', { aliases: ['y'], refid: { n: 1 } }),
      record('switched off', { is_active: false }),
      record('asleep'),
    ]
    const expected = [
      ['reactivated', 'asleep, changed', 'Name of asleep, changed', '', '', ''],
      ['reactivated', 'asleep, changed', 'Name of asleep, changed', 'strength', '5mg', '=10mg'],
      ['inserted', 'new', 'Name of new', '', '', ''],
      ['inserted', 'new', 'Name of new', 'name', '', 'Name of new'],
      ['inserted', 'new', 'Name of new', 'aliases', '', 'x|y'],
      ['inserted', 'new', 'Name of new', 'is_active', '', 'false'],
      ['updated', 'changed', 'Name of changed', 'aliases', 'x|y', 'y'],
      ['updated', 'changed', 'Name of changed', 'generic_list', 'p+q', ''],
      ['updated', 'changed', 'Name of changed', 'otc', 'true', ''],
      ['updated', 'changed', 'Name of changed', 'refid', 'r', '{"n":1}'],
      ['deactivated', 'switched off', 'Name of switched off', '', '', ''],
      ['reactivated', 'asleep', 'Name of asleep', '', '', ''],
      ['deactivated', 'left out', 'Name of left out', '', '', ''],
    ]
    expect(await changesOf(sent, { mode: 'reconcile' })).toEqual(expected)
    expect(await changesOf(sent)).toEqual(expected.slice(0, -1))
    const deactivated = expected.filter(([change]) => change === 'deactivated')
    expect(await changesOf(sent, { mode: 'reconcile', change: 'deactivated' })).toEqual(deactivated)
    expect(await catalog.write([], { dry_run: true })).toMatchObject({ revision: 1 })
  })

  it('rejects invalid records and a stale revision with JSON, before it starts', async () => {
    await catalog.write([record('a')])
    const faulty = catalog.post([record('a', { otc: 'x' })], { ...FILE, expected_revision: 0 })
    expect((await catalog.refused(400, faulty)).errors).toMatchObject([{ field: 'otc' }])
    await catalog.refused(409, catalog.post([record('a')], { ...FILE, expected_revision: 0 }))
    expect(await fileOf([record('a')], { expected_revision: 1 })).toBe(HEADER)
  })
})

describe('the diff of a large catalog as CSV', () => {
  // More than one page and more than one chunk, and not an exact multiple of either.
  const total = DIFF_PAGE_ROWS + 507
  const changed = (n: number): boolean => n % 3 !== 0
  const numbers = Array.from({ length: total }, (_, n) => n)
  const long = (n: number) => ({ name: `${n} ${'x'.repeat(180)}`, sku: `${n}` })
  const sent = () => [
    ...catalog.records(total, (n) => ({ ...long(n), ...(changed(n) ? { strength: `new ${n}` } : {}) })),
    ...numbers.slice(0, 20).map((n) => record(`new ${n}`)),
  ]
  const leftOut = () => numbers.map((n) => record(`left out ${n}`))

  it('is complete within the thousand statements of an invocation', async () => {
    await catalog.write([...catalog.records(total, long), ...leftOut()])
    let statements = 0
    const counting = (call: DatabaseCall) => {
      statements += call.statements.length
      return call.run()
    }
    const { text } = await catalog.through(serviceWith(counting)).post(sent(), { ...FILE, mode: 'reconcile' })
    const lines = linesIn(text)
    const ids = (change: string) => [...new Set(lines.filter(([name]) => name === change).map(([, id]) => id))]
    expect(ids('updated')).toEqual(numbers.filter(changed).map((n) => `r${n}`))
    expect(ids('inserted')).toEqual(numbers.slice(0, 20).map((n) => `new ${n}`))
    expect(ids('deactivated')).toEqual(numbers.map((n) => `left out ${n}`).sort())
    expect(ids('reactivated')).toEqual([])
    for (const [, id, , field, old, value] of lines.filter(([name]) => name === 'updated')) {
      expect([field, old, value]).toEqual(['strength', '', `new ${id!.slice(1)}`])
    }
    const changes = numbers.filter(changed).length + total + 20
    const chunks = Math.ceil(JSON.stringify(sent()).length / MAX_CHUNK_CHARACTERS)
    // Two per page, one more page for each chunk and for the missing records, and a few before the first.
    expect(statements).toBeLessThanOrEqual(2 * (changes / DIFF_PAGE_ROWS + 2 * (chunks + 1)) + 6)
    const pages = (MAX_JSON_RECORDS + DEFAULT_QUOTA.records) / DIFF_PAGE_ROWS + 2 * MAX_CHUNKS
    const pagesByBytes = DEFAULT_QUOTA.bytes / MAX_PAGE_BYTES
    expect(2 * (pages + pagesByBytes)).toBeLessThan(1000)

    // It breaks off if the catalog changes while it is sent.
    const path = `${DATASETS}/${queryString({ type: 'medication', ...FILE })}`
    const init = jsonBody(sent(), bearer(catalog.workspace.token))
    const response = await catalog.fetch(path, { method: 'POST', ...init })
    expect(response.status).toBe(200)
    await catalog.write([record('meanwhile')])
    await expect(response.text()).rejects.toThrow('The catalog has changed')
  })
})
