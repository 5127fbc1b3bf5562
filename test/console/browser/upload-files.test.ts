import { read, utils, write } from '@e965/xlsx'
import type { Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvFile, type InputFile } from './files'
import { answerCells, choose, columnsAreRight, preview, written } from './upload-actions'
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
    await columnsAreRight(visit)
    await preview(visit)
    const facts = visit.page.getByRole('region', { name: 'symptome.csv' })
    for (const fact of [
      'Windows-1252 (Western European)',
      'semicolon',
      'Item Code → Symptom id',
      'Symptom-Name → Name',
    ]) {
      await facts.getByText(fact, { exact: true }).waitFor()
    }
    expect(await facts.getByRole('list', { name: 'Columns that are ignored' }).innerText()).toBe('Colour')
    await visit.page.getByRole('cell', { name: 'Kopfschmerz, müde' }).waitFor()
  })

  it('comes back with its errors in its own encoding', async () => {
    // 0x80 is the euro sign, 0x84 and 0x93 are quotation marks.
    const row = Buffer.from('id;name;refid\n1;;5 \x80 \x84x\x93\n', 'latin1')
    await choose(visit, { name: 'preise.csv', mimeType: 'text/csv', buffer: row })
    await visit.page.getByRole('heading', { name: '1 error in 1 row' }).waitFor()
    const { bytes } = await visit.download(() =>
      visit.page.getByRole('button', { name: 'Download the file with its errors' }).click(),
    )
    expect(bytes.toString('latin1')).toBe(
      'id;name;refid;_errors\r\n1;;5 \x80 \x84x\x93;name: is required\r\n',
    )
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

  it('may be a workbook, which shows something else than its cells hold: the person chooses', async () => {
    let requests = 0
    // Some ids may be looked up; the file itself is sent as a form.
    const count = (request: Request) => {
      if (request.headers()['content-type']?.startsWith('multipart/')) requests++
    }
    await visit.chooseCatalog('Medications')
    visit.page.on('request', count)
    await choose(visit, workbook())
    const sheet = visit.page.getByRole('tab', { name: /^Formulary/ })
    await sheet.waitFor()
    expect(await sheet.getAttribute('aria-selected')).toBe('true')
    expect(await visit.page.getByRole('tab', { name: /^Read me/ }).innerText()).toMatch(/no known column/)
    await visit.page.getByText('Choose what is written: 3 answers are missing').waitFor()
    const examples = visit.page.getByRole('table', { name: 'Examples of Strength, dates' })
    expect((await examples.getByRole('row').allInnerTexts()).map((text) => text.split(/\s+/))).toEqual([
      ['Row', 'Shows', 'Holds'],
      ['4', '5-Oct', '2025-10-05'],
    ])
    await visit.expectGood()
    await answerCells(visit, 'Medication id, long numbers', /holds, such as 123456789012/)
    await answerCells(visit, 'Strength, rounded numbers', /holds/)
    await answerCells(visit, 'Strength, dates', /Type it here/)
    await visit.page.getByLabel('Strength in row 4').fill('5-10')
    await visit.expectGood()
    expect(requests).toBe(0)
    await visit.page.getByRole('button', { name: 'Write these' }).click()
    await preview(visit)
    visit.page.off('request', count)
    for (const warning of ['1 cell holds an error', '1 hidden row is read too']) {
      await visit.page.getByText(warning).waitFor()
    }
    for (const id of ['007', '8', '123456789012']) {
      await visit.page.getByRole('rowheader', { name: id, exact: true }).waitFor()
    }
    await visit.expectGood()
    await visit.page.getByRole('button', { name: 'Add 3' }).click()
    await written(visit, 'medications')
    const token = await programToken(workspaceId)
    expect(await storedRecord(token, 'medication', '007')).toMatchObject({ strength: '0.50 mg' })
    expect(await storedRecord(token, 'medication', '8')).toMatchObject({ strength: '0.0625' })
    expect(await storedRecord(token, 'medication', '123456789012')).toMatchObject({ strength: '5-10' })
  })

  it('may have lost the zeros of its ids: those that look like ids of the catalog are named', async () => {
    await visit.page.getByRole('button', { name: 'Upload another file' }).click()
    const rows = [
      ['id', 'name'],
      ['7', 'Aspirin'],
      ['1.23457E+11', 'Paracetamol'],
      ['9', 'Naproxen'],
    ]
    await choose(visit, csvFile('zeros.csv', rows))
    const notice = visit.page
      .getByRole('alert')
      .filter({ hasText: '2 new ids look like ids of your catalog' })
    await notice.waitFor()
    expect(await notice.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('“7” is in your catalog as “007”'),
      expect.stringContaining('“1.23457E+11” is in your catalog as “123456789012”'),
    ])
    const add = visit.page.getByRole('button', { name: 'Add 3' })
    expect(await add.isDisabled()).toBe(true)
    await visit.expectGood()
    await notice.getByRole('checkbox').check()
    expect(await add.isEnabled()).toBe(true)
    await visit.page.getByRole('button', { name: 'Cancel' }).click()
  })

  it('may be of another catalog: the person is asked, and can take the file there', async () => {
    const rows = [
      ['symptom_id', 'name', 'icd10'],
      ['S9', 'Headache', 'R51'],
    ]
    await choose(visit, csvFile('symptoms.csv', rows))
    await visit.page.getByText('This file looks like symptoms, not medications').waitFor()
    expect(await visit.page.getByRole('heading', { name: 'What would change' }).count()).toBe(0)
    await visit.expectGood()
    await visit.page.getByRole('button', { name: 'Upload it to the symptoms' }).click()
    await preview(visit)
    await visit.page.getByRole('rowheader', { name: 'S9', exact: true }).waitFor()
    await visit.page.getByRole('button', { name: 'Cancel' }).click()
    await visit.chooseCatalog('Medications')
    await visit.page.getByText('Drop a file with medications here').waitFor()
  })

  it('may have ids that another catalog knows: the person is asked, and can stay', async () => {
    const records = ['K1', 'K2', 'K3'].map((symptom_id) => ({ symptom_id, name: `Symptom ${symptom_id}` }))
    await writeRecords(await programToken(workspaceId), 'symptom', records)
    const rows = [['id', 'name'], ...records.map(({ symptom_id, name }) => [symptom_id, name])]
    await choose(visit, csvFile('ids.csv', rows))
    await visit.page.getByText('Its ids are in your catalog of symptoms.').waitFor()
    await visit.expectGood()
    await visit.page.getByRole('button', { name: 'These are medications' }).click()
    await preview(visit)
    await visit.page.getByRole('button', { name: 'Cancel' }).click()
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
    expect(await visit.page.getByRole('heading', { name: 'What would change' }).count()).toBe(0)
    expect(await field('strenght').inputValue()).toBe('strength')
    await visit.page.getByText('Guessed from the header').waitFor()
    await visit.page.getByText('Not read: its header is not known').waitFor()
    await visit.expectGood()
    await field('Box').selectOption('Custom type')
    await visit.page.getByText('Box → Custom type').waitFor()
    await columnsAreRight(visit)
    await preview(visit)
    await visit.page.getByRole('button', { name: 'Add 1', exact: true }).click()
    await written(visit, 'medications')
    const stored = await storedRecord(await programToken(workspaceId), 'medication', 'T1')
    expect(stored).toMatchObject({ strength: '250 mg', custom_type: 'blister' })
    await visit.page.getByRole('button', { name: 'Upload another file' }).click()
    await choose(visit, csvFile('later.csv', rows.slice(2)))
    await visit.page.getByText('Box → Custom type').waitFor()
    expect(await visit.page.getByText('As last time', { exact: true }).count()).toBe(2)
    await visit.page.getByRole('button', { name: 'Forget' }).click()
    await visit.page.getByText('Not read: its header is not known').waitFor()
    // In another file the header alone says nothing.
    const other = [['id', 'name', 'Box'], ...rows.slice(3).map(([id, name, , box]) => [id!, name!, box!])]
    await choose(visit, csvFile('other.csv', other))
    await visit.page.getByText('Not read: its header is not known').waitFor()
    expect(await visit.page.getByText('As last time', { exact: true }).count()).toBe(0)
  })

  it('comes back as a workbook of text with its errors', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Code', 'Name'],
      ['0012', ''],
    ])
    const buffer = write(utils.book_new(sheet, 'Formulary'), {
      type: 'buffer',
      bookType: 'xlsx',
    }) as Buffer
    await choose(visit, { ...workbook(), buffer })
    await visit.page.getByRole('heading', { name: '1 error in 1 row' }).waitFor()
    const { name, bytes } = await visit.download(() =>
      visit.page.getByRole('button', { name: 'Download the file with its errors' }).click(),
    )
    expect(name).toBe('formulary-errors.xlsx')
    const given = read(bytes).Sheets.Formulary!
    expect(utils.sheet_to_json(given, { header: 1, defval: '' })).toEqual([
      ['Code', 'Name', '_errors'],
      ['0012', '', 'name: is required'],
    ])
    expect(given.A2).toMatchObject({ t: 's' })
  })

  it('that cannot be read is refused with the reason', async () => {
    await choose(visit, {
      name: 'quotes.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('id,name\n1,"never closed'),
    })
    await visit.page.getByText('A quote that opens in row 2 never closes').waitFor()
  })
})
