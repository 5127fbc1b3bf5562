import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { EXPORT_PAGE_ROWS } from '#shared/limits'
import { type Field, RECORD_TYPES } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { textKeptByFormula } from '#shared/records/text-faults'
import { catalogOfEachTest, type Fields, idsIn, newCatalog, type Query } from '../../../support/catalog'
import { bearer } from '../../../support/service'

const catalog = catalogOfEachTest()
const { record } = catalog

describe('an export', () => {
  it('is a CSV file with a byte order mark, asked for by format or by Accept', async () => {
    await catalog.write([record('a', { name: 'Café, "strong"', aliases: ['x', 'y'], generic_list: ['p', 'q'] })])
    const byFormat = await catalog.send('GET', '/', { format: 'csv' })
    const accept = (value: string, query = {}) => catalog.send('GET', '/', query, { headers: { Accept: value } })
    expect((await accept('text/csv')).text).toBe(byFormat.text)
    expect(byFormat.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(byFormat.headers.get('Content-Disposition')).toBe('attachment; filename="medication.csv"')
    expect(byFormat.headers.get('Vary')).toContain('Accept')
    const response = await catalog.fetch('/admin/datasets/v1/?type=medication&format=csv', {
      headers: bearer(catalog.workspace.token),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [header, line, end] = byFormat.text.split('\r\n')
    expect(header).toMatch(/^medication_id,name,display_name,aliases,/)
    expect(line).toMatch(/^a,"Café, ""strong""","Café, ""strong""",x\|y,.*p\+q/)
    expect(end).toBe('')
    for (const value of ['application/json', '*/*', 'text/html', 'text/csv;q=0.5, application/json']) {
      expect((await accept(value)).headers.get('Content-Type')).toContain('application/json')
    }
    expect((await accept('text/csv', { format: 'json' })).body).toMatchObject({ total: 1 })
    expect((await accept('application/json', { format: 'csv' })).text).toBe(byFormat.text)
  })

  it('defuses formulas with safe=1 only, as a diff does', async () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', 'x=1', "'=1"]
    await catalog.write(texts.map((text, n) => record(`=${n}`, { name: `x${text}`, manufacturer: `${text},"y"` })))
    const parsed = (csv: string) => Papa.parse<string[]>(csv.slice(1), { delimiter: ',', skipEmptyLines: true }).data
    const cells = async (query: Query) => {
      const [header, ...lines] = parsed(await catalog.export({ sort: 'id', ...query }))
      return lines.map((line) => [line[0], line[1], line[header!.indexOf('manufacturer')]])
    }
    const { items } = await catalog.list({ sort: 'id' })
    const stored = items.map(({ medication_id, name, manufacturer }) => [medication_id, name, manufacturer] as string[])
    expect(await cells({})).toEqual(stored)
    const defused = (cell: string) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)
    expect(await cells({ safe: 1 })).toEqual(stored.map((line) => line.map(defused)))
    await catalog.refused(400, catalog.send('GET', '/', { format: 'csv', safe: 'true' }))

    const query = { dry_run: true, include: 'diff', format: 'csv', safe: 1 }
    const diff = await catalog.post([record('=0', { name: '=2', manufacturer: '@b' })], query)
    const lines = parsed(diff.text).slice(1)
    expect(lines.length).toBeGreaterThan(1)
    for (const cell of lines.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
  })

  it('of an empty catalog is only the header, which can be uploaded', async () => {
    expect(await catalog.upload(await catalog.export())).toMatchObject({ total: 0, warnings: [] })
  })

  it('has every matching record once, without limit and offset, also over several pages', async () => {
    const total = EXPORT_PAGE_ROWS + 1
    await catalog.write(catalog.records(total, (n) => ({ is_active: n % 2 === 0, name: n % 5 ? 'common' : 'rare' })))
    const all = Array.from({ length: total }, (_, n) => n)
    const ids = (numbers: number[]) => numbers.map((n) => `r${n}`)
    const active = all.filter((n) => n % 2 === 0)
    expect(idsIn(await catalog.export({ limit: 1, offset: 5 }))).toEqual(ids(active))
    expect(idsIn(await catalog.export({ show_inactive: 1 }))).toEqual(ids(all))
    expect(idsIn(await catalog.export({ q: 'rare' }))).toEqual(ids(active.filter((n) => n % 5 === 0)))
    expect(idsIn(await catalog.export({ q: 'ar', show_inactive: 1 }))).toEqual(ids(all.filter((n) => n % 5 === 0)))
    const { items } = await catalog.list({ limit: 1 })
    await catalog.write([record('r7', { name: 'changed' })])
    expect(idsIn(await catalog.export({ updated_since: items[0]!.updated_at as string }))).toEqual(['r7'])
    expect(await catalog.reconcile([], { dry_run: true })).toMatchObject({ revision: 2 })
  })
})

/** Text that a cell can hold: not empty, no white space at the ends. */
const cellText = (max: number, banned = '') =>
  fc
    .string({
      unit: fc.constantFrom('a', 'Z', 'é', '語', '😀', ',', '"', ';', '\n', ' ', '=', '-', '|', '+', "'"),
      minLength: 1,
      maxLength: Math.min(max, 12),
    })
    .map((text) =>
      [...text]
        .filter((letter) => !banned.includes(letter))
        .join('')
        .trim(),
    )
    .filter((text) => text !== '' && !/^(?:PK|=")/.test(text) && textKeptByFormula(text) === undefined)

const cellValue = (field: Field): fc.Arbitrary<unknown> => {
  switch (field.kind) {
    case 'string':
      // A line end within a name is an error of a CSV row.
      return cellText(field.maxLength, field.name === 'name' ? '\n' : '')
    case 'list':
      return fc.array(cellText(field.maxLength, field.separator), { maxLength: 3 })
    case 'enum':
      return fc.constantFrom(...field.values)
    case 'boolean':
      return fc.boolean()
    case 'any':
      return fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 6 }).filter((text) => text.trim() !== '')
  }
}

it('a stored value of the form ="…" is the exception: an export of it is read as the text in it', async () => {
  await catalog.write([record('a', { name: '="007"' })])
  const file = await catalog.export()
  expect(await catalog.upload(file)).toMatchObject({ unchanged: 0, warnings: [{ code: 'formula_text' }] })
  expect(await catalog.get('a')).toMatchObject({ name: '007' })
})

describe.each(RECORD_TYPES)('records of the type %s', (name) => {
  const type = recordTypes[name]
  const fields = fc.record(
    Object.fromEntries(
      type.fields
        .filter((field) => field.name !== type.idField)
        .map((field) => [field.name, field.required ? cellValue(field) : fc.option(cellValue(field))]),
    ),
  )
  // A lab test of any kind with all of these meets its conditions.
  const conditions = name === 'lab_test' ? { specimen: 's', unit: 'u', panel_members: ['m'] } : {}
  const records = fc.array(fields, { minLength: 1, maxLength: 12 }).map((list) =>
    list.map((values, n): Fields => {
      const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
      return { [type.idField]: `id ${n}`, ...present, ...conditions }
    }),
  )

  it('are the same by JSON and by CSV; to upload an export or to send back a read changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (sent) => {
        const json = await newCatalog(name)
        const csv = await newCatalog(name)
        await json.write(sent)
        const file = await json.export({ show_inactive: 1 })
        const { warnings, ...again } = await json.upload(file, { mode: 'reconcile' })
        expect(again).toMatchObject({ total: sent.length, unchanged: sent.length, revision: 1 })
        expect(warnings.filter(({ msg }) => msg.includes('ignored'))).toEqual([])
        expect(await csv.upload(file)).toMatchObject({ inserted: sent.length })
        expect(await csv.contents()).toEqual(await json.contents())
        const read = (await json.list({ show_inactive: 1, limit: 1000 })).items
        expect(await json.write(read)).toMatchObject({ unchanged: sent.length, revision: 1 })
        expect(await csv.write(sent)).toMatchObject({ unchanged: sent.length, revision: 1 })
      }),
      { numRuns: 4 },
    )
  }, 30_000)
})
