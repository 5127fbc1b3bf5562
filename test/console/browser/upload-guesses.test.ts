import { utils, write } from '@e965/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvFile } from './files'
import { answerCells, choose, columnsAreRight, written } from './upload-actions'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { newWorkspace, programToken, storedRecord } from './workspaces'

describeInBrowser('a file that does not say what it means', (browser) => {
  let visit: Visit
  let token: string
  beforeAll(async () => {
    token = await programToken(await newWorkspace('No guesses'))
    visit = await visitAt(browser(), 'No guesses', 'Upload')
  })
  afterAll(() => visit.end())

  const button = (name: string | RegExp) => visit.page.getByRole('button', { name, exact: true })
  const text = (shown: string | RegExp) => visit.page.getByText(shown)
  const field = (header: string) => visit.page.getByLabel(`Field for the column ${header}`, { exact: true })
  const another = () => button('Upload another file').click()

  describe('and has headers that are near', () => {
    it('is not read as the opposite: the person says that a column is reversed', async () => {
      await choose(
        visit,
        csvFile('stock.csv', [
          ['id', 'name', 'Inactive', 'Manufacture date', 'Strength (mg)'],
          ['N1', 'New', 'No', '2026-01-01', '500'],
          ['N2', 'Old', 'Yes', '2020-01-01', '5 g'],
        ]),
      )
      await visit.page.getByRole('heading', { name: 'Are these columns right?' }).waitFor()
      for (const header of ['Inactive', 'Manufacture date']) expect(await field(header).inputValue()).toBe('')
      expect(await field('Strength (mg)').inputValue()).toBe('strength')
      await text('Add “mg” after numbers: 500 becomes 500 mg').waitFor()
      await visit.expectGood()
      await field('Inactive').selectOption({ label: 'Active, reversed (yes means no)' })
      await text('“No” becomes yes').waitFor()
      await columnsAreRight(visit)
      await button('Add 2').click()
      await written(visit, 'medications')
      expect(await storedRecord(token, 'medication', 'N1')).toMatchObject({
        is_active: true,
        strength: '500 mg',
      })
      expect(await storedRecord(token, 'medication', 'N2')).toMatchObject({
        is_active: false,
        strength: '5 g',
        manufacturer: null,
      })
    })
  })

  describe('and has no header row', () => {
    it('keeps its first record: the person is asked whether it is one', async () => {
      await another()
      await choose(
        visit,
        csvFile('bare.csv', [
          ['B1', 'Aspirin', '5 mg'],
          ['B2', 'Ibuprofen', '7 mg'],
        ]),
      )
      await visit.page.getByRole('heading', { name: 'Is row 1 a medication?' }).waitFor()
      await text('B1 · Aspirin · 5 mg').waitFor()
      await visit.expectGood()
      await button('Yes, there is no header row').click()
      await field('Column A').selectOption('Medication id')
      await field('Column B').selectOption('Name')
      await field('Column C').selectOption('Strength')
      await columnsAreRight(visit)
      await button('Add 2').click()
      await written(visit, 'medications')
      expect(await storedRecord(token, 'medication', 'B1')).toMatchObject({
        name: 'Aspirin',
        strength: '5 mg',
      })
    })
  })

  describe('and has words of another language, and a row of totals', () => {
    it('is put right with a click for each', async () => {
      await another()
      const sheet = utils.aoa_to_sheet([
        ['Item code', 'Name', 'OTC', 'Manufacturer'],
        ['C1', 'Eins', 'Ja', 'Acme'],
        ['C2', 'Zwei', 'NEIN', ''],
        ['Total', '2', '', ''],
      ])
      sheet['!merges'] = [utils.decode_range('D2:D3')]
      await choose(visit, {
        name: 'liste.xlsx',
        mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        buffer: write(utils.book_new(sheet, 'Liste'), { type: 'buffer', bookType: 'xlsx' }) as Buffer,
      })
      await text('1 row probably isn’t a medication').waitFor()
      await answerCells(visit, 'Manufacturer, merged cells', /in every row/)
      await button('Leave it out').click()
      await button('Use these answers').click()
      await button('Add 2').click()
      await written(visit, 'medications')
      expect(await storedRecord(token, 'medication', 'C2')).toMatchObject({
        otc: false,
        manufacturer: 'Acme',
      })
    })
  })

  describe('and gives an id in use quite another name', () => {
    const first = [
      ['medication_id', 'name', 'generic_name', 'strength', 'manufacturer'],
      ['407', 'Procoralan 5 mg', 'ivabradine', '5 mg', 'Servier'],
    ]
    const second = [
      ['medication_id', 'name'],
      ['407', 'Omeprazole 20 mg capsules'],
      ['408', 'Metoprolol 50 mg'],
    ]

    it('writes nothing until it is said whether that is the same record', async () => {
      await another()
      await choose(visit, csvFile('collide-a.csv', first))
      await button('Add 1').click()
      await written(visit, 'medications')
      await another()
      await choose(visit, csvFile('collide-b.csv', second))
      await text('1 id gets a completely different name. Is it the same medication?').waitFor()
      const row = visit.page.getByRole('table', { name: 'Ids with another name' }).getByRole('row').nth(1)
      await expect.poll(() => row.innerText()).toMatch(/2\s+407\s+Procoralan 5 mg\s+Omeprazole 20 mg capsules/)
      expect(await button('Add 1, update 1').isDisabled()).toBe(true)
      await visit.expectGood()
    })

    it('leaves the row out if it is another one', async () => {
      await button('No, leave it out').click()
      await button('Add 1').click()
      await written(visit, 'medications')
      expect(await storedRecord(token, 'medication', '407')).toMatchObject({ name: 'Procoralan 5 mg' })
    })
  })

  describe('and lacks what every record needs', () => {
    /** Counts clicks on buttons, and choices, from now on. */
    const countClicks = () =>
      visit.page.evaluate(() => {
        document.body.dataset.clicks = '0'
        const count = (selector: string) => (event: Event) => {
          if (event.target instanceof Element && event.target.closest(selector) !== null)
            document.body.dataset.clicks = String(Number(document.body.dataset.clicks) + 1)
        }
        addEventListener('click', count('button'), { capture: true })
        addEventListener('change', count('select'), { capture: true })
      })
    const clicks = () => visit.page.evaluate(() => Number(document.body.dataset.clicks))

    it('goes to the end without leaving the page: lab tests without kind and type of result', async () => {
      await visit.chooseCatalog('Lab tests')
      await countClicks()
      const sheet = utils.aoa_to_sheet([
        ['lab_test_id', 'name', 'specimen', 'unit'],
        ['L1', 'Haemoglobin', 'Blood', 'g/dL'],
        ['L2', 'Glucose', 'Serum', 'mg/dL'],
      ])
      await choose(visit, {
        name: 'tests.xlsx',
        mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        buffer: write(utils.book_new(sheet, 'Tests'), { type: 'buffer', bookType: 'xlsx' }) as Buffer,
      })
      await visit.page.getByLabel('Where does the kind come from?').selectOption({ label: 'All are: Laboratory' })
      await visit.page.getByLabel('Where does the type of result come from?').selectOption({ label: 'All are: Number' })
      await button('Add 2').click()
      await written(visit, 'lab tests')
      expect(await clicks()).toBeLessThanOrEqual(8)
      expect(await storedRecord(token, 'lab_test', 'L2')).toMatchObject({
        kind: 'laboratory',
        result_type: 'numerical',
      })
    })

    it('goes to the end without leaving the page: diagnoses whose only code is id and ICD-10', async () => {
      await visit.chooseCatalog('Diagnoses')
      await countClicks()
      const rows = [
        ['Code', 'Title'],
        ['A00', 'Cholera'],
        ['A01', 'Typhoid fever'],
        ['A02', 'Other salmonella infections'],
      ]
      const cells = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')
      const buffer = Buffer.from(`<!-- ICD-10 --><center><table>${cells}</table></center>`)
      await choose(visit, { name: 'icd.html', mimeType: 'text/html', buffer })
      await field('Title').selectOption('Name')
      await visit.page.getByLabel('Second field for the column Code').selectOption({ label: 'and ICD-10 too' })
      await columnsAreRight(visit)
      await button('Add 3').click()
      await written(visit, 'diagnoses')
      expect(await clicks()).toBeLessThanOrEqual(8)
      expect(await storedRecord(token, 'diagnosis', 'A01')).toMatchObject({ name: 'Typhoid fever', icd10: 'A01' })
    })

    it('has ids made of its texts, and is told what that means', async () => {
      const file = csvFile('nameless.csv', [
        ['Title', 'Synonyms'],
        ['Fever', 'Pyrexia'],
        ['Dry cough', ''],
      ])
      await visit.chooseCatalog('Symptoms')
      await choose(visit, file)
      await field('Title').selectOption('Name')
      const source = visit.page.getByLabel('Where does the symptom id come from?')
      await source.selectOption({ label: 'Make ids from name' })
      await text('The first row gets the id fever.').waitFor()
      await columnsAreRight(visit)
      await button('Add 2').click()
      await written(visit, 'symptoms')
      expect(await storedRecord(token, 'symptom', 'dry-cough')).toMatchObject({ name: 'Dry cough' })
    })
  })

  it('says that it has no rows if it has none', async () => {
    await visit.chooseCatalog('Medications')
    await another()
    await choose(visit, csvFile('empty.csv', [['id', 'name']]))
    await visit.page.getByRole('heading', { name: 'The file has no rows with data' }).waitFor()
    await text('Row 1 is the header row, and no row below has data.').waitFor()
    expect(await text('The catalog has all of this already').count()).toBe(0)
  })
})
