import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvFile, medications, readRows } from './files'
import { button, isFocused } from './record-pages'
import { answerCells, changedRow, choose, chooseMode, kinds, outcome, preview, written } from './upload-actions'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { newWorkspace, programToken, writeRecords } from './workspaces'

describeInBrowser('the upload of a catalog', (browser) => {
  const rows = medications()
  const header = rows[0]!
  const total = rows.length - 1
  const place = (name: string) => header.indexOf(name)
  const inactive = rows.filter((cells) => cells[place('is_active')] === 'no').length
  const added = `${total} (${inactive} inactive)`
  let visit: Visit
  let workspaceId: string

  beforeAll(async () => {
    workspaceId = await newWorkspace('Clinic')
    visit = await visitAt(browser(), 'Clinic', 'Upload')
  })
  afterAll(() => visit.end())

  it('names every error of a file, by field and reason, with the numbers of its rows, and gives the file back', async () => {
    const broken = rows.map((cells) => [...cells])
    for (const row of [3, 40, 200]) broken[row]![place('strength')] = 'x'.repeat(40)
    broken[7]![place('name')] = ''
    broken[9]![place('otc')] = 'perhaps'
    await choose(visit, csvFile('formulary.csv', broken))
    await visit.page.getByRole('heading', { name: '5 errors in 5 rows' }).waitFor()
    for (const text of ['Strength must be at most 32 characters', 'Name is required', 'OTC needs yes or no'])
      await visit.page.getByRole('button', { name: text }).waitFor()
    // The header row is row 1 of the sheet.
    const grid = visit.page.getByRole('table', { name: 'Rows to fix: 5' })
    await grid.getByRole('rowheader', { name: '201', exact: true }).waitFor()
    expect(await grid.getByRole('rowheader').allInnerTexts()).toEqual(['4', '8', '10', '41', '201'])
    await visit.page.getByLabel('Filter').fill('perhaps')
    await visit.page.getByRole('table', { name: 'Rows to fix: 1' }).waitFor()
    await visit.page.getByLabel('Filter').fill('')

    const { name, bytes } = await visit.download(() => button(visit, 'Download the file with its errors').click())
    expect(name).toBe('formulary-errors.csv')
    const given = readRows(bytes)
    expect(given[0]).toEqual([...header, '_errors'])
    expect(given).toHaveLength(rows.length)
    const faulty = given.flatMap((cells, row) => (row > 0 && cells.at(-1) !== '' ? [row] : []))
    expect(faulty).toEqual([3, 7, 9, 40, 200])
    expect(given[9]!.at(-1)).toMatch(/^otc: must be true or false/)
  })

  it('shows what a change of many values would do, before it does it', async () => {
    await visit.page.getByLabel('Change all of them').selectOption('Find and replace')
    await visit.page.getByText('This changes nothing yet.').waitFor()
    await visit.page.getByLabel('Find', { exact: true }).fill('xxxx')
    await visit.page.getByText('All of them would be valid.').waitFor()
    await visit.page.getByLabel('Replace with', { exact: true }).fill('yyyyy')
    await visit.page.getByText('0 of them would be valid.').waitFor()
    await button(visit, 'Change 3 rows').waitFor()
  })

  it('shows what the file is and what it would change, and then writes it', async () => {
    // The file that was given back, mended.
    const mended = rows.map((cells, row) => [...cells, row === 0 ? '_errors' : 'name: is required'])
    await choose(visit, csvFile('mended.csv', mended))
    expect(await preview(visit)).toBe(`Adds ${added}, deactivates none`)
    const facts = visit.page.getByRole('region', { name: 'mended.csv' })
    await facts.getByText(new RegExp(`^${total} rows, ${header.length} columns are read`)).waitFor()
    expect(await facts.getByText('Not read').count()).toBe(0)
    await visit.page.getByText(`The first 50 of ${total}`).waitFor()
    await changedRow(visit, rows[1]![place('medication_id')]!).waitFor()
    // The focus is there too.
    expect(await isFocused(outcome(visit))).toBe(true)
    const { name, bytes } = await visit.download(() => button(visit, 'Download the full list').click())
    expect(name).toBe('medication-inserted.csv')
    // A line for each field of each new record.
    const ids = readRows(bytes).map((cells) => cells[1])
    expect(new Set(ids.slice(1)).size).toBe(total)
    await visit.page.getByRole('button', { name: `Add ${total}` }).click()
    await written(visit, 'medications')
    await visit.page.getByText(`Added ${added}, deactivated none`).waitFor()
    await visit.expectGood()
    await button(visit, 'Upload another file').click()
  })

  it('shows old and new values, names what would be deactivated, and goes on only when the number is typed', async () => {
    const changed = rows.slice(0, 61).map((cells) => [...cells])
    const before = changed[1]![place('strength')]!
    changed[1]![place('strength')] = '77 MG'
    await choose(visit, csvFile('changes.csv', changed))
    // In a part of the file hardly any cell has the separator of the field.
    for (const field of ['Aliases', 'Generic components'])
      await answerCells(visit, `${field}, cells that may be several`, /^No/)
    expect(await preview(visit)).toBe('Updates 1, deactivates none')
    await visit.page.getByText('60 are in the catalog already, 59 of them unchanged').waitFor()
    const row = changedRow(visit, changed[1]![place('medication_id')]!)
    expect(await row.locator('del').allInnerTexts()).toEqual(before === '' ? [] : [before])
    expect(await row.locator('ins').innerText()).toBe('77 MG')

    await chooseMode(visit, 'Replace the whole catalog')
    await visit.page.getByText(/This would deactivate \d+ medications/).waitFor()
    const leaving = /^Deactivated\s+(\d+)/.exec(await kinds(visit).nth(1).innerText())?.[1] ?? ''
    const confirm = button(visit, `Update 1, deactivate ${leaving}`)
    expect(await confirm.isDisabled()).toBe(true)
    const input = visit.page.getByLabel(/To continue, type the number/)
    await input.fill('1')
    expect(await confirm.isDisabled()).toBe(true)
    await input.fill(leaving)
    await confirm.click()
    await written(visit, 'medications')
    await visit.page.getByText(`Updated 1, deactivated ${leaving}`).waitFor()
    await button(visit, 'Upload another file').click()
  })

  it('asks for the number from 10 % of a catalog on, until an admin changes the share on the page', async () => {
    const diagnoses = Array.from({ length: 10 }, (_, row) => ({ diagnosis_id: `D${row}`, name: `Diagnosis ${row}` }))
    await writeRecords(await programToken(workspaceId), 'diagnosis', diagnoses)
    await visit.chooseCatalog('Diagnoses')
    const withoutOne = diagnoses.slice(1).map(({ diagnosis_id, name }) => [diagnosis_id, name])
    await choose(visit, csvFile('diagnoses.csv', [['diagnosis_id', 'name'], ...withoutOne]))
    await chooseMode(visit, 'Replace the whole catalog')
    const typed = visit.page.getByLabel(/To continue, type the number/)
    const confirm = button(visit, 'Deactivate 1')
    await typed.waitFor()
    await visit.page.getByText('Before 10 % or more of the active diagnoses are deactivated').waitFor()
    expect(await confirm.isDisabled()).toBe(true)
    await button(visit, 'Change the share').click()
    await visit.page.getByLabel('Ask for the number from this share on, in percent').fill('20')
    await button(visit, 'Save the share').click()
    await confirm.waitFor()
    await typed.waitFor({ state: 'hidden' })
    expect(await confirm.isEnabled()).toBe(true)
  })
})
