import { expect, it } from 'vitest'
import { csvFile, medications, readRows } from './files'
import {
  answerCells,
  button,
  changedRow,
  choose,
  chooseMode,
  isFocused,
  kinds,
  outcome,
  preview,
  written,
} from './steps'
import { describeInBrowser, visitAt } from './visit'
import { newWorkspace, programToken, writeRecords } from './workspaces'

describeInBrowser('the upload of a catalog', (browser) => {
  it('names every error, shows what the file would change, and asks for a number before it deactivates many', async () => {
    const rows = medications()
    const header = rows[0]!
    const total = rows.length - 1
    const place = (name: string) => header.indexOf(name)
    const inactive = rows.filter((cells) => cells[place('is_active')] === 'no').length
    const added = `${total} (${inactive} inactive)`
    const token = await programToken(await newWorkspace('Clinic'))
    const visit = await visitAt(browser(), 'Clinic', 'Upload')
    const { page } = visit

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
    await page.getByLabel('Filter').fill('perhaps')
    await page.getByRole('table', { name: 'Rows to fix: 1' }).waitFor()
    await page.getByLabel('Filter').fill('')
    const given = await visit.download(() => button(visit, 'Download the file with its errors').click())
    expect(given.name).toBe('formulary-errors.csv')
    const givenRows = readRows(given.bytes)
    expect(givenRows[0]).toEqual([...header, '_errors'])
    expect(givenRows).toHaveLength(rows.length)
    const faulty = givenRows.flatMap((cells, row) => (row > 0 && cells.at(-1) !== '' ? [row] : []))
    expect(faulty).toEqual([3, 7, 9, 40, 200])
    expect(givenRows[9]!.at(-1)).toMatch(/^otc: must be true or false/)
    await page.getByLabel('Change all of them').selectOption('Find and replace')
    await page.getByText('This changes nothing yet.').waitFor()
    await page.getByLabel('Find', { exact: true }).fill('xxxx')
    await page.getByText('All of them would be valid.').waitFor()
    await page.getByLabel('Replace with', { exact: true }).fill('yyyyy')
    await page.getByText('0 of them would be valid.').waitFor()
    await button(visit, 'Change 3 rows').waitFor()

    // The file that was given back, mended.
    const mended = rows.map((cells, row) => [...cells, row === 0 ? '_errors' : 'name: is required'])
    await choose(visit, csvFile('mended.csv', mended))
    expect(await preview(visit)).toBe(`Adds ${added}, deactivates none`)
    const facts = page.getByRole('region', { name: 'mended.csv' })
    await facts.getByText(new RegExp(`^${total} rows, ${header.length} columns are read`)).waitFor()
    expect(await facts.getByText('Not read').count()).toBe(0)
    await page.getByText(`The first 50 of ${total}`).waitFor()
    await changedRow(visit, rows[1]![place('medication_id')]!).waitFor()
    // The focus is there too.
    expect(await isFocused(outcome(visit))).toBe(true)
    const list = await visit.download(() => button(visit, 'Download the full list').click())
    expect(list.name).toBe('medication-inserted.csv')
    // A line for each field of each new record.
    expect(new Set(readRows(list.bytes).map((cells) => cells[1])).size).toBe(total + 1)
    await button(visit, `Add ${total}`).click()
    await written(visit, 'medications')
    await page.getByText(`Added ${added}, deactivated none`).waitFor()
    await visit.expectGood()
    await button(visit, 'Upload another file').click()

    // Of records with three other values each a small laptop shows eight.
    const names = ['Acetaminophen and caffeine', 'Budesonide', 'Esomeprazole magnesium, delayed release']
    const old = Array.from({ length: 12 }, (_, number) => ({
      medication_id: `A2153${number}-001`,
      name: `${names[number % names.length]} ${number} mg`,
      strength: `${number} mg`,
      manufacturer: 'Padagis Israel Pharmaceuticals Ltd',
      sku: `2153${number}`,
    }))
    await writeRecords(token, 'medication', old)
    const other = old.map((record) => ({ ...record, strength: '7 mg', sku: 'S', manufacturer: 'Another Maker' }))
    await page.setViewportSize({ width: 1280, height: 720 })
    await choose(visit, csvFile('review.csv', [Object.keys(old[0]!), ...other.map(Object.values)]))
    const table = page.getByRole('table', { name: 'Changed records' })
    await table.getByRole('rowheader').first().waitFor()
    const inSight = await table.evaluate((element) => {
      const end = document.querySelector('.form-actions')!.getBoundingClientRect().top
      return [...element.querySelectorAll('tbody tr')].filter((row) => row.getBoundingClientRect().bottom <= end).length
    })
    expect(inSight).toBeGreaterThanOrEqual(8)
    await button(visit, 'Cancel').click()

    const changed = rows.slice(0, 61).map((cells) => [...cells])
    const before = changed[1]![place('strength')]!
    changed[1]![place('strength')] = '77 MG'
    await choose(visit, csvFile('changes.csv', changed))
    // In a part of the file hardly any cell has the separator of the field.
    for (const field of ['Aliases', 'Generic components']) {
      const what = `${field}, cells that may be several`
      const examples = page.getByRole('table', { name: `Examples of ${what}` })
      expect((await examples.getByRole('row').first().innerText()).split(/\s+/)).toEqual(['Row', 'Shown', 'Several'])
      expect(await examples.getByRole('row').nth(1).locator('.item').count()).toBeGreaterThan(1)
      await answerCells(visit, what, /^No/)
    }
    expect(await preview(visit)).toBe('Updates 1, deactivates none')
    await page.getByText('60 are in the catalog already, 59 of them unchanged').waitFor()
    const row = changedRow(visit, changed[1]![place('medication_id')]!)
    expect(await row.locator('del').allInnerTexts()).toEqual(before === '' ? [] : [before])
    expect(await row.locator('ins').innerText()).toBe('77 MG')

    await chooseMode(visit, 'Replace the whole catalog')
    await page.getByText(/This would deactivate \d+ medications/).waitFor()
    const leaving = /^Deactivated\s+(\d+)/.exec(await kinds(visit).nth(1).innerText())?.[1] ?? ''
    const confirm = button(visit, `Update 1, deactivate ${leaving}`)
    expect(await confirm.isDisabled()).toBe(true)
    const typed = page.getByLabel(/To continue, type the number/)
    await typed.fill('1')
    expect(await confirm.isDisabled()).toBe(true)
    await typed.fill(leaving)
    await confirm.click()
    await written(visit, 'medications')
    await page.getByText(`Updated 1, deactivated ${leaving}`).waitFor()
    await button(visit, 'Upload another file').click()

    // From 10 % of a catalog on, until an admin changes the share on the page.
    const diagnoses = Array.from({ length: 10 }, (_, number) => [`D${number}`, `Diagnosis ${number}`])
    const records = diagnoses.map(([diagnosis_id, name]) => ({ diagnosis_id, name }))
    await writeRecords(token, 'diagnosis', records)
    await visit.chooseCatalog('Diagnoses')
    await choose(visit, csvFile('diagnoses.csv', [['diagnosis_id', 'name'], ...diagnoses.slice(1)]))
    await chooseMode(visit, 'Replace the whole catalog')
    const deactivate = button(visit, 'Deactivate 1')
    await typed.waitFor()
    await page.getByText('Before 10 % or more of the active diagnoses are deactivated').waitFor()
    expect(await deactivate.isDisabled()).toBe(true)
    await button(visit, 'Change the share').click()
    await page.getByLabel('Ask for the number from this share on, in percent').fill('20')
    await button(visit, 'Save the share').click()
    await typed.waitFor({ state: 'hidden' })
    expect(await deactivate.isEnabled()).toBe(true)
    await visit.end()
  })
})
