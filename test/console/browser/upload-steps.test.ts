import { expect, it } from 'vitest'
import { csvFile } from './files'
import { button, choose, columnsAreRight, logOut, outcome, preview, written } from './steps'
import { describeInBrowser, PHONE, visitAt } from './visit'
import { ADMIN, newWorkspace } from './workspaces'

describeInBrowser('the steps of an upload, on a phone', (browser) => {
  it('ask for columns, show them, and end with the outcome, which a logout loses only after a question', async () => {
    await newWorkspace('Steps')
    const visit = await visitAt(browser(), 'Steps', 'Upload', PHONE)
    const { page } = visit
    const step = (text: string) => page.getByText(text, { exact: true }).waitFor()
    await visit.chooseCatalog('Symptoms')
    // More changes than a window shows.
    const rows = Array.from({ length: 60 }, (_, row) => [`S-${row}`, `Symptom ${row}`])
    await choose(visit, csvFile('findings.csv', [['Box', 'Finding'], ...rows]))
    await page.getByText('No column is called symptom id or name').waitFor()
    await step('Step 2 of 3: Columns')
    await page.getByLabel('Where does the symptom id come from?').selectOption({ label: 'Box (S-0, S-1)' })
    await page.getByText('No column is called name').waitFor()
    const names = { label: 'Finding (Symptom 0, Symptom 1)' }
    await page.getByLabel('Where does the name come from?').selectOption(names)
    await page.getByText('No column is called name').waitFor({ state: 'hidden' })
    await columnsAreRight(visit)
    const write = button(visit, 'Add 60')
    await write.waitFor()
    await step('Step 3 of 3: Review')
    for (const place of [write, outcome(visit)]) {
      const box = (await place.boundingBox())!
      expect(box.y).toBeGreaterThanOrEqual(0)
      expect(box.y + box.height).toBeLessThanOrEqual(page.viewportSize()!.height)
    }
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await visit.expectGood()

    const question = page.getByRole('dialog', { name: 'Leave without writing the file?' })
    await logOut(visit)
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'detached' })
    await write.click()
    await written(visit, 'symptoms')
    expect(await page.getByText(/^Step \d/).count()).toBe(0)

    await button(visit, 'Upload another file').click()
    const changed = rows.slice(0, 12).map(([id]) => [id!, `Renamed ${id}`])
    await choose(visit, csvFile('symptoms.csv', [['symptom_id', 'name'], ...changed]))
    await preview(visit)
    const cards = page.getByRole('list', { name: 'Changed records' }).getByRole('listitem')
    await cards.first().locator('ins').getByText('Renamed S-0', { exact: true }).waitFor()
    expect(await cards.count()).toBe(12)
    // From whichever page.
    await visit.open('History')
    await logOut(visit)
    await question.getByRole('button', { name: 'Leave without writing' }).click()
    await page.getByRole('link', { name: 'Log in', exact: true }).waitFor()
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await visit.logIn(ADMIN)
    expect(asked).toEqual([])
    await visit.end()
  })
})
