import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { EXPORT_PAGE_ROWS } from '#shared/limits'
import { type Field, RECORD_TYPES } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { catalogOfEachTest, DATASETS, idsIn, newCatalog, type Query } from '../../../support/catalog'
import { bearer } from '../../../support/service'

const catalog = catalogOfEachTest()
const { record } = catalog

describe('an export', () => {
  it('is a CSV file with a byte order mark, requested by format or by Accept', async () => {
    await catalog.write([record('a', { name: 'Café, "strong"', aliases: ['x', 'y'], generic_list: ['p', 'q'] })])
    const accept = (value: string, query = {}) => catalog.send('GET', '/', query, { headers: { Accept: value } })
    const { text, headers } = await accept('application/json', { format: 'csv' })
    expect((await accept('text/csv')).text).toBe(text)
    expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="medication.csv"')
    expect(headers.get('Vary')).toContain('Accept')
    const file = await catalog.fetch(`${DATASETS}/?type=medication&format=csv`, {
      headers: bearer(catalog.workspace.token),
    })
    expect([...new Uint8Array(await file.arrayBuffer()).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(text.split('\r\n')[1]).toMatch(/^a,"Café, ""strong""","Café, ""strong""",x\|y,.*p\+q/)
    for (const value of ['*/*', 'text/csv;q=0.5, application/json']) {
      expect((await accept(value)).headers.get('Content-Type')).toContain('application/json')
    }
  })

  it('escapes formulas only with safe=1, like a diff', async () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', 'x=1', "'=1"]
    await catalog.write(texts.map((text, n) => record(`=${n}`, { manufacturer: `${text},"y"` })))
    const parsed = (csv: string) => Papa.parse<string[]>(csv.slice(1), { delimiter: ',', skipEmptyLines: true }).data
    const cells = async (query: Query) => {
      const [header, ...lines] = parsed(await catalog.export({ sort: 'id', ...query }))
      return lines.map((line) => [line[0], line[header!.indexOf('manufacturer')]])
    }
    const stored = texts.map((text, n) => [`=${n}`, `${text},"y"`])
    expect(await cells({})).toEqual(stored)
    const defused = (cell: string) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)
    expect(await cells({ safe: 1 })).toEqual(stored.map((line) => line.map(defused)))

    const query = { dry_run: true, include: 'diff', format: 'csv', safe: 1 }
    const diff = await catalog.post([record('=0', { name: '=2', manufacturer: '@b' })], query)
    const lines = parsed(diff.text).slice(1)
    expect(lines.length).toBeGreaterThan(1)
    for (const cell of lines.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
  })

  it('contains every matching record once, also across several pages', async () => {
    const total = EXPORT_PAGE_ROWS + 1
    await catalog.write(catalog.records(total, (n) => ({ is_active: n % 2 === 0, name: n % 5 ? 'common' : 'rare' })))
    const all = Array.from({ length: total }, (_, n) => n)
    const ids = (numbers: number[]) => numbers.map((n) => `r${n}`)
    const active = all.filter((n) => n % 2 === 0)
    expect(idsIn(await catalog.export({ limit: 1, offset: 5 }))).toEqual(ids(active))
    expect(idsIn(await catalog.export({ show_inactive: 1 }))).toEqual(ids(all))
    expect(idsIn(await catalog.export({ q: 'rare' }))).toEqual(ids(active.filter((n) => n % 5 === 0)))
    const { items } = await catalog.list({ limit: 1 })
    await catalog.write([record('r7', { name: 'changed' })])
    expect(idsIn(await catalog.export({ updated_since: items[0]!.updated_at as string }))).toEqual(['r7'])
  })
})

// test/shared/records/csv/write.test.ts covers reading back any written records.
it.each(RECORD_TYPES)('records of the type %s are the same from JSON and from CSV', async (name) => {
  const type = recordTypes[name]
  const text = ' é語😀,";\n= '
  const sampleOf = (field: Field): unknown => {
    if (field.name === 'name') return `${field.name} ${text.trim().replace('\n', '')}`
    if (field.kind === 'string') return `x${text}x`.slice(0, field.maxLength)
    if (field.kind === 'list') return ['a;b', `"${text.trim()}`]
    return field.kind === 'enum' ? field.values.at(-1) : field.kind === 'boolean' ? false : ' 007 '
  }
  const full = Object.fromEntries(type.fields.map((field) => [field.name, sampleOf(field)]))
  const [json, csv] = [await newCatalog(name), await newCatalog(name)]
  const sent = [{ ...full, [type.idField]: 'full' }, json.record('minimal')]
  await json.write(sent)
  const file = await json.export({ show_inactive: 1 })
  expect(await json.upload(file, { mode: 'reconcile' })).toMatchObject({ unchanged: 2, revision: 1 })
  expect(await csv.upload(file)).toMatchObject({ inserted: 2 })
  expect(await csv.contents()).toEqual(await json.contents())
  const { items } = await json.list({ show_inactive: 1 })
  expect(await json.write(items)).toMatchObject({ unchanged: 2, revision: 1 })
  expect(await csv.write(sent)).toMatchObject({ unchanged: 2, revision: 1 })
})
