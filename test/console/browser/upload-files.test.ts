import { utils, write } from '@e965/xlsx'
import type { Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvFile, type InputFile } from './files'
import {
  answerCells,
  changedRow,
  choose,
  chooseEncoding,
  columnsAreRight,
  outcome,
  preview,
  written,
} from './upload-actions'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { newWorkspace, programToken, storedRecord, writeRecords } from './workspaces'

describeInBrowser('a file as a spreadsheet program leaves it', (browser) => {
  let visit: Visit
  let workspaceId: string
  beforeAll(async () => {
    workspaceId = await newWorkspace('Spreadsheets')
    visit = await visitAt(browser(), 'Spreadsheets', 'Upload')
  })
  afterAll(() => visit.end())

  it('is read with its own encoding, separator and names of columns', async () => {
    const rows = [
      ['', '', ''],
      ['Item Code', 'Symptom-Name', 'Colour'],
      ['S1', 'Kopfschmerz, müde', 'rot'],
    ]
    await visit.chooseCatalog('Symptoms')
    await choose(visit, csvFile('symptome.csv', rows, 'latin1', ';'))
    await chooseEncoding(visit, 'Western European (Windows-1252)')
    await columnsAreRight(visit)
    await preview(visit)
    const facts = visit.page.getByRole('region', { name: 'symptome.csv' })
    await facts.getByText('1 row, 2 columns are read. Not read: Colour').waitFor()
    await visit.page.getByRole('rowheader', { name: 'Kopfschmerz, müde' }).waitFor()
  })

  const workbook = (): InputFile => {
    const sheet = utils.aoa_to_sheet([
      ['Code', 'Name', 'Strength', 'SKU', 'Active'],
      ['007', 'Aspirin', 0.5, 'a', true],
      [8, 'Ibuprofen', 0.0625, 'b', false],
      [123456789012, 'Paracetamol', 45935, 'c', true],
    ])
    sheet.C2!.z = '0.00" mg"'
    sheet.C3!.z = '0.00'
    sheet.C4!.z = 'd-mmm'
    sheet['!rows'] = [{}, {}, { hidden: true }]
    sheet.D4 = { t: 'e', v: 0x2a, w: '#N/A' }
    const book = utils.book_new(utils.aoa_to_sheet([['Notes']]), 'Read me')
    utils.book_append_sheet(book, sheet, 'Formulary')
    return {
      name: 'formulary.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer,
    }
  }

  it('may be a workbook of several sheets that fit: nothing is said of its rows before the person chooses one', async () => {
    await visit.chooseCatalog('Medications')
    // The file before it comes along.
    await visit.page.getByRole('heading', { name: 'This looks like a file with symptoms' }).waitFor()
    const book = utils.book_new()
    for (const name of ['January', 'February'])
      utils.book_append_sheet(
        book,
        utils.aoa_to_sheet([
          ['id', 'name'],
          [name, name],
        ]),
        name,
      )
    // Of the formats this one needs the most of the library for workbooks.
    const buffer: Buffer = write(book, { type: 'buffer', bookType: 'ods' })
    await choose(visit, { name: 'months.ods', mimeType: '', buffer })
    await visit.page.getByRole('heading', { name: 'Which sheet has the medications?' }).waitFor()
    expect(await visit.page.getByText('columns are read').count()).toBe(0)
    expect(await visit.page.getByLabel('Sheet of the workbook').count()).toBe(0)
    await visit.page.getByRole('button', { name: 'Read “February”' }).click()
    await visit.page.getByText('1 row, 2 columns are read').waitFor()
    expect(await visit.page.getByLabel('Sheet of the workbook').inputValue()).toBe('February')
  })

  it('may be a workbook, which shows something else than its cells hold: the person chooses', async () => {
    let requests = 0
    // Some ids may be looked up; the file itself is sent as CSV.
    const count = (request: Request) => {
      if (request.headers()['content-type']?.startsWith('text/csv')) requests++
    }
    await visit.chooseCatalog('Medications')
    await choose(visit, workbook())
    const sheet = visit.page.getByLabel('Sheet of the workbook')
    await sheet.waitFor()
    visit.page.on('request', count)
    // Until then the sheet of the file before it may be shown.
    await visit.page.getByRole('heading', { name: 'Strength: 1 date' }).waitFor()
    expect(await sheet.inputValue()).toBe('Formulary')
    const examples = visit.page.getByRole('table', { name: 'Examples of Strength, dates' })
    expect((await examples.getByRole('row').allInnerTexts()).map((text) => text.split(/\s+/))).toEqual([
      ['Row', 'Shown', 'Stored'],
      ['4', '5-Oct', '2025-10-05'],
    ])
    await visit.expectGood()
    await answerCells(visit, 'Medication id, long numbers', /stored value, such as 123456789012/)
    await answerCells(visit, 'Strength, rounded numbers', /stored value/)
    await answerCells(visit, 'Strength, dates', /Type it here/)
    await visit.page.getByLabel('Strength in row 4').fill('5-10')
    expect(requests).toBe(0)
    await visit.page.getByRole('button', { name: 'Write these' }).click()
    await answerCells(visit, 'SKU, spreadsheet errors', /as it is/)
    await visit.page.getByRole('button', { name: 'Read it too' }).click()
    await preview(visit)
    visit.page.off('request', count)
    for (const id of ['007', '8', '123456789012']) {
      await changedRow(visit, id).waitFor()
    }
    await visit.page.getByRole('button', { name: 'Add 3' }).click()
    await written(visit, 'medications')
    const token = await programToken(workspaceId)
    expect(await storedRecord(token, 'medication', '007')).toMatchObject({ strength: '0.50 mg' })
    expect(await storedRecord(token, 'medication', '8')).toMatchObject({ strength: '0.0625' })
    expect(await storedRecord(token, 'medication', '123456789012')).toMatchObject({ strength: '5-10' })
  })

  it('may have lost the zeros of its ids: it gets those of the catalog, and what it has no column for stays', async () => {
    await visit.page.getByRole('button', { name: 'Upload another file' }).click()
    const token = await programToken(workspaceId)
    await writeRecords(token, 'medication', [
      { medication_id: '007', name: 'Aspirin', strength: '0.50 mg', manufacturer: 'Bayer' },
    ])
    const rows = [
      ['id', 'name', 'sku'],
      ['7', 'Aspirin', 'S7'],
      ['1.23457E+11', 'Paracetamol', ''],
      ['8\u200b', 'Ibuprofen', ''],
    ]
    const files: string[] = []
    const count = (request: Request) => {
      if (request.headers()['content-type']?.startsWith('text/csv')) files.push(request.url())
    }
    visit.page.on('request', count)
    await choose(visit, csvFile('zeros.csv', rows))
    await answerCells(visit, 'Medication id, shortened numbers', /as it is/)
    const notice = visit.page.getByRole('alert').filter({ hasText: '2 new ids look like others' })
    await notice.waitFor()
    await notice.getByText('Row 2: 7 → 007').waitFor()
    await notice.getByText('Row 4: 8⟨U+200B⟩ → 8').waitFor()
    expect(await visit.page.getByRole('button', { name: 'Add 3' }).isDisabled()).toBe(true)
    await notice.getByText('Row 4').click()
    await notice.getByRole('button', { name: 'Use the catalog’s id' }).click()
    await visit.page.getByText('1 new id looks like another one').waitFor()
    expect(await preview(visit)).toBe('Adds 2, updates 1, deactivates none')
    expect(await changedRow(visit, '007').locator('ins').allInnerTexts()).toEqual(['S7'])
    await visit.page.getByRole('button', { name: /Change the answer: The file has no column/ }).click()
    await visit.page.getByRole('button', { name: 'Empty these fields' }).click()
    await changedRow(visit, '007').getByText('Bayer').waitFor()
    await visit.page.getByRole('button', { name: /Change the answer: The file has no column/ }).click()
    await visit.page.getByRole('button', { name: 'Keep what the catalog has' }).click()
    await changedRow(visit, '007').getByText('Bayer').waitFor({ state: 'hidden' })
    await visit.page.getByRole('checkbox', { name: /These are different medications/ }).check()
    await visit.page.getByRole('button', { name: 'Add 2, update 1' }).click()
    await written(visit, 'medications')
    visit.page.off('request', count)
    // Once as it was chosen, once with the other id.
    expect(files).toHaveLength(2)
    expect(await storedRecord(token, 'medication', '007')).toMatchObject({
      sku: 'S7',
      strength: '0.50 mg',
      manufacturer: 'Bayer',
    })
    await visit.page.getByRole('link', { name: 'Undo' }).click()
    await visit.page.getByRole('heading', { name: 'Updates 1, deactivates 2' }).waitFor()
    await visit.open('Upload')
    await visit.page.getByRole('button', { name: 'Upload another file' }).click()
  })

  it('may be of another catalog: the person is asked, and can take the file there', async () => {
    const rows = [
      ['symptom_id', 'name', 'icd10'],
      ['S9', 'Headache', 'R51'],
    ]
    await choose(visit, csvFile('symptoms.csv', rows))
    await visit.page.getByText('This looks like a file with symptoms').waitFor()
    expect(await outcome(visit).count()).toBe(0)
    await visit.expectGood()
    await visit.page.getByRole('button', { name: 'Upload symptoms' }).click()
    await preview(visit)
    await changedRow(visit, 'S9').waitFor()
    await visit.page.getByRole('button', { name: 'Cancel' }).click()
    await visit.chooseCatalog('Medications')
    await visit.page.getByText('Drop a file with medications here').waitFor()
  })

  it('may have a title and headers that are only near: its columns are shown, changed and remembered', async () => {
    const rows = [
      ['Price list', '', '', ''],
      ['', '', '', ''],
      ['id', 'name', 'strenght', 'Box'],
      ['T1', 'Naproxen', '250 mg', 'blister'],
    ]
    const field = (header: string) => visit.page.getByLabel(`Field for the column ${header}`)
    await choose(visit, csvFile('titles.csv', rows))
    await visit.page.getByRole('heading', { name: 'Are these columns right?' }).waitFor()
    expect(await outcome(visit).count()).toBe(0)
    expect(await field('strenght').inputValue()).toBe('strength')
    await visit.page.getByText('Guessed from the header').waitFor()
    await visit.page.getByText('Not read: the header is unknown').waitFor()
    await field('Box').selectOption('Custom type')
    await columnsAreRight(visit)
    await preview(visit)
    await visit.page.getByRole('button', { name: 'Add 1', exact: true }).click()
    await written(visit, 'medications')
    const stored = await storedRecord(await programToken(workspaceId), 'medication', 'T1')
    expect(stored).toMatchObject({ strength: '250 mg', custom_type: 'blister' })
    await visit.page.getByRole('button', { name: 'Upload another file' }).click()
    await choose(visit, csvFile('later.csv', rows.slice(2)))
    await visit.page.getByText('As last time', { exact: true }).first().waitFor()
    expect(await visit.page.getByText('As last time', { exact: true }).count()).toBe(2)
    await visit.page.getByRole('button', { name: 'Forget last time' }).click()
    await visit.page.getByText('Not read: the header is unknown').waitFor()
    // In another file the header alone says nothing.
    const other = [['id', 'name', 'Box'], ...rows.slice(3).map(([id, name, , box]) => [id!, name!, box!])]
    await choose(visit, csvFile('other.csv', other))
    await visit.page.getByRole('heading', { name: 'other.csv' }).waitFor()
    await visit.page.getByText('Not read: the header is unknown').waitFor()
    expect(await visit.page.getByText('As last time', { exact: true }).count()).toBe(0)
  })
})
