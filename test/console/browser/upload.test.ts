import { read, utils, write } from '@e965/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvFile, type InputFile, medications, readRows } from './files'
import { DESKTOP, describeInBrowser, PHONE, type Visit, visitAt } from './visit'
import { newWorkspace, programToken, storedRecord, writeRecords } from './workspaces'

const count = new Intl.NumberFormat('en')
const number = (value: number) => count.format(value)

const choose = (visit: Visit, file: InputFile) => visit.page.locator('input[type=file]').setInputFiles(file)

const tile = (visit: Visit, label: string) =>
  visit.page.locator('.tile', { has: visit.page.getByText(label, { exact: true }) }).locator('dd')

/** Waits until what the file would change is shown. */
const preview = (visit: Visit) => visit.page.getByRole('heading', { name: 'What would change' }).waitFor()

const columnsAreRight = (visit: Visit) => visit.page.getByRole('button', { name: 'These are right' }).click()

const written = (visit: Visit, type: string) => visit.page.getByText(`The ${type} are up to date`).waitFor()

describeInBrowser('the upload of a file', (browser) => {
  describe.each([
    ['at a desk', DESKTOP],
    ['on a phone', PHONE],
  ])('the way of a real catalog, %s', (where, options) => {
    const rows = medications()
    const header = rows[0]!
    const total = rows.length - 1
    const at_ = (name: string) => header.indexOf(name)
    let visit: Visit
    let workspace: string
    let mended: InputFile

    beforeAll(async () => {
      workspace = `Clinic ${where}`
      await newWorkspace(workspace)
      visit = await visitAt(browser(), workspace, 'Upload', options)
    })
    afterAll(() => visit.end())

    it('begins with a place to drop a file', async () => {
      await visit.page.getByText('Drop a file with medications here').waitFor()
      await visit.expectGood()
    })

    it('names every error of a file, by field and reason, with the numbers of its rows', async () => {
      const broken = rows.map((cells) => [...cells])
      for (const row of [3, 40, 200]) broken[row]![at_('strength')] = 'x'.repeat(40)
      broken[7]![at_('name')] = ''
      broken[9]![at_('otc')] = 'perhaps'
      await choose(visit, csvFile('formulary.csv', broken))
      await visit.page.getByRole('heading', { name: '5 errors in 5 rows' }).waitFor()
      for (const text of [
        'Strength must be at most 32 characters',
        'Name is required',
        'OTC needs yes or no',
      ]) {
        await visit.page.getByRole('button', { name: text }).waitFor()
      }
      // The header row is row 1 of the sheet.
      const grid = visit.page.getByRole('grid', { name: 'Rows to fix: 5' })
      await grid.getByRole('rowheader', { name: '201', exact: true }).waitFor()
      expect(await grid.getByRole('rowheader').allInnerTexts()).toEqual(['4', '8', '10', '41', '201'])
      await visit.expectGood()
    })

    it('filters the rows and copies their errors', async () => {
      await visit.page.getByLabel('Filter').fill('perhaps')
      await visit.page.getByRole('grid', { name: 'Rows to fix: 1' }).waitFor()
      await visit.page.getByRole('button', { name: 'Copy the list' }).click()
      await visit.page.getByRole('button', { name: 'Copied' }).waitFor()
      const copied = await visit.page.evaluate(() => navigator.clipboard.readText())
      expect(copied.split('\n')).toEqual([
        'Row\tField\tReason\tValue',
        expect.stringMatching(/^10\totc\tmust be true or false.*\tperhaps$/),
      ])
      await visit.page.getByLabel('Filter').fill('')
    })

    it('gives the file back with a column of errors, which it takes again without complaint when it is mended', async () => {
      const { name, bytes } = await visit.download(() =>
        visit.page.getByRole('button', { name: 'Download the file with its errors' }).click(),
      )
      expect(name).toBe('formulary-errors.csv')
      const given = readRows(bytes)
      expect(given[0]).toEqual([...header, '_errors'])
      expect(given).toHaveLength(rows.length)
      const faulty = given.flatMap((cells, row) => (row > 0 && cells.at(-1) !== '' ? [row] : []))
      expect(faulty).toEqual([3, 7, 9, 40, 200])
      expect(given[9]!.at(-1)).toMatch(/^otc: must be true or false/)
      mended = csvFile(
        name,
        given.map((cells, row) => [
          ...(faulty.includes(row) ? rows[row]! : cells.slice(0, -1)),
          cells.at(-1)!,
        ]),
      )
      await choose(visit, mended)
      await preview(visit)
      expect(await visit.page.getByText('Columns that are ignored').count()).toBe(0)
    })

    it('shows what the file is and what it would change, and has written nothing', async () => {
      const facts = visit.page.getByRole('region', { name: 'formulary-errors.csv' })
      for (const fact of [number(total), 'UTF-8', 'comma'])
        await facts.getByText(fact, { exact: true }).waitFor()
      expect(await tile(visit, 'New').innerText()).toBe(number(total))
      await visit.page.getByText(`The first 50 of ${number(total)}`).waitFor()
      await visit.page
        .getByRole('rowheader', { name: rows[1]![at_('medication_id')]!, exact: true })
        .waitFor()
      await visit.expectGood()
      const { name, bytes } = await visit.download(() =>
        visit.page.getByRole('button', { name: 'Download the full list' }).click(),
      )
      expect(name).toBe('medication-inserted.csv')
      // A line for each field of each new record.
      expect(
        new Set(
          readRows(bytes)
            .slice(1)
            .map((cells) => cells[1]),
        ).size,
      ).toBe(total)
    })

    it('writes it, and says so', async () => {
      await visit.page.getByRole('button', { name: `Add ${number(total)}` }).click()
      await written(visit, 'medications')
      expect(await tile(visit, 'New').innerText()).toBe(number(total))
      await visit.expectGood()
    })

    it('shows old and new values of what a file would change', async () => {
      await visit.page.getByRole('button', { name: 'Upload another file' }).click()
      const changed = rows.slice(0, 61).map((cells) => [...cells])
      const before = changed[1]![at_('strength')]!
      changed[1]![at_('strength')] = '77 MG'
      await choose(visit, csvFile('changes.csv', changed))
      await preview(visit)
      expect(await tile(visit, 'Updated').innerText()).toBe('1')
      expect(await tile(visit, 'Unchanged').innerText()).toBe('59')
      const row = visit.page.getByRole('row', { name: changed[1]![at_('medication_id')]! })
      expect(await row.locator('del').allInnerTexts()).toEqual(before === '' ? [] : [before])
      expect(await row.locator('ins').innerText()).toBe('77 MG')
    })

    it('names what would be deactivated, and goes on only when the number is typed', async () => {
      await visit.page.getByRole('radio', { name: /Replace the whole catalog/ }).click()
      await visit.page.getByText(/This would deactivate [\d,]+ medications/).waitFor()
      expect(await visit.page.getByRole('tab').first().innerText()).toMatch(/^Deactivated/)
      const leaving = Number((await tile(visit, 'Deactivated').innerText()).replace(/\D/g, ''))
      const confirm = visit.page.getByRole('button', { name: `Update 1, deactivate ${number(leaving)}` })
      expect(await confirm.isDisabled()).toBe(true)
      const input = visit.page.getByLabel(/To continue, type the number/)
      await input.fill('1')
      expect(await confirm.isDisabled()).toBe(true)
      await visit.expectGood()
      await input.fill(String(leaving))
      await confirm.click()
      await written(visit, 'medications')
      expect(await tile(visit, 'Deactivated').innerText()).toBe(number(leaving))
    })
  })

  describe('a file as a spreadsheet program leaves it', () => {
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
      const count = (request: { method(): string }) => {
        if (request.method() === 'POST') requests++
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
      const choice = (question: string, name: RegExp) =>
        visit.page
          .getByRole('radiogroup', { name: `What is written for ${question}?` })
          .getByRole('radio', { name })
      await choice('Medication id, long numbers', /holds, such as 123456789012/).click()
      await choice('Strength, rounded numbers', /holds/).click()
      await choice('Strength, dates', /Type it here/).click()
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
      expect(await visit.page.getByText('As last time').count()).toBe(2)
      await visit.page.getByRole('button', { name: 'Forget' }).click()
      await visit.page.getByText('Not read: its header is not known').waitFor()
      // In another file the header alone says nothing.
      const other = [['id', 'name', 'Box'], ...rows.slice(3).map(([id, name, , box]) => [id!, name!, box!])]
      await choose(visit, csvFile('other.csv', other))
      await visit.page.getByText('Not read: its header is not known').waitFor()
      expect(await visit.page.getByText('As last time').count()).toBe(0)
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

  describe('a catalog that somebody else changes meanwhile', () => {
    it('is not written over: what the file would change is shown again', async () => {
      const workspaceId = await newWorkspace('Busy')
      const visit = await visitAt(browser(), 'Busy', 'Upload')
      await choose(
        visit,
        csvFile('one.csv', [
          ['id', 'name'],
          ['A', 'Aspirin'],
        ]),
      )
      await preview(visit)
      const token = await programToken(workspaceId)
      await writeRecords(token, 'medication', [{ medication_id: 'A', name: 'Acetylsalicylic acid' }])
      await visit.page.getByRole('button', { name: 'Add 1', exact: true }).click()
      await visit.page.getByText('The catalog was changed by somebody else in the meantime').waitFor()
      expect(await tile(visit, 'Updated').innerText()).toBe('1')
      await visit.page.getByRole('button', { name: 'Update 1', exact: true }).click()
      await written(visit, 'medications')
      await visit.expectGood()
      await visit.end()
    })
  })
})
