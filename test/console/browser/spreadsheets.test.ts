import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { InputFile } from './files'
import { answerCells, choose, columnsAreRight, preview, written } from './upload-actions'
import { describeInBrowser, visitAt } from './visit'
import { newWorkspace, programToken, storedRecord } from './workspaces'

/** Files of a spreadsheet program; see the README beside them. */
const fixture = (name: string): InputFile => ({
  name,
  mimeType: name.endsWith('.csv') ? 'text/csv' : 'application/octet-stream',
  buffer: readFileSync(path.join(import.meta.dirname, '../../fixtures/spreadsheets', name)),
})

describeInBrowser('a file that a spreadsheet program wrote', (browser) => {
  // Of the three formats this one needs the most of the library for workbooks.
  it('is asked about if it shows something else than it holds, and written as the person says', async () => {
    const workspaceId = await newWorkspace('LibreOffice')
    const visit = await visitAt(browser(), 'LibreOffice', 'Upload')
    await choose(visit, fixture('formulary.ods'))
    await visit.page.getByRole('heading', { name: 'Medication id: 1 long number' }).waitFor()
    const sheets = visit.page.getByLabel('Sheet of the workbook').locator('option')
    expect(await sheets.allInnerTexts()).toEqual(['Read me', 'Formulary'])
    const examples = visit.page.getByRole('table', { name: 'Examples of Strength, rounded numbers' })
    expect((await examples.getByRole('row').allInnerTexts()).map((text) => text.split(/\s+/))).toEqual([
      ['Row', 'Shown', 'Stored'],
      ['4', '0.06', '0.0625'],
      ['5', '3', '2.5'],
      ['8', '0.06', '0.0625'],
    ])
    // One of its columns is hidden.
    await visit.page.getByText('Hidden in the spreadsheet', { exact: true }).waitFor()
    await columnsAreRight(visit)
    await answerCells(visit, 'Medication id, long numbers', /stored value, such as 123456789012/)
    await answerCells(visit, 'Strength, rounded numbers', /stored value/)
    await answerCells(visit, 'Strength, percentages', /stored value/)
    await answerCells(visit, 'Strength, dates', /The date/)
    await answerCells(visit, 'Strength, spreadsheet errors', /empty/)
    await visit.page.getByRole('button', { name: 'Read them too' }).click()
    await preview(visit)
    await visit.page.getByRole('button', { name: 'Add 19' }).click()
    await written(visit, 'medications')
    const token = await programToken(workspaceId)
    const stored = (id: string) => storedRecord(token, 'medication', id)
    expect(await stored('7')).toMatchObject({ name: 'Aspirin', strength: '0.0625', sku: '001234' })
    expect(await stored('00008')).toMatchObject({ name: 'Ибупрофен', strength: '2.5', sku: '01234' })
    expect(await stored('123456789012')).toMatchObject({ name: 'पैरासिटामोल', strength: '0.5' })
    expect(await stored('0009')).toMatchObject({ name: '阿司匹林', strength: '2025-10-05' })
    expect(await stored('F-1')).toMatchObject({ name: 'Naproxen sodium', strength: '0.0625' })
    await visit.end()
  })
})
