import { expect, it } from 'vitest'
import { csvFile, readRows } from './files'
import { chooseMode, isFocused, preview, written } from './steps'
import { describeInBrowser, PHONE, type Visit, visitAt } from './visit'
import { newWorkspace, programToken, storedIds, storedRecord } from './workspaces'

const choose = (visit: Visit, rows: string[][]) =>
  visit.page.locator('input[type=file]').setInputFiles(csvFile('formulary.csv', rows))

const button = (visit: Visit, name: string | RegExp) => visit.page.getByRole('button', { name })

const heading = (visit: Visit, name: string) => visit.page.getByRole('heading', { name }).waitFor()

const cell = ({ page }: Visit, field: string, row: number) => page.getByLabel(`${field} of row ${row}`, { exact: true })

const SMALL = [
  ['id', 'name', 'otc', 'strength'],
  ['M1', 'Aspirin', 'perhaps', '100 mg'],
  ['M2', '', 'yes', '200 mg'],
  ['M3', 'Ibuprofen', 'perhaps', '300 mg'],
  ['M4', 'Naproxen', 'no', '400 mg'],
]

describeInBrowser('fixing the rows of a file in the page', (browser) => {
  it('takes one choice and one click for all rows with the same error, on a phone', async () => {
    await newWorkspace('Fixing')
    const visit = await visitAt(browser(), 'Fixing', 'Upload', PHONE)
    const rows = Array.from({ length: 1424 }, (_, row) => [`M${row}`, `Tablet ${row}`, 'perhaps'])
    await choose(visit, [['id', 'name', 'otc'], ...rows])
    await heading(visit, '1,424 errors in 1,424 rows')
    await visit.page.getByText('Use yes or no.').waitFor()
    await visit.page.getByLabel('New OTC for all 1,424').selectOption('No')
    await button(visit, 'Set all 1,424').press('Enter')
    await heading(visit, 'All rows are valid now')
    const headline = visit.page.getByRole('heading', { name: 'All rows are valid now' })
    await expect.poll(() => isFocused(headline)).toBe(true)
    await button(visit, 'Undo the last change').click()
    await heading(visit, '1,424 errors in 1,424 rows')
    await visit.expectGood()
    await button(visit, 'Clear all 1,424').click()
    await heading(visit, 'All rows are valid now')
    await button(visit, 'See what would change').click()
    await preview(visit)
  })

  it('can be limited to one of the values, or use a pattern with a preview of its effect', async () => {
    await newWorkspace('Patterns')
    const visit = await visitAt(browser(), 'Patterns', 'Upload')
    const { page } = visit
    await choose(visit, SMALL.with(1, ['M1', 'Aspirin', 'maybe', `${'x'.repeat(40)};100 mg`]).toSpliced(2, 1))
    await heading(visit, '3 errors in 2 rows')
    await page.getByLabel('Values').selectOption('maybe – row 2')
    await page.getByLabel('New OTC for “maybe”').selectOption('Yes')
    await button(visit, 'Set “maybe”').click()
    await heading(visit, '2 errors in 2 rows')
    // The group stays open while it has errors.
    await page.getByText('The value in the file is “perhaps”.').waitFor()
    await button(visit, /^Strength/).click()
    // First the column of the displayed errors, then other columns with errors.
    const headers = page.getByRole('table', { name: /^Rows to fix/ }).getByRole('columnheader')
    const order = async () => (await headers.allInnerTexts()).filter((text) => /^(?:Name|OTC|Strength)$/.test(text))
    await expect.poll(order).toEqual(['Strength', 'OTC', 'Name'])
    await page.getByLabel('Change all of them').selectOption('Find and replace')
    await page.getByText('This changes nothing yet.').waitFor()
    await page.getByLabel('Find', { exact: true }).fill(`${'x'.repeat(40)};`)
    await page.getByText('All of them would be valid.').waitFor()
    await button(visit, 'Change 1 row').click()
    await heading(visit, '1 error in 1 row')
  })

  it('works cell by cell with the keyboard', async () => {
    await newWorkspace('Grid')
    const visit = await visitAt(browser(), 'Grid', 'Upload')
    const { page } = visit
    const { keyboard } = page
    await choose(visit, SMALL)
    await heading(visit, '3 errors in 3 rows')
    // The columns with errors come first: Name, then OTC.
    await cell(visit, 'Name', 2).focus()
    await keyboard.press('Tab')
    await keyboard.type('mayb')
    await page.getByText(/Row 2, OTC: needs yes or no/).waitFor()
    await keyboard.press('Escape')
    expect(await cell(visit, 'OTC', 2).inputValue()).toBe('perhaps')
    await keyboard.press('Control+A')
    await keyboard.type('yes')
    await keyboard.press('Shift+Tab')
    await page.getByText('2 errors in 2 rows').waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.type('Paracetamol')
    await keyboard.press('Enter')
    await page.getByText('1 error in 1 row').waitFor()
    expect(await cell(visit, 'Name', 3).inputValue()).toBe('Paracetamol')
  })

  it('works by pasting cells of a spreadsheet', async () => {
    const token = await programToken(await newWorkspace('Paste'))
    const visit = await visitAt(browser(), 'Paste', 'Upload')
    const { page } = visit
    await choose(visit, SMALL)
    await heading(visit, '3 errors in 3 rows')
    await page.evaluate(() => navigator.clipboard.writeText('Aspirin protect\tno\r\nParacetamol\tyes\r\nIbu\tno\r\n'))
    await cell(visit, 'Name', 2).focus()
    await page.keyboard.press('Control+V')
    await heading(visit, 'All rows are valid now')
    await button(visit, 'See what would change').click()
    await preview(visit)
    await button(visit, 'Add 4').click()
    await written(visit, 'medications')
    expect(await storedRecord(token, 'medication', 'M1')).toMatchObject({ name: 'Aspirin protect', otc: false })
    expect(await storedRecord(token, 'medication', 'M3')).toMatchObject({ name: 'Ibu', otc: false })
  })

  it('can be postponed by uploading only the valid rows, unless the file is the whole catalog', async () => {
    const token = await programToken(await newWorkspace('Valid rows'))
    const visit = await visitAt(browser(), 'Valid rows', 'Upload')
    const { page } = visit
    await choose(visit, SMALL)
    await heading(visit, '3 errors in 3 rows')
    const valid = button(visit, 'Continue with 1 valid row and download the other 3')
    await chooseMode(visit, 'Replace the whole catalog')
    // The heading exists before and after.
    await valid.waitFor({ state: 'detached' })
    await chooseMode(visit, 'Add and update')
    const { name, bytes } = await visit.download(() => valid.click())
    expect(name).toBe('formulary-rows-to-fix.csv')
    expect(readRows(bytes).map((cells) => [cells[0], cells.at(-1)])).toEqual([
      ['id', '_errors'],
      ['M1', expect.stringContaining('otc: must be true or false')],
      ['M2', 'name: is required'],
      ['M3', expect.stringContaining('otc: must be true or false')],
    ])
    await preview(visit)
    await page.getByText('3 rows are excluded').waitFor()
    await button(visit, 'Add 1').click()
    await written(visit, 'medications')
    expect(await storedIds(token, 'medication')).toEqual(['M4'])
  })

  it('can give all rows without a value the same one, unless records of the catalog would lose theirs', async () => {
    const token = await programToken(await newWorkspace('Needed'))
    const visit = await visitAt(browser(), 'Needed', 'Upload')
    const { page } = visit
    await visit.chooseCatalog('Lab tests')
    const header = ['id', 'name', 'kind', 'result_type', 'unit']
    const tests = ['t1', 't2', 't3'].map((id) => [id, `Test ${id}`, 'laboratory', 'numerical', 'mg/dL'])
    await choose(visit, [header, ...tests, ['x1', 'Chest', 'imaging', 'na', '']])
    await heading(visit, '3 errors in 3 rows')
    await page.getByLabel('New Specimen for all 3').fill('Serum')
    await button(visit, 'Set all 3').click()
    await button(visit, 'See what would change').click()
    await preview(visit)
    await button(visit, 'Add 4').click()
    await written(visit, 'lab tests')
    expect(await storedRecord(token, 'lab_test', 't3')).toMatchObject({ specimen: 'Serum' })
    expect(await storedRecord(token, 'lab_test', 'x1')).toMatchObject({ specimen: null })

    await button(visit, 'Upload another file').click()
    // With other headers, no earlier answer applies to this file.
    const further = [...tests, ['t4', 'Test t4', 'laboratory', 'numerical', 'mg/dL']]
    await choose(visit, [['lab_test_id', 'test_name', 'kind', 'result_type', 'unit'], ...further])
    await heading(visit, '1 error in 1 row')
    await page.getByText('These IDs are new, and the file has no such column.').waitFor()
    expect(await page.getByLabel(/^New Specimen/).count()).toBe(0)
    await visit.end()
  })
})
