import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { csvFile, fileForm, medications, readRows } from './files'
import { button, changedRow, choose, chooseMode, isFocused, kinds, outcome, preview, written } from './steps'
import { describeInBrowser, visitAt } from './visit'
import { newWorkspace, programToken, writeRecords } from './workspaces'

/** The sample of a formulary, and its content. */
const rows = medications()
const header = rows[0]!
const total = rows.length - 1
const place = (name: string) => header.indexOf(name)
const inactive = rows.filter((cells) => cells[place('is_active')] === 'no').length
const added = `${total} (${inactive} inactive)`

/** A file that changes the strength of the first record, and contains 239 others unchanged. */
const changed = rows
  .slice(0, 241)
  .map((cells) => ['medication_id', 'name', 'strength', 'is_active'].map((column) => cells[place(column)]!))
const oldStrength = changed[1]![2]!
changed[1]![2] = '77 MG'

/** Opens the page for an upload to an empty catalog, or one with the sample. */
async function begin(browser: Browser, isFilled = false) {
  const token = await programToken(await newWorkspace('Clinic'))
  if (isFilled) await writeRecords(token, 'medication', fileForm('formulary.csv', rows))
  const visit = await visitAt(browser, 'Clinic', 'Upload')
  return { visit, page: visit.page }
}

describeInBrowser('the upload of a catalog', (browser) => {
  it('lists every error of a file, and offers the file with them for download', async () => {
    const { visit, page } = await begin(browser())
    const broken = rows.map((cells) => [...cells])
    for (const row of [3, 40, 200]) broken[row]![place('strength')] = 'x'.repeat(40)
    broken[7]![place('name')] = ''
    broken[9]![place('otc')] = 'perhaps'
    await choose(visit, csvFile('formulary.csv', broken))
    await page.getByRole('heading', { name: '5 errors in 5 rows' }).waitFor()
    for (const text of ['Strength must be at most 32 characters', 'Name is required', 'OTC needs yes or no'])
      await page.getByRole('button', { name: text }).waitFor()
    // The header row is row 1 of the sheet.
    const grid = page.getByRole('table', { name: 'Rows to fix: 5' })
    await grid.getByRole('rowheader', { name: '201', exact: true }).waitFor()
    expect(await grid.getByRole('rowheader').allInnerTexts()).toEqual(['4', '8', '10', '41', '201'])
    const given = await visit.download(() => button(visit, 'Download the file with its errors').click())
    expect(given.name).toBe('formulary-errors.csv')
    const givenRows = readRows(given.bytes)
    expect(givenRows[0]).toEqual([...header, '_errors'])
    expect(givenRows).toHaveLength(rows.length)
    const faulty = givenRows.flatMap((cells, row) => (row > 0 && cells.at(-1) !== '' ? [row] : []))
    expect(faulty).toEqual([3, 7, 9, 40, 200])
    expect(givenRows[9]!.at(-1)).toMatch(/^otc: must be true or false/)
    await page.getByLabel('Change all of them').selectOption('Find and replace')
    await page.getByLabel('Find', { exact: true }).fill('xxxx')
    await page.getByText('All of them would be valid.').waitFor()
    await button(visit, 'Change 3 rows').waitFor()
  })

  it('accepts the file that was downloaded with errors, and writes what its preview showed', async () => {
    const { visit, page } = await begin(browser())
    const mended = rows.map((cells, row) => [...cells, row === 0 ? '_errors' : 'name: is required'])
    await choose(visit, csvFile('mended.csv', mended))
    expect(await preview(visit)).toBe(`Adds ${added}, deactivates none`)
    const facts = page.getByRole('region', { name: 'mended.csv' })
    await facts.getByText(new RegExp(`^${total} rows, ${header.length} columns are read`)).waitFor()
    expect(await facts.getByText('Not read').count()).toBe(0)
    await page.getByText(`The first 50 of ${total}`).waitFor()
    await changedRow(visit, rows[1]![place('medication_id')]!).waitFor()
    expect(await isFocused(outcome(visit))).toBe(true)
    const list = await visit.download(() => button(visit, 'Download the full list').click())
    expect(list.name).toBe('medication-inserted.csv')
    // A line for each field of each new record.
    expect(new Set(readRows(list.bytes).map((cells) => cells[1])).size).toBe(total + 1)
    await button(visit, `Add ${total}`).click()
    await written(visit, 'medications')
    await page.getByText(`Added ${added}, deactivated none`).waitFor()
  })

  it('shows the old and the new value of a record that it would update', async () => {
    const { visit, page } = await begin(browser(), true)
    await choose(visit, csvFile('changes.csv', changed))
    expect(await preview(visit)).toBe('Updates 1, deactivates none')
    await page.getByText('240 are in the catalog already, 239 of them unchanged').waitFor()
    const row = changedRow(visit, changed[1]![0]!)
    expect(await row.locator('del').allInnerTexts()).toEqual(oldStrength === '' ? [] : [oldStrength])
    expect(await row.locator('ins').innerText()).toBe('77 MG')
  })

  it('requires a typed number before it deactivates many records', async () => {
    const { visit, page } = await begin(browser(), true)
    await choose(visit, csvFile('changes.csv', changed))
    await preview(visit)
    await chooseMode(visit, 'Replace the whole catalog')
    await page.getByText(/This would deactivate \d+ medications/).waitFor()
    const leaving = /^Deactivated\s+(\d+)/.exec(await kinds(visit).nth(1).innerText())?.[1] ?? ''
    const confirm = button(visit, `Update 1, deactivate ${leaving}`)
    expect(await confirm.isDisabled()).toBe(true)
    const typed = page.getByLabel(/To continue, type the number/)
    await typed.fill('1')
    expect(await confirm.isDisabled()).toBe(true)
    await typed.fill(leaving)
    expect(await confirm.isEnabled()).toBe(true)
    await confirm.click()
    await written(visit, 'medications')
    await page.getByText(`Updated 1, deactivated ${leaving}`).waitFor()
  })
})
