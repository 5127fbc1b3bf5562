import { utils, write } from '@e965/xlsx'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvFile, type InputFile } from './files'
import { button, filledWorkspace } from './record-pages'
import { answerCells, choose, written } from './upload-actions'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { storedRecord } from './workspaces'

const workbook = (name: string, sheet: ReturnType<typeof utils.aoa_to_sheet>): InputFile => ({
  name,
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: write(utils.book_new(sheet, 'Sheet'), { type: 'buffer', bookType: 'xlsx' }) as Buffer,
})

describeInBrowser('a file that does not say what it means', (browser) => {
  let visit: Visit
  let token: string
  beforeAll(async () => {
    token = await filledWorkspace('No guesses', 'medication', [{ medication_id: '407', name: 'Procoralan 5 mg' }])
    visit = await visitAt(browser(), 'No guesses', 'Upload')
  })
  afterAll(() => visit.end())

  const text = (shown: string) => visit.page.getByText(shown).waitFor()

  it('and has words of another language and a row of totals is put right with a click for each', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Item code', 'Name', 'OTC', 'Manufacturer'],
      ['C1', 'Eins', 'Ja', 'Acme'],
      ['C2', 'Zwei', 'NEIN', ''],
      ['Total', '2', '', ''],
    ])
    sheet['!merges'] = [utils.decode_range('D2:D3')]
    await choose(visit, workbook('liste.xlsx', sheet))
    await text('1 row probably isn’t a medication')
    await answerCells(visit, 'Manufacturer, merged cells', /in every row/)
    await button(visit, 'Leave it out').click()
    await button(visit, 'Use these answers').click()
    await button(visit, 'Add 2').click()
    await written(visit, 'medications')
    expect(await storedRecord(token, 'medication', 'C2')).toMatchObject({ otc: false, manufacturer: 'Acme' })
    await button(visit, 'Upload another file').click()
  })

  it('and gives an id in use quite another name writes nothing until it is said whether that is the same record', async () => {
    const rows = [
      ['medication_id', 'name'],
      ['407', 'Omeprazole 20 mg capsules'],
      ['408', 'Metoprolol 50 mg'],
    ]
    await choose(visit, csvFile('collide.csv', rows))
    await text('1 id gets a completely different name. Is it the same medication?')
    const row = visit.page.getByRole('table', { name: 'Ids with another name' }).getByRole('row').nth(1)
    await expect.poll(() => row.innerText()).toMatch(/2\s+407\s+Procoralan 5 mg\s+Omeprazole 20 mg capsules/)
    expect(await button(visit, 'Add 1, update 1').isDisabled()).toBe(true)
    await button(visit, 'No, leave it out').click()
    await button(visit, 'Add 1').click()
    await written(visit, 'medications')
    expect(await storedRecord(token, 'medication', '407')).toMatchObject({ name: 'Procoralan 5 mg' })
    await button(visit, 'Upload another file').click()
  })

  it('and lacks what every record needs goes to the end in eight clicks, without leaving the page', async () => {
    await visit.chooseCatalog('Lab tests')
    await visit.page.evaluate(() => {
      document.body.dataset.clicks = '0'
      const count = (selector: string) => (event: Event) => {
        if (event.target instanceof Element && event.target.closest(selector) !== null)
          document.body.dataset.clicks = String(Number(document.body.dataset.clicks) + 1)
      }
      addEventListener('click', count('button'), { capture: true })
      addEventListener('change', count('select'), { capture: true })
    })
    const sheet = utils.aoa_to_sheet([
      ['lab_test_id', 'name', 'specimen', 'unit'],
      ['L1', 'Haemoglobin', 'Blood', 'g/dL'],
      ['L2', 'Glucose', 'Serum', 'mg/dL'],
    ])
    await choose(visit, workbook('tests.xlsx', sheet))
    await visit.page.getByLabel('Where does the kind come from?').selectOption({ label: 'All are: Laboratory' })
    await visit.page.getByLabel('Where does the type of result come from?').selectOption({ label: 'All are: Number' })
    await button(visit, 'Add 2').click()
    await written(visit, 'lab tests')
    expect(await visit.page.evaluate(() => Number(document.body.dataset.clicks))).toBeLessThanOrEqual(8)
    const stored = { kind: 'laboratory', result_type: 'numerical' }
    expect(await storedRecord(token, 'lab_test', 'L2')).toMatchObject(stored)
    await button(visit, 'Upload another file').click()
  })

  it('says that it has no rows if it has none', async () => {
    await visit.chooseCatalog('Medications')
    await choose(visit, csvFile('empty.csv', [['id', 'name']]))
    await visit.page.getByRole('heading', { name: 'The file has no rows with data' }).waitFor()
    await text('Row 1 is the header row, and no row below has data.')
    expect(await visit.page.getByText('The catalog has all of this already').count()).toBe(0)
  })

  it('and has no header row keeps its first record: the person is asked whether it is one', async () => {
    const rows = [
      ['B1', 'Aspirin', '5 mg'],
      ['B2', 'Ibuprofen', '7 mg'],
    ]
    await choose(visit, csvFile('bare.csv', rows))
    await visit.page.getByRole('heading', { name: 'Is row 1 a medication?' }).waitFor()
    await text('B1 · Aspirin · 5 mg')
    await button(visit, 'Yes, there is no header row').click()
    await visit.page.getByLabel('Field for the column Column A').waitFor()
  })
})
