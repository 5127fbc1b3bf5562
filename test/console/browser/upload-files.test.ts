import { utils, write } from '@e965/xlsx'
import { expect, it } from 'vitest'
import { csvFile, type InputFile } from './files'
import { answerCells, button, changedRow, choose, columnsAreRight, outcome, preview, written } from './steps'
import { describeInBrowser, visitAt } from './visit'
import { newWorkspace, programToken, storedRecord, writeRecords } from './workspaces'

/** A workbook whose cells hold something else than they show. */
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

describeInBrowser('a file as a spreadsheet program leaves it', (browser) => {
  it('is read with its encoding and separator, and asked about what it does not say; the columns are remembered', async () => {
    const token = await programToken(await newWorkspace('Spreadsheets'))
    const visit = await visitAt(browser(), 'Spreadsheets', 'Upload')
    /** Files that were sent. Ids may be looked up besides. */
    let files = 0
    visit.page.on('request', (request) => {
      if (request.headers()['content-type']?.startsWith('text/csv')) files++
    })
    const stored = (id: string) => storedRecord(token, 'medication', id)

    const symptoms = rowsOf(['symptom_id;name', 'S1;Kopfschmerz, müde'], ';')
    await choose(visit, csvFile('symptome.csv', symptoms, 'latin1', ';'))
    await visit.page.getByText('This looks like a file with symptoms').waitFor()
    expect(await outcome(visit).count()).toBe(0)
    await button(visit, 'Upload symptoms').click()
    await visit.page.getByRole('radiogroup', { name: 'Right version' }).getByText('Western European').click()
    await preview(visit)
    await visit.page.getByRole('region', { name: 'symptome.csv' }).getByText('1 row, 2 columns are read').waitFor()
    await visit.page.getByRole('rowheader', { name: 'Kopfschmerz, müde' }).waitFor()
    await button(visit, 'Cancel').click()
    await visit.chooseCatalog('Medications')
    await visit.page.getByText('Drop a file with medications here').waitFor()

    // May be a workbook, which shows something else than its cells hold: the person chooses.
    await choose(visit, workbook())
    await visit.page.getByRole('heading', { name: 'Strength: 1 date' }).waitFor()
    files = 0
    expect(await visit.page.getByLabel('Sheet of the workbook').inputValue()).toBe('Formulary')
    const examples = visit.page.getByRole('table', { name: 'Examples of Strength, dates' })
    const texts = await examples.getByRole('row').allInnerTexts()
    expect(texts.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'Row Name Shown Stored',
      expect.stringMatching(/^4 \S.* 5-Oct 2025-10-05$/),
    ])
    await visit.expectGood()
    await answerCells(visit, 'Medication id, long numbers', /stored value, such as 123456789012/)
    await answerCells(visit, 'Strength, rounded numbers', /stored value/)
    await answerCells(visit, 'Strength, dates', /Type it here/)
    await visit.page.getByLabel('Strength in row 4').fill('5-10')
    expect(files).toBe(0)
    await button(visit, 'Write these').click()
    await answerCells(visit, 'SKU, spreadsheet errors', /as it is/)
    await button(visit, 'Read it too').click()
    await preview(visit)
    await button(visit, 'Add 3').click()
    await written(visit, 'medications')
    expect(await stored('007')).toMatchObject({ strength: '0.50 mg' })
    expect(await stored('8')).toMatchObject({ strength: '0.0625' })
    expect(await stored('123456789012')).toMatchObject({ strength: '5-10' })
    await button(visit, 'Upload another file').click()

    // May have lost the zeros of its ids: it gets those of the catalog, and what it has no column for stays.
    const before = { strength: '0.50 mg', manufacturer: 'Bayer' }
    await writeRecords(token, 'medication', [{ medication_id: '007', name: 'Aspirin', ...before }])
    const lines = ['id,name,sku', '7,Aspirin,S7', '1.23457E+11,Paracetamol,', '8\u200b,Ibuprofen,']
    files = 0
    await choose(visit, csvFile('zeros.csv', rowsOf(lines)))
    await answerCells(visit, 'Medication id, shortened numbers', /as it is/)
    const notice = visit.page.getByRole('alert').filter({ hasText: '2 new IDs look like others' })
    await notice.getByText('Row 2, Aspirin: 7 → 007').waitFor()
    await notice.getByText('Row 4, Ibuprofen: 8⟨U+200B⟩ → 8').waitFor()
    expect(await button(visit, 'Add 3').isDisabled()).toBe(true)
    await notice.getByText('Row 4').click()
    await notice.getByRole('button', { name: 'Use the catalog’s ID' }).click()
    await visit.page.getByText('1 new ID looks like another one').waitFor()
    expect(await preview(visit)).toBe('Adds 2, updates 1, deactivates none')
    expect(await changedRow(visit, '007').locator('ins').allInnerTexts()).toEqual(['S7'])
    await visit.page.getByRole('checkbox', { name: /These are different medications/ }).check()
    await button(visit, 'Add 2, update 1').click()
    await written(visit, 'medications')
    // Once as it was chosen, once with the other id.
    expect(files).toBe(2)
    expect(await stored('007')).toMatchObject({ ...before, sku: 'S7' })
    await button(visit, 'Upload another file').click()

    // May have a title and headers that are only near: its columns are shown, changed and remembered.
    const rows = rowsOf(['id,name,strenght,Box', 'T1,Naproxen,250 mg,blister'])
    const field = (header: string) => visit.page.getByLabel(`Field for the column ${header}`)
    await choose(visit, csvFile('titles.csv', [['Price list', '', '', ''], ...rows]))
    await visit.page.getByRole('heading', { name: 'Are these columns right?' }).waitFor()
    expect(await outcome(visit).count()).toBe(0)
    expect(await field('strenght').inputValue()).toBe('strength')
    await visit.page.getByText('Guessed from the header').waitFor()
    await visit.page.getByText('Not read: the header is unknown').waitFor()
    await field('Box').selectOption('Custom type')
    await columnsAreRight(visit)
    await button(visit, 'Add 1').click()
    await written(visit, 'medications')
    expect(await stored('T1')).toMatchObject({ strength: '250 mg', custom_type: 'blister' })
    await button(visit, 'Upload another file').click()
    await choose(visit, csvFile('later.csv', rows))
    // Its columns were decided before: what would change is shown at once.
    await visit.page.getByText('4 columns are read as last time').waitFor()
    await button(visit, 'Change the answer: Columns').click()
    await visit.page.getByText('As last time', { exact: true }).first().waitFor()
    await button(visit, 'Forget last time').click()
    await visit.page.getByText('Not read: the header is unknown').waitFor()
    await visit.end()
  })
})
