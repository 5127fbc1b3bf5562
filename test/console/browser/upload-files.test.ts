import { utils, write } from '@e965/xlsx'
import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { csvFile, type InputFile } from './files'
import { answerCells, button, changedRow, choose, columnsAreRight, outcome, preview, written } from './steps'
import { describeInBrowser, visitAt } from './visit'
import { newWorkspace, programToken, storedRecord, writeRecords } from './workspaces'

/** A workbook whose cells display other values than they contain. */
function workbook(): InputFile {
  const sheet = utils.aoa_to_sheet([
    ['Code', 'Name', 'Strength', 'SKU', 'Active'],
    ['007', 'Aspirin', 0.5, 'a', true],
    [8, 'Ibuprofen', 0.0625, 'b', false],
    [123456789012, 'Paracetamol', 45935, 'c', true],
  ])
  for (const [address, format] of Object.entries({ C2: '0.00" mg"', C3: '0.00', C4: 'd-mmm' }))
    sheet[address].z = format
  sheet['!rows'] = [{}, {}, { hidden: true }]
  sheet.D4 = { t: 'e', v: 0x2a, w: '#N/A' }
  const book = utils.book_new(utils.aoa_to_sheet([['Notes']]), 'Read me')
  utils.book_append_sheet(book, sheet, 'Formulary')
  const buffer: Buffer = write(book, { type: 'buffer', bookType: 'xlsx' })
  return { name: 'formulary.xlsx', mimeType: '', buffer }
}

const rowsOf = (lines: readonly string[], separator = ',') => lines.map((line) => line.split(separator))

/** Opens the upload page of a new workspace. */
async function begin(browser: Browser) {
  const token = await programToken(await newWorkspace('Spreadsheets'))
  const visit = await visitAt(browser, 'Spreadsheets', 'Upload')
  const sent: string[] = []
  // There may be additional requests that look up IDs.
  visit.page.on('request', (request) => {
    if (request.headers()['content-type']?.startsWith('text/csv')) sent.push(request.url())
  })
  return { visit, token, page: visit.page, sent, stored: (id: string) => storedRecord(token, 'medication', id) }
}

describeInBrowser('a file from a spreadsheet program', (browser) => {
  it('is read with its separator and the encoding that the user chooses, for the catalog that it fits', async () => {
    const { visit, page } = await begin(browser())
    const symptoms = rowsOf(['symptom_id;name', 'S1;Kopfschmerz, müde'], ';')
    await choose(visit, csvFile('symptome.csv', symptoms, 'latin1', ';'))
    await page.getByText('This looks like a file with symptoms').waitFor()
    expect(await outcome(visit).count()).toBe(0)
    await button(visit, 'Upload symptoms').click()
    await page.getByRole('radiogroup', { name: 'Right version' }).getByText('Western European').click()
    await preview(visit)
    await page.getByRole('region', { name: 'symptome.csv' }).getByText('1 row, 2 columns are read').waitFor()
    await page.getByRole('rowheader', { name: 'Kopfschmerz, müde' }).waitFor()
    await button(visit, 'Cancel').click()
    await visit.chooseCatalog('Medications')
    await page.getByText('Drop a file with medications here').waitFor()
  })

  it('may be a workbook that displays other values than it contains, and the user chooses', async () => {
    const { visit, page, sent, stored } = await begin(browser())
    await choose(visit, workbook())
    await page.getByRole('heading', { name: 'Strength: 1 date' }).waitFor()
    expect(await page.getByLabel('Sheet of the workbook').inputValue()).toBe('Formulary')
    const texts = await page
      .getByRole('table', { name: 'Examples of Strength, dates' })
      .getByRole('row')
      .allInnerTexts()
    expect(texts.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'Row Name Shown Stored',
      expect.stringMatching(/^4 \S.* 5-Oct 2025-10-05$/),
    ])
    await visit.expectGood()
    await answerCells(visit, 'Medication ID, long numbers', /stored value, such as 123456789012/)
    await answerCells(visit, 'Strength, rounded numbers', /stored value/)
    await answerCells(visit, 'Strength, dates', /Type it here/)
    await page.getByLabel('Strength in row 4').fill('5-10')
    expect(sent).toEqual([])
    await button(visit, 'Use these values').click()
    await answerCells(visit, 'SKU, spreadsheet errors', /as it is/)
    await button(visit, 'Include it').click()
    await preview(visit)
    await button(visit, 'Add 3').click()
    await written(visit, 'medications')
    expect(await stored('007')).toMatchObject({ strength: '0.50 mg' })
    expect(await stored('8')).toMatchObject({ strength: '0.0625' })
    expect(await stored('123456789012')).toMatchObject({ strength: '5-10' })
  })

  it('gets the IDs of the catalog if it has lost their zeros', async () => {
    const { visit, page, token, sent, stored } = await begin(browser())
    const before = { strength: '0.50 mg', manufacturer: 'Bayer' }
    await writeRecords(token, 'medication', [
      { medication_id: '007', name: 'Aspirin', ...before },
      { medication_id: '8', name: 'Ibuprofen' },
    ])
    const lines = ['id,name,sku', '7,Aspirin,S7', '1.23457E+11,Paracetamol,', '8\u200b,Ibuprofen,']
    await choose(visit, csvFile('zeros.csv', rowsOf(lines)))
    await answerCells(visit, 'Medication ID, shortened numbers', /as it is/)
    const notice = page.getByRole('alert').filter({ hasText: '2 new IDs look like others' })
    await notice.getByText('Row 2, Aspirin: 7 → 007').waitFor()
    await notice.getByText('Row 4, Ibuprofen: 8⟨U+200B⟩ → 8').waitFor()
    expect(await button(visit, 'Add 3').isDisabled()).toBe(true)
    await notice.getByText('Row 4').click()
    await notice.getByRole('button', { name: 'Use the catalog’s ID' }).click()
    await page.getByText('1 new ID looks like another one').waitFor()
    expect(await preview(visit)).toBe('Adds 2, updates 1, deactivates none')
    expect(await changedRow(visit, '007').locator('ins').allInnerTexts()).toEqual(['S7'])
    await page.getByRole('checkbox', { name: /These are different medications/ }).check()
    await button(visit, 'Add 2, update 1').click()
    await written(visit, 'medications')
    // Once as chosen, and once with the other ID.
    expect(sent).toHaveLength(2)
    expect(await stored('007')).toMatchObject({ ...before, sku: 'S7' })
  })

  it('may have similar headers: its columns are shown, changed and remembered', async () => {
    const { visit, page, stored } = await begin(browser())
    const rows = rowsOf(['id,name,strenght,Box', 'T1,Naproxen,250 mg,blister'])
    const field = (header: string) => page.getByLabel(`Field for the column ${header}`)
    await choose(visit, csvFile('titles.csv', [['Price list', '', '', ''], ...rows]))
    await page.getByRole('heading', { name: 'Are these columns right?' }).waitFor()
    expect(await outcome(visit).count()).toBe(0)
    expect(await field('strenght').inputValue()).toBe('strength')
    await page.getByText('Guessed from the header').waitFor()
    await page.getByText('Ignored: the header is unknown').waitFor()
    await field('Box').selectOption('Custom type')
    await columnsAreRight(visit)
    await button(visit, 'Add 1').click()
    await written(visit, 'medications')
    expect(await stored('T1')).toMatchObject({ strength: '250 mg', custom_type: 'blister' })
    await button(visit, 'Upload another file').click()
    await choose(visit, csvFile('later.csv', rows))
    // Its columns were confirmed before, so the preview is shown immediately.
    await page.getByText('4 columns are mapped as last time').waitFor()
    await button(visit, 'Change the answer: Columns').click()
    await page.getByText('As last time', { exact: true }).first().waitFor()
    await button(visit, 'Forget last time').click()
    await page.getByText('Ignored: the header is unknown').waitFor()
  })
})
