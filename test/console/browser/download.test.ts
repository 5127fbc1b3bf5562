import { read } from '@e965/xlsx'
import { expect, it } from 'vitest'
import { readRows } from './files'
import { button, said } from './steps'
import { describeInBrowser, visitAt } from './visit'
import { callService, DATASETS, filledWorkspace } from './workspaces'

describeInBrowser('the download of a catalog', (browser) => {
  it('equals the file that the API exports', async () => {
    const token = await filledWorkspace('Download', 'medication', [
      { medication_id: 'M1', name: 'Tablet 1' },
      { medication_id: 'M2', name: 'Other' },
      { medication_id: '007', name: '=1+1', sku: '00012', manufacturer: '@SUM(A1)', is_active: false },
    ])
    const visit = await visitAt(browser(), 'Download', 'Catalog')
    const download = async (choice: string) => {
      await button(visit, 'Download').click()
      const item = visit.page.getByRole('menuitem', { name: choice, exact: true })
      await item.waitFor()
      const file = await visit.download(() => item.click())
      await said(visit, 'The file is ready.')
      return file
    }
    const exported = async (query: string) =>
      Buffer.from(await (await callService(token, `${DATASETS}?type=medication&format=csv${query}`)).arrayBuffer())
    const all = await exported('&show_inactive=1')
    expect(readRows(all)).toHaveLength(4)
    expect(await download('All medications, inactive ones too (.csv)')).toEqual({ name: 'medication.csv', bytes: all })

    const { name, bytes } = await download('All medications, inactive ones too (.xlsx)')
    expect(name).toBe('medication.xlsx')
    const { SheetNames, Sheets } = read(bytes, { dense: true })
    expect(SheetNames).toEqual(['Medications'])
    const sheet = Sheets.Medications!['!data']!
    const rows = readRows(all)
    expect(sheet.map((cells) => rows[0]!.map((_, column) => cells?.[column]?.v ?? ''))).toEqual(rows)

    await visit.follow('/console/medication/catalog?q=tablet+1')
    await said(visit, '1 medication found')
    const listed = await exported('&q=tablet+1&match=all&sort=match')
    expect(readRows(listed)).toHaveLength(2)
    expect((await download('The medications of this list (.csv)')).bytes).toEqual(listed)
  })
})
