import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvFile, readRows } from './files'
import { PHONE } from './pages'
import { chooseMode, preview } from './upload-actions'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { newWorkspace, programToken, storedRecord } from './workspaces'

const choose = (visit: Visit, rows: string[][], name = 'formulary.csv') =>
  visit.page.locator('input[type=file]').setInputFiles(csvFile(name, rows))

const button = (visit: Visit, name: string | RegExp) => visit.page.getByRole('button', { name })

const heading = (visit: Visit, name: string) => visit.page.getByRole('heading', { name }).waitFor()

/** A cell of the grid, by the label of its field and the row's number. */
const cell = (visit: Visit, field: string, row: number) =>
  visit.page.getByLabel(`${field} of row ${row}`, { exact: true })

const SMALL = [
  ['id', 'name', 'otc', 'strength'],
  ['M1', 'Aspirin', 'perhaps', '100 mg'],
  ['M2', '', 'yes', '200 mg'],
  ['M3', 'Ibuprofen', 'perhaps', '300 mg'],
  ['M4', 'Naproxen', 'no', '400 mg'],
]

describeInBrowser('fixing the rows of a file in the page', (browser) => {
  it('is done with one choice and one click for all rows with the same error, on a phone', async () => {
    await newWorkspace('Fixing')
    const visit = await visitAt(browser(), 'Fixing', 'Upload', PHONE)
    const rows = Array.from({ length: 1424 }, (_, row) => [`M${row}`, `Tablet ${row}`, 'perhaps'])
    await choose(visit, [['id', 'name', 'otc'], ...rows])
    await heading(visit, '1,424 errors in 1,424 rows')
    await visit.page.getByText('Use yes or no.').waitFor()
    await visit.page.getByLabel('New OTC for all 1,424').selectOption('No')
    await button(visit, 'Set all 1,424').click()
    await heading(visit, 'All rows are valid now')
    await button(visit, 'Undo the last change').click()
    await heading(visit, '1,424 errors in 1,424 rows')
    await visit.expectGood()
    await button(visit, 'Empty all 1,424').click()
    await heading(visit, 'All rows are valid now')
    await button(visit, 'See what would change').click()
    await preview(visit)
    await visit.end()
  })

  describe('a few rows', () => {
    let visit: Visit
    let workspace: string
    beforeAll(async () => {
      workspace = await newWorkspace('Grid')
      visit = await visitAt(browser(), 'Grid', 'Upload')
    })
    afterAll(() => visit.end())

    it('are edited with the keyboard and checked as one types', async () => {
      await choose(visit, SMALL)
      await heading(visit, '3 errors in 3 rows')
      const { keyboard } = visit.page
      // The columns with errors come first: Name, then OTC.
      await cell(visit, 'Name', 2).focus()
      await keyboard.press('Tab')
      await keyboard.type('mayb')
      await visit.page.getByText(/Row 2, OTC: needs yes or no/).waitFor()
      await keyboard.press('Escape')
      expect(await cell(visit, 'OTC', 2).inputValue()).toBe('perhaps')
      await keyboard.press('Control+A')
      await keyboard.type('yes')
      await keyboard.press('Shift+Tab')
      await visit.page.getByText('2 errors in 2 rows').waitFor()
      await keyboard.press('ArrowDown')
      await keyboard.type('Paracetamol')
      await keyboard.press('Enter')
      await visit.page.getByText('1 error in 1 row').waitFor()
      expect(await cell(visit, 'Name', 3).inputValue()).toBe('Paracetamol')
    })

    it('take what was copied in a spreadsheet', async () => {
      await visit.page.evaluate(() =>
        navigator.clipboard.writeText('Aspirin protect\tno\r\nParacetamol\tyes\r\nIbu\tno\r\n'),
      )
      await cell(visit, 'Name', 2).focus()
      await visit.page.keyboard.press('Control+V')
      await heading(visit, 'All rows are valid now')
      await button(visit, 'See what would change').click()
      await preview(visit)
      await button(visit, 'Add 4').click()
      await visit.page.getByText('The medications are up to date').waitFor()
      const token = await programToken(workspace)
      expect(await storedRecord(token, 'medication', 'M1')).toMatchObject({
        name: 'Aspirin protect',
        otc: false,
      })
      expect(await storedRecord(token, 'medication', 'M3')).toMatchObject({ name: 'Ibu', otc: false })
    })

    it('are kept back if the valid ones are uploaded alone, which is not offered for a whole catalog', async () => {
      await button(visit, 'Upload another file').click()
      const changed = SMALL.map((cells, row) => (row === 0 ? cells : cells.with(3, '1 g')))
      await choose(visit, changed)
      await heading(visit, '3 errors in 3 rows')
      const valid = button(visit, 'Go on with 1 valid row and download the other 3')
      await chooseMode(visit, 'Replace the whole catalog')
      // The heading is there before and after.
      await valid.waitFor({ state: 'detached' })
      await heading(visit, '3 errors in 3 rows')
      expect(await valid.count()).toBe(0)
      expect(await button(visit, /^Leave out/).count()).toBe(0)
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
      await visit.page.getByText('3 rows are left out').waitFor()
      await button(visit, 'Update 1').click()
      await visit.page.getByText('The medications are up to date').waitFor()
      await visit.download(() => button(visit, 'Download the rows that are left out').click())
      const token = await programToken(workspace)
      expect(await storedRecord(token, 'medication', 'M4')).toMatchObject({ strength: '1 g' })
      expect(await storedRecord(token, 'medication', 'M1')).toMatchObject({ strength: '100 mg' })
    })

    it('are there as they were left when the person comes back from another page', async () => {
      await button(visit, 'Upload another file').click()
      await choose(visit, SMALL)
      await visit.page.getByLabel('New OTC for all 2').selectOption('Yes')
      await button(visit, 'Set all 2').click()
      await heading(visit, '1 error in 1 row')
      await visit.open('History')
      await visit.open('Upload')
      await heading(visit, '1 error in 1 row')
      const asked = new Promise<string>((resolve) =>
        visit.page.once('dialog', (dialog) => {
          resolve(dialog.type())
          void dialog.dismiss()
        }),
      )
      // A browser asks only somebody who has done something in the page.
      await visit.page.evaluate(() => setTimeout(() => location.reload()))
      expect(await asked).toBe('beforeunload')
      await heading(visit, '1 error in 1 row')
    })
  })
})
