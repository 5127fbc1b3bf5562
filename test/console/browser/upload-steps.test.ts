import { expect, it } from 'vitest'
import { csvFile } from './files'
import { PHONE } from './pages'
import { button, filledWorkspace } from './record-pages'
import { choose, columnsAreRight, outcome, written } from './upload-actions'
import { describeInBrowser, visitAt } from './visit'
import { newWorkspace } from './workspaces'

describeInBrowser('the steps of an upload', (browser) => {
  it('ask for columns, show them, and end with the outcome, whose button a phone shows without scrolling', async () => {
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
    await write.click()
    await written(visit, 'symptoms')
    expect(await page.getByText(/^Step \d/).count()).toBe(0)
    await visit.end()
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
    const visit = await visitAt(browser(), 'Review', 'Upload')
    await visit.page.setViewportSize({ width: 1280, height: 720 })
    const changed = records.map((record) => ({ ...record, strength: '7 mg', sku: 'S', manufacturer: 'Another Maker' }))
    await choose(visit, csvFile('review.csv', [Object.keys(records[0]!), ...changed.map(Object.values)]))
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
    await visit.expectFits()
    await visit.end()
  })
})
