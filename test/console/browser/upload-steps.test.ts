import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { csvFile } from './files'
import { button, choose, columnsAreRight, logOut, outcome, preview, written } from './steps'
import { describeInBrowser, PHONE, visitAt } from './visit'
import { ADMIN, newWorkspace, programToken, writeRecords } from './workspaces'

/** More changes than fit into a window. */
const ROWS = Array.from({ length: 60 }, (_, row) => [`S-${row}`, `Symptom ${row}`])

/** Opens the page for an upload of symptoms. @param isFilled whether the records are in the catalog */
async function begin(browser: Browser, isFilled = false) {
  const token = await programToken(await newWorkspace('Steps'))
  if (isFilled)
    await writeRecords(
      token,
      'symptom',
      ROWS.map(([symptom_id, name]) => ({ symptom_id, name })),
    )
  const visit = await visitAt(browser, 'Steps', 'Upload', PHONE)
  await visit.chooseCatalog('Symptoms')
  const question = visit.page.getByRole('dialog', { name: 'Leave without writing the file?' })
  return { visit, page: visit.page, question }
}

const SYMPTOMS = csvFile('symptoms.csv', [['symptom_id', 'name'], ...ROWS])

describeInBrowser('the steps of an upload, on a phone', (browser) => {
  it('ask about columns before they show the preview', async () => {
    const { visit, page } = await begin(browser())
    const step = (text: string) => page.getByText(text, { exact: true }).waitFor()
    await choose(visit, csvFile('findings.csv', [['Box', 'Finding'], ...ROWS]))
    await page.getByText('No column named symptom ID or name').waitFor()
    await step('Step 2 of 3: Columns')
    await page.getByLabel('Where does the symptom ID come from?').selectOption({ label: 'Box (S-0, S-1)' })
    await page.getByText('No column named name').waitFor()
    const names = { label: 'Finding (Symptom 0, Symptom 1)' }
    await page.getByLabel('Where does the name come from?').selectOption(names)
    await page.getByText('No column named name').waitFor({ state: 'hidden' })
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
    await write.click()
    await written(visit, 'symptoms')
    expect(await page.getByText(/^Step \d/).count()).toBe(0)
  })

  it('show the changed records', async () => {
    const { visit, page } = await begin(browser(), true)
    const changed = ROWS.slice(0, 12).map(([id]) => [id!, `Renamed ${id}`])
    await choose(visit, csvFile('symptoms.csv', [['symptom_id', 'name'], ...changed]))
    await preview(visit)
    const cards = page.getByRole('list', { name: 'Changed records' }).getByRole('listitem')
    await cards.first().locator('ins').getByText('Renamed S-0', { exact: true }).waitFor()
    expect(await cards.count()).toBe(12)
  })

  it('continue if the user cancels a logout', async () => {
    const { visit, question } = await begin(browser())
    await choose(visit, SYMPTOMS)
    await preview(visit)
    await logOut(visit)
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'detached' })
    await button(visit, 'Add 60').click()
    await written(visit, 'symptoms')
  })

  it('end if the user confirms a logout on any page', async () => {
    const { visit, page, question } = await begin(browser())
    await choose(visit, SYMPTOMS)
    await preview(visit)
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
  })
})
