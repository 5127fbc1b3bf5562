import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvFile, type InputFile, medications, readRows } from './files'
import { answerCells, changedRow, choose, chooseMode, kinds, outcome, preview, written } from './upload-actions'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { newWorkspace, programToken, writeRecords } from './workspaces'

const count = new Intl.NumberFormat('en')
const number = (value: number) => count.format(value)

describeInBrowser('the upload of a file', (browser) => {
  describe('the way of a real catalog', () => {
    const rows = medications()
    const header = rows[0]!
    const total = rows.length - 1
    const at_ = (name: string) => header.indexOf(name)
    const inactive = rows.filter((cells) => cells[at_('is_active')] === 'no').length
    let visit: Visit
    let workspaceId: string
    let mended: InputFile

    beforeAll(async () => {
      workspaceId = await newWorkspace('Clinic')
      visit = await visitAt(browser(), 'Clinic', 'Upload')
    })
    afterAll(() => visit.end())

    it('begins with a place to drop a file', async () => {
      await visit.page.getByText('Drop a file with medications here').waitFor()
    })

    it('names every error of a file, by field and reason, with the numbers of its rows', async () => {
      const broken = rows.map((cells) => [...cells])
      for (const row of [3, 40, 200]) broken[row]![at_('strength')] = 'x'.repeat(40)
      broken[7]![at_('name')] = ''
      broken[9]![at_('otc')] = 'perhaps'
      await choose(visit, csvFile('formulary.csv', broken))
      await visit.page.getByRole('heading', { name: '5 errors in 5 rows' }).waitFor()
      for (const text of ['Strength must be at most 32 characters', 'Name is required', 'OTC needs yes or no']) {
        await visit.page.getByRole('button', { name: text }).waitFor()
      }
      // The header row is row 1 of the sheet.
      const grid = visit.page.getByRole('table', { name: 'Rows to fix: 5' })
      await grid.getByRole('rowheader', { name: '201', exact: true }).waitFor()
      expect(await grid.getByRole('rowheader').allInnerTexts()).toEqual(['4', '8', '10', '41', '201'])
    })

    it('shows what a change of many values would do, before it does it', async () => {
      await visit.page.getByLabel('Change all of them').selectOption('Find and replace')
      await visit.page.getByText('This changes nothing yet.').waitFor()
      await visit.page.getByLabel('Find', { exact: true }).fill('xxxx')
      await visit.page.getByText('All of them would be valid.').waitFor()
      await visit.page.getByLabel('Replace with', { exact: true }).fill('yyyyy')
      await visit.page.getByText('0 of them would be valid.').waitFor()
      await visit.page.getByRole('button', { name: 'Change 3 rows' }).waitFor()
    })

    it('filters the rows', async () => {
      await visit.page.getByLabel('Filter').fill('perhaps')
      await visit.page.getByRole('table', { name: 'Rows to fix: 1' }).waitFor()
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
        given.map((cells, row) => [...(faulty.includes(row) ? rows[row]! : cells.slice(0, -1)), cells.at(-1)!]),
      )
      await choose(visit, mended)
      await preview(visit)
      expect(await visit.page.getByText('Columns that are ignored').count()).toBe(0)
    })

    it('shows what the file is and what it would change, and has written nothing', async () => {
      const facts = visit.page.getByRole('region', { name: 'formulary-errors.csv' })
      await facts.getByText(new RegExp(`^${number(total)} rows, \\d+ columns are read`)).waitFor()
      expect(await preview(visit)).toBe(`Adds ${number(total)} (${number(inactive)} inactive), deactivates none`)
      await visit.page.getByText(`The first 50 of ${number(total)}`).waitFor()
      await changedRow(visit, rows[1]![at_('medication_id')]!).waitFor()
      // The focus is there too.
      expect(await outcome(visit).evaluate((heading) => heading === document.activeElement)).toBe(true)
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
      await visit.page.getByText(`Added ${number(total)} (${number(inactive)} inactive), deactivated none`).waitFor()
      await visit.expectGood()
    })

    it('shows old and new values of what a file would change', async () => {
      await visit.page.getByRole('button', { name: 'Upload another file' }).click()
      const changed = rows.slice(0, 61).map((cells) => [...cells])
      const before = changed[1]![at_('strength')]!
      changed[1]![at_('strength')] = '77 MG'
      await choose(visit, csvFile('changes.csv', changed))
      // In a part of the file hardly any cell has the separator of the field.
      for (const field of ['Aliases', 'Generic components'])
        await answerCells(visit, `${field}, cells that may be several`, /^No/)
      expect(await preview(visit)).toBe('Updates 1, deactivates none')
      await visit.page.getByText('60 are in the catalog already, 59 of them unchanged').waitFor()
      const row = changedRow(visit, changed[1]![at_('medication_id')]!)
      expect(await row.locator('del').allInnerTexts()).toEqual(before === '' ? [] : [before])
      expect(await row.locator('ins').innerText()).toBe('77 MG')
      // Of the same table as before, with one row instead of fifty.
      await visit.expectGood()
    })

    it('names what would be deactivated, and goes on only when the number is typed', async () => {
      await chooseMode(visit, 'Replace the whole catalog')
      await visit.page.getByText(/This would deactivate [\d,]+ medications/).waitFor()
      expect(await kinds(visit).nth(1).innerText()).toMatch(/^Deactivated/)
      const leaving = Number((await kinds(visit).nth(1).innerText()).replace(/\D/g, ''))
      const confirm = visit.page.getByRole('button', { name: `Update 1, deactivate ${number(leaving)}` })
      expect(await confirm.isDisabled()).toBe(true)
      const input = visit.page.getByLabel(/To continue, type the number/)
      await input.fill('1')
      expect(await confirm.isDisabled()).toBe(true)
      await input.fill(String(leaving))
      await confirm.click()
      await written(visit, 'medications')
      await visit.page.getByText(`Updated 1, deactivated ${number(leaving)}`).waitFor()
      await visit.page.getByRole('button', { name: 'Upload another file' }).click()
    })

    it('asks for the number from 10 % of a catalog on, until an admin changes the share on the page', async () => {
      const diagnoses = Array.from({ length: 10 }, (_, row) => ({ diagnosis_id: `D${row}`, name: `Diagnosis ${row}` }))
      await writeRecords(await programToken(workspaceId), 'diagnosis', diagnoses)
      await visit.chooseCatalog('Diagnoses')
      const withoutOne = diagnoses.slice(1).map(({ diagnosis_id, name }) => [diagnosis_id, name])
      await choose(visit, csvFile('diagnoses.csv', [['diagnosis_id', 'name'], ...withoutOne]))
      await chooseMode(visit, 'Replace the whole catalog')
      const typed = visit.page.getByLabel(/To continue, type the number/)
      const confirm = visit.page.getByRole('button', { name: 'Deactivate 1', exact: true })
      await typed.waitFor()
      await visit.page.getByText('Before 10 % or more of the active diagnoses are deactivated').waitFor()
      expect(await confirm.isDisabled()).toBe(true)
      await visit.page.getByRole('button', { name: 'Change the share' }).click()
      const share = visit.page.getByLabel('Ask for the number from this share on, in percent')
      await share.fill('20')
      await visit.page.getByRole('button', { name: 'Save the share' }).click()
      await confirm.waitFor()
      await typed.waitFor({ state: 'hidden' })
      expect(await confirm.isEnabled()).toBe(true)
    })
  })
})
