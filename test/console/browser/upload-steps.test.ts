import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvFile } from './files'
import { DESKTOP, PHONE } from './pages'
import { filledWorkspace } from './record-pages'
import { columnsAreRight, outcome } from './upload-actions'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { newWorkspace } from './workspaces'

/** Many rows: more changes than a window shows. */
const rows = [['Box', 'Finding'], ...Array.from({ length: 60 }, (_, row) => [`S-${row}`, `Symptom ${row}`])]

describeInBrowser('the steps of an upload', (browser) => {
  describe('on a phone', () => {
    let visit: Visit
    beforeAll(async () => {
      await newWorkspace('Steps')
      visit = await visitAt(browser(), 'Steps', 'Upload', PHONE)
      await visit.chooseCatalog('Symptoms')
    })
    afterAll(() => visit.end())

    const step = (text: string) => visit.page.getByText(text, { exact: true }).waitFor()

    it('ask which columns are those that every record needs', async () => {
      await visit.page.locator('input[type=file]').setInputFiles(csvFile('findings.csv', rows))
      await visit.page.getByText('No column is called symptom id or name').waitFor()
      await step('Step 2 of 3: Columns')
      await visit.page.getByLabel('Where does the symptom id come from?').selectOption({ label: 'Box (S-0, S-1)' })
      await visit.page.getByText('No column is called name').waitFor()
      await visit.page
        .getByLabel('Where does the name come from?')
        .selectOption({ label: 'Finding (Symptom 0, Symptom 1)' })
    })

    it('have the columns looked at', async () => {
      await visit.page.getByText('No column is called name').waitFor({ state: 'hidden' })
      await step('Step 2 of 3: Columns')
      await columnsAreRight(visit)
    })

    it('end with the outcome, whose button is in reach without scrolling', async () => {
      const write = visit.page.getByRole('button', { name: 'Add 60', exact: true })
      await write.waitFor()
      await step('Step 3 of 3: Review')
      const { height } = visit.page.viewportSize()!
      for (const place of [write, outcome(visit)]) {
        const box = (await place.boundingBox())!
        expect(box.y).toBeGreaterThanOrEqual(0)
        expect(box.y + box.height).toBeLessThanOrEqual(height)
      }
      expect(await visit.page.evaluate(() => window.scrollY)).toBe(0)
      await visit.expectGood()
    })

    it('are over when the file is written', async () => {
      await visit.page.getByRole('button', { name: 'Add 60', exact: true }).click()
      await visit.page.getByText('The symptoms are up to date').waitFor()
      expect(await visit.page.getByText(/^Step \d/).count()).toBe(0)
    })
  })

  it('end with a review of at least eight records on a small laptop; on a phone each is a card', async () => {
    const names = ['Acetaminophen and caffeine', 'Budesonide', 'Esomeprazole magnesium, delayed release']
    const records = Array.from({ length: 12 }, (_, row) => ({
      medication_id: `A2153${row}-001`,
      name: `${names[row % names.length]} ${row} mg`,
      strength: `${row} mg`,
      manufacturer: 'Padagis Israel Pharmaceuticals Ltd',
      sku: `2153${row}`,
    }))
    await filledWorkspace('Review', 'medication', records)
    const visit = await visitAt(browser(), 'Review', 'Upload', DESKTOP)
    await visit.page.setViewportSize({ width: 1280, height: 720 })
    const changed = records.map((record) => ({ ...record, strength: '7 mg', sku: 'S', manufacturer: 'Another Maker' }))
    const file = csvFile('review.csv', [Object.keys(records[0]!), ...changed.map((record) => Object.values(record))])
    await visit.page.locator('input[type=file]').setInputFiles(file)
    const table = visit.page.getByRole('table', { name: 'Changed records' })
    await table.getByRole('rowheader').first().waitFor()
    const inSight = await table.evaluate((element) => {
      const end = document.querySelector('.form-actions')!.getBoundingClientRect().top
      return [...element.querySelectorAll('tbody tr')].filter((row) => row.getBoundingClientRect().bottom <= end).length
    })
    expect(inSight).toBeGreaterThanOrEqual(8)
    await visit.page.setViewportSize(PHONE.viewport!)
    const cards = visit.page.getByRole('list', { name: 'Changed records' }).getByRole('listitem')
    await cards.first().getByText('7 mg').waitFor()
    expect(await cards.count()).toBe(12)
    await visit.expectGood()
    await visit.end()
  })
})
