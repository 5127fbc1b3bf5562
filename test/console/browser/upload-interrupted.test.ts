import { expect, it } from 'vitest'
import { csvFile } from './files'
import { button, choose, preview, written } from './steps'
import { describeInBrowser, visitAt } from './visit'
import { ADMIN, addMember, newWorkspace, programToken, rawRecord, storedRecord } from './workspaces'

const HEADER = ['medication_id', 'name']

const FILE = csvFile('medications.csv', [HEADER, ['M1', 'Aspirin']])

describeInBrowser('an upload with an interruption', (browser) => {
  it('continues afterwards', async () => {
    const workspaceId = await newWorkspace('Interrupted')
    const token = await programToken(workspaceId)
    const visit = await visitAt(browser(), 'Interrupted', 'Upload')
    const { page } = visit
    await choose(visit, FILE)
    await preview(visit)
    await page.context().setOffline(true)
    await page.getByRole('alert').getByText('You are offline').waitFor()
    expect(await button(visit, 'Add 1').isDisabled()).toBe(true)
    const lost = page.getByRole('main').getByText(/\blost\b/)
    expect(await lost.count()).toBe(0)
    await page.context().setOffline(false)
    await page.getByText('You are offline').waitFor({ state: 'detached' })
    const answer = await visit.hold('**/uploads/*/write?**')
    await button(visit, 'Add 1').click()
    await page.getByRole('status').getByText('Writing 1 row…').waitFor()
    answer()
    await written(visit, 'medications')
    expect(await storedRecord(token, 'medication', 'M1')).toMatchObject({ name: 'Aspirin' })

    await button(visit, 'Upload another file').click()
    await choose(visit, csvFile('more.csv', [HEADER, ['M2', 'Ibuprofen']]))
    await preview(visit)
    await addMember(workspaceId, ADMIN, 'viewer')
    await button(visit, 'Add 1').click()
    const alert = page.getByRole('alert').filter({ hasText: 'The upload was interrupted' })
    await alert.getByText('Your role in this workspace doesn’t allow this.').waitFor()
    await page.getByText('The file is not written.').waitFor()
    expect(await rawRecord(token, 'medication', 'M2')).toContain('There is no medication')
    visit.forgive(/ERR_INTERNET_DISCONNECTED/)
  })
})
