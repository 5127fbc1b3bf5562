import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvFile } from './files'
import { choose, chooseMode } from './upload-actions'
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
    await choose(visit, withoutOne)
    await chooseMode(visit, 'Replace the whole catalog')
    await typed().waitFor()
    await visit.page.getByText('Before 10 % or more of the active symptoms are deactivated').waitFor()
    expect(await button('Deactivate 1').isDisabled()).toBe(true)
  })

  it('is changed on the page, for all catalogs', async () => {
    await button('Change the share').click()
    const share = visit.page.getByLabel('The number has to be typed from this share on, in percent')
    await visit.expectGood()
    await share.fill('20')
    await button('Save the share').click()
    await button('Deactivate 1').waitFor()
    await typed().waitFor({ state: 'hidden' })
    expect(await button('Deactivate 1').isEnabled()).toBe(true)
  })
})
