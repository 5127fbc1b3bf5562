import { read } from '@e965/xlsx'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readRows } from './files'
import { ACTIVE, listedMedications } from './listed'
import { button, filledWorkspace, said, search } from './record-pages'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { callService, DATASETS } from './workspaces'

describeInBrowser('the download of a catalog', (browser) => {
  let visit: Visit
  let token: string
  beforeAll(async () => {
    token = await filledWorkspace('Download', 'medication', [
      ...listedMedications(),
      { medication_id: '007', name: '=1+1', sku: '00012', manufacturer: '@SUM(A1)', is_active: false },
    ])
    visit = await visitAt(browser(), 'Download', 'Catalog')
  })
  afterAll(() => visit.end())

  const download = async (choice: string) => {
    await button(visit, 'Download').click()
    await visit.page.getByRole('menuitem', { name: choice, exact: true }).waitFor()
    const file = await visit.download(() => visit.page.getByRole('menuitem', { name: choice, exact: true }).click())
    await said(visit, 'The file is ready.')
    return file
  }
  const exported = async (query: string) =>
    Buffer.from(await (await callService(token, `${DATASETS}?type=medication&format=csv${query}`)).arrayBuffer())
  const rowsIn = (csv: Buffer) => csv.toString('utf8').trimEnd().split('\n').length - 1
  const sheetsIn = (bytes: Buffer) => {
    const { SheetNames, Sheets } = read(bytes, { dense: true, cellNF: true })
    return SheetNames.map((name) => ({ name, cells: Sheets[name]!['!data']! }))
  }

  it('as CSV is the file that the API exports, exactly, of all records or of those in the list', async () => {
    const expectFile = async (choice: string, query: string, rows: number) => {
      const { name, bytes } = await download(choice)
      expect(name).toBe('medication.csv')
      const expected = await exported(query)
      expect(bytes.equals(expected)).toBe(true)
      expect(rowsIn(expected)).toBe(rows)
    }
    await expectFile('All medications, inactive ones too (.csv)', '&show_inactive=1', ACTIVE + 2)
    await search(visit).fill('tablet 1')
    await visit.page.waitForURL('**/catalog?q=tablet+1')
    const found = rowsIn(await exported('&q=tablet+1&match=all&sort=match'))
    expect([1, ACTIVE].map((number) => Math.sign(found - number))).toEqual([1, -1])
    await said(visit, `${found} medications found`)
    await expectFile('The medications of this list (.csv)', '&q=tablet+1&match=all&sort=match', found)
  })

  it('as a workbook has the same cells, all of them text', async () => {
    const { name, bytes } = await download('All medications, inactive ones too (.xlsx)')
    expect(name).toBe('medication.xlsx')
    const [sheet, ...others] = sheetsIn(bytes)
    expect(others).toEqual([])
    expect(sheet!.name).toBe('Medications')
    const rows = readRows(await exported('&show_inactive=1'))
    const texts = sheet!.cells.map((cells) => rows[0]!.map((_, n) => cells?.[n]?.v ?? ''))
    expect(texts).toEqual(rows)
    const cells = sheet!.cells.flat().filter((cell) => cell !== undefined)
    expect(cells.every(({ t, z, f }) => t === 's' && z === '@' && f === undefined)).toBe(true)
    for (const text of ['007', '00012', '=1+1', '@SUM(A1)']) {
      expect(cells.some(({ v }) => v === text)).toBe(true)
    }
  })
})
