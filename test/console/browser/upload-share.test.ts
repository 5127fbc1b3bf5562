import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvFile } from './files'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { newWorkspace, programToken, writeRecords } from './workspaces'

const rows = Array.from({ length: 10 }, (_, row) => [`S${row}`, `Symptom ${row}`])
const withoutOne = csvFile('symptoms.csv', [['symptom_id', 'name'], ...rows.slice(1)])

describeInBrowser('the share from which the number of deactivated records is typed', (browser) => {
  let visit: Visit
  beforeAll(async () => {
    const workspace = await newWorkspace('Shares')
    const records = rows.map(([symptom_id, name]) => ({ symptom_id, name }))
    await writeRecords(await programToken(workspace), 'symptom', records)
    visit = await visitAt(browser(), 'Shares', 'Upload')
    await visit.chooseCatalog('Symptoms')
  })
  afterAll(() => visit.end())

  const typed = () => visit.page.getByLabel(/To continue, type the number/)
  const button = (name: string) => visit.page.getByRole('button', { name, exact: true })

  it('is 10 % until an admin changes it', async () => {
    await visit.page.getByRole('radio', { name: /Replace the whole catalog/ }).click()
    await visit.page.getByText('Before 10 % or more of the active symptoms are deactivated').waitFor()
    await visit.page.locator('input[type=file]').setInputFiles(withoutOne)
    await typed().waitFor()
    expect(await button('Deactivate 1').isDisabled()).toBe(true)
  })

  it('is changed on the page, for all catalogs', async () => {
    await button('Change the share').click()
    const share = visit.page.getByLabel('The number has to be typed from this share on, in percent')
    await visit.expectGood()
    await share.fill('20')
    await button('Save the share').click()
    await visit.page.getByText('Before 20 % or more of the active symptoms are deactivated').waitFor()
    expect(await typed().count()).toBe(0)
    expect(await button('Deactivate 1').isEnabled()).toBe(true)
    await visit.page.reload()
    await visit.page.getByRole('radio', { name: /Replace the whole catalog/ }).click()
    await visit.page.getByText('Before 20 % or more').waitFor()
  })
})
