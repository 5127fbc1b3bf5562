import { expect, it } from 'vitest'
import { MAX_CSV_LINES } from '#shared/limits'
import { csvFile } from './files'
import { button, choose, preview, written } from './steps'
import { describeInBrowser, NEW_PAGE, visitAt } from './visit'
import { ADMIN, addMember, callService, newWorkspace, programToken, rawRecord, storedRecord } from './workspaces'

const HEADER = ['medication_id', 'name']

const FILE = csvFile('medications.csv', [HEADER, ['M1', 'Aspirin']])

describeInBrowser('an upload in whose middle something happens', (browser) => {
  it('waits for the connection, loses nothing, and says in a sentence if the role does not allow it any more', async () => {
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
    await alert.getByText('Your role in this workspace does not allow this, or not any more.').waitFor()
    await page.getByText('The file is not written.').waitFor()
    expect(await rawRecord(token, 'medication', 'M2')).toContain('There is no medication')
    visit.forgive(/ERR_INTERNET_DISCONNECTED/)
    await visit.end()
  })

  it('shows of more lines than a request takes which parts are written, and goes on from there', async () => {
    const token = await programToken(await newWorkspace('Large files'))
    const visit = await visitAt(browser(), 'Large files', 'Upload', NEW_PAGE)
    const activeRecords = async () => {
      const answer = await callService(token, '/admin/catalogs/v1/medication')
      return ((await answer.json()) as { data: { active_records: number } }).data.active_records
    }
    // Blank lines count as others do.
    const text = `medication_id,name\nM1,Aspirin\n${'\n'.repeat(MAX_CSV_LINES)}M2,Ibuprofen\n`
    await choose(visit, { name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await button(visit, 'Add 2').waitFor()
    let writes = 0
    await visit.page.route('**/admin/datasets/v1/**', async (route) => {
      const request = route.request()
      const isWrite = request.method() === 'POST' && !request.url().includes('dry_run')
      if (isWrite) writes++
      // The second part does not get through.
      if (isWrite && writes > 1) await route.abort()
      else await route.continue()
    })
    await button(visit, 'Add 2').click()
    await visit.page.getByText('The upload was interrupted').waitFor()
    await visit.page.getByText('Rows 2 to 200,001 are written.').waitFor()
    await visit.page.getByText('The service did not answer whether rows 200,002 to 200,003 are written.').waitFor()
    expect(await activeRecords()).toBe(1)
    visit.forgive(/ERR_FAILED/)
    await visit.page.unroute('**/admin/datasets/v1/**')
    await button(visit, 'Go on from there').click()
    await visit.page.getByText('2 records are active.').waitFor()
    expect(await activeRecords()).toBe(2)

    await visit.end()
  })
})
