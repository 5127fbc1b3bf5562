import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InputFile } from './files'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { newWorkspace, programToken, storedRecord } from './workspaces'

/** Files of a spreadsheet program; see the README beside them. */
const fixture = (name: string): InputFile => ({
  name,
  mimeType: name.endsWith('.csv') ? 'text/csv' : 'application/octet-stream',
  buffer: readFileSync(path.join(import.meta.dirname, '../../fixtures/spreadsheets', name)),
})

const choose = (visit: Visit, name: string) =>
  visit.page.locator('input[type=file]').setInputFiles(fixture(name))

const preview = (visit: Visit) => visit.page.getByRole('heading', { name: 'What would change' }).waitFor()

const answer = (visit: Visit, field: string, name: RegExp) =>
  visit.page
    .getByRole('radiogroup', { name: `What is written for ${field}?` })
    .getByRole('radio', { name })
    .click()

describeInBrowser('a file that a spreadsheet program wrote', (browser) => {
  describe.each(['xlsx', 'xls', 'ods'])('formulary.%s', (format) => {
    let visit: Visit
    let workspaceId: string

    beforeAll(async () => {
      workspaceId = await newWorkspace(`${format} of LibreOffice`)
      visit = await visitAt(browser(), `${format} of LibreOffice`, 'Upload')
    })
    afterAll(() => visit.end())

    it('is asked about if it shows something else than it holds, and written as the person says', async () => {
      await choose(visit, `formulary.${format}`)
      const sheets = visit.page.getByLabel('Sheet of the workbook')
      await sheets.selectOption('Formulary')
      expect(await sheets.locator('option').allInnerTexts()).toEqual(['Read me', 'Formulary'])
      await visit.page.getByText('Choose what is written for 2 columns').waitFor()
      const examples = visit.page.getByRole('table', { name: 'Examples of Strength' })
      expect((await examples.getByRole('row').allInnerTexts()).map((text) => text.split(/\s+/))).toEqual([
        ['Row', 'Shows', 'Holds'],
        ['4', '0.06', '0.0625'],
        ['5', '3', '2.5'],
        ['6', '50%', '0.5'],
        ['7', '5-Oct', '2025-10-05'],
        ['8', '0.06', '0.0625'],
      ])
      await answer(visit, 'Medication id', /holds, such as 123456789012/)
      await answer(visit, 'Strength', /holds/)
      await preview(visit)
      for (const warning of ['2 hidden rows are read too', 'holds an error']) {
        await visit.page.getByText(warning).waitFor()
      }
      await visit.expectGood()
      await visit.page.getByRole('button', { name: 'Add 19' }).click()
      await visit.page.getByText('The medications are up to date').waitFor()
      const token = await programToken(workspaceId)
      const stored = (id: string) => storedRecord(token, 'medication', id)
      expect(await stored('7')).toMatchObject({ name: 'Aspirin', strength: '0.0625', sku: '001234' })
      expect(await stored('00008')).toMatchObject({ name: 'Ибупрофен', strength: '2.5', sku: '01234' })
      expect(await stored('123456789012')).toMatchObject({ name: 'पैरासिटामोल', strength: '0.5' })
      expect(await stored('0009')).toMatchObject({ name: '阿司匹林', strength: '2025-10-05' })
      expect(await stored('F-1')).toMatchObject({ name: 'Naproxen sodium', strength: '0.0625' })
    })
  })

  it.each([
    ['diagnoses-tab-utf-16.csv', 'UTF-16', 'tab', ['Кашель, сухой', 'सिरदर्द', '頭痛; 発熱']],
    [
      'diagnoses-semicolon-windows-1252.csv',
      'Windows-1252 (Western European)',
      'semicolon',
      ['Müdigkeit „chronisch“; unklar', 'Sjögren’s disease – 5 €'],
    ],
  ])('is read in its encoding and with its separator, %s', async (name, encoding, separator, names) => {
    await newWorkspace(name)
    const visit = await visitAt(browser(), name, 'Upload')
    await visit.chooseCatalog('Diagnoses')
    await choose(visit, name)
    await preview(visit)
    const facts = visit.page.getByRole('region', { name })
    for (const fact of [encoding, separator]) await facts.getByText(fact).first().waitFor()
    for (const text of names) await visit.page.getByRole('cell', { name: text }).first().waitFor()
    await visit.expectGood()
    await visit.end()
  })
})
