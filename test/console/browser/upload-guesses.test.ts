import { utils, write } from '@e965/xlsx'
import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { csvFile, type InputFile } from './files'
import { answerCells, button, choose, written } from './steps'
import { describeInBrowser, visitAt } from './visit'
import { filledWorkspace, storedRecord } from './workspaces'

const workbook = (name: string, sheet: ReturnType<typeof utils.aoa_to_sheet>): InputFile => ({
  name,
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: write(utils.book_new(sheet, 'Sheet'), { type: 'buffer', bookType: 'xlsx' }) as Buffer,
})

const csv = (name: string, ...lines: string[]) =>
  csvFile(
    name,
    lines.map((line) => line.split(',')),
  )

/** Opens the upload page of a catalog with one record. */
async function begin(browser: Browser) {
  const token = await filledWorkspace('No guesses', 'medication', [{ medication_id: '407', name: 'Procoralan 5 mg' }])
  const visit = await visitAt(browser, 'No guesses', 'Upload')
  return { visit, token, page: visit.page }
}

describeInBrowser('an ambiguous file', (browser) => {
  it('causes questions about words of another language, merged cells and rows of totals', async () => {
    const { visit, token, page } = await begin(browser())
    const sheet = utils.aoa_to_sheet([
      ['Item code', 'Name', 'OTC', 'Manufacturer'],
      ['C1', 'Eins', 'Ja', 'Acme'],
      ['C2', 'Zwei', 'NEIN', ''],
      ['Total', '2', '', ''],
    ])
    sheet['!merges'] = [utils.decode_range('D2:D3')]
    await choose(visit, workbook('liste.xlsx', sheet))
    await page.getByText('1 row probably isn’t a medication').waitFor()
    await answerCells(visit, 'Manufacturer, merged cells', /in every row/)
    await button(visit, 'Exclude it').click()
    await button(visit, 'Use these answers').click()
    await button(visit, 'Add 2').click()
    await written(visit, 'medications')
    expect(await storedRecord(token, 'medication', 'C2')).toMatchObject({ otc: false, manufacturer: 'Acme' })
  })

  it('is not written until the user says whether an ID with another name is the same record', async () => {
    const { visit, token, page } = await begin(browser())
    const collisions = ['medication_id,name', '407,Omeprazole 20 mg capsules', '408,Metoprolol 50 mg']
    await choose(visit, csv('collide.csv', ...collisions))
    await page.getByText('1 id gets an unexpected new name. Is it the same medication?').waitFor()
    const row = page.getByRole('table', { name: 'Ids with another name' }).getByRole('row').nth(1)
    await expect.poll(() => row.innerText()).toMatch(/2\s+407\s+Procoralan 5 mg\s+Omeprazole 20 mg capsules/)
    expect(await button(visit, 'Add 1, update 1').isDisabled()).toBe(true)
    await button(visit, 'No, exclude it').click()
    await button(visit, 'Add 1').click()
    await written(visit, 'medications')
    expect(await storedRecord(token, 'medication', '407')).toMatchObject({ name: 'Procoralan 5 mg' })
  })

  it('causes a question about a missing header row', async () => {
    const { visit, page } = await begin(browser())
    await choose(visit, csv('bare.csv', 'B1,Aspirin,5 mg', 'B2,Ibuprofen,7 mg'))
    await page.getByRole('heading', { name: 'Is row 1 a medication?' }).waitFor()
    await button(visit, 'Yes, there is no header row').click()
    await page.getByLabel('Field for the column Column A').waitFor()
  })

  it('gets one value for all records in a missing required field', async () => {
    const { visit, token, page } = await begin(browser())
    await visit.chooseCatalog('Lab tests')
    const tests = ['lab_test_id,name,specimen,unit', 'L1,Haemoglobin,Blood,g/dL', 'L2,Glucose,Serum,mg/dL']
    await choose(visit, csv('tests.csv', ...tests))
    await page.getByLabel('Where does the kind come from?').selectOption({ label: 'All are: Laboratory' })
    await page.getByLabel('Where does the type of result come from?').selectOption({ label: 'All are: Number' })
    await button(visit, 'Add 2').click()
    await written(visit, 'lab tests')
    expect(await storedRecord(token, 'lab_test', 'L2')).toMatchObject({ kind: 'laboratory', result_type: 'numerical' })
  })
})
