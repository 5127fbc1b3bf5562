import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvFile } from './files'
import { NEW_PAGE } from './pages'
import { forgive } from './session-steps'
import { choose, preview, written } from './upload-actions'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { slowDown } from './wire.mjs'
import { ADMIN, addMember, newWorkspace, programToken, rawRecord, storedRecord } from './workspaces'

const FILE = csvFile('medications.csv', [
  ['medication_id', 'name'],
  ['M1', 'Aspirin'],
])

const SECOND_FILE = csvFile('more.csv', [
  ['medication_id', 'name'],
  ['M2', 'Ibuprofen'],
])

const button = ({ page }: Visit) => page.getByRole('button', { name: 'Add 1', exact: true })

describeInBrowser('an upload in whose middle something happens', (browser) => {
  it('says in a sentence that the role does not allow it any more, and that nothing is written', async () => {
    const workspaceId = await newWorkspace('Demoted')
    const visit = await visitAt(browser(), 'Demoted', 'Upload')
    await choose(visit, FILE)
    await preview(visit)
    await addMember(workspaceId, ADMIN, 'viewer')
    await button(visit).click()
    const alert = visit.page.getByRole('alert').filter({ hasText: 'The upload was interrupted' })
    await alert.getByText('Your role in this workspace does not allow this, or not any more.').waitFor()
    await visit.page.getByText('The file is not written.').waitFor()
    expect(await rawRecord(await programToken(workspaceId), 'medication', 'M1')).toContain('There is no medication')
    await visit.end()
  })

  describe('without a connection, without motion, and over a slow line', () => {
    let visit: Visit
    let workspaceId: string
    beforeAll(async () => {
      workspaceId = await newWorkspace('Offline upload')
      visit = await visitAt(browser(), 'Offline upload', 'Upload', NEW_PAGE)
    })
    afterAll(() => visit.end())

    it('waits for the connection, loses nothing, and is written when it is back', async () => {
      await choose(visit, FILE)
      await preview(visit)
      await visit.page.context().setOffline(true)
      await visit.page.getByRole('alert').getByText('You are offline').waitFor()
      expect(await button(visit).isDisabled()).toBe(true)
      const page = visit.page.getByRole('main')
      expect(await page.getByText(/\blost\b/).count()).toBe(0)
      await visit.page.context().setOffline(false)
      await visit.page.getByText('You are offline').waitFor({ state: 'detached' })
      await button(visit).click()
      await written(visit, 'medications')
      expect(await storedRecord(await programToken(workspaceId), 'medication', 'M1')).toMatchObject({ name: 'Aspirin' })
      forgive(visit, /ERR_INTERNET_DISCONNECTED/)
    })

    it('shows that it is under way without moving, for people who want no motion', async () => {
      await visit.page.getByRole('button', { name: 'Upload another file' }).click()
      let answer = () => {}
      const answered = new Promise<void>((resolve) => {
        answer = resolve
      })
      await visit.page.route('**/uploads/*/write?**', async (route) => {
        await answered
        await route.continue()
      })
      await choose(visit, SECOND_FILE)
      await preview(visit)
      await button(visit).click()
      await visit.page.getByRole('status').getByText('Writing 1 row…').waitFor()
      const moving = () =>
        visit.page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length)
      await expect.poll(moving).toBe(0)
      answer()
      await written(visit, 'medications')
      await visit.page.unroute('**/uploads/*/write?**')
    })

    it('shows how much of the packed file is sent over a slow line', async () => {
      await visit.page.getByRole('button', { name: 'Upload another file' }).click()
      await slowDown(visit.page, { bitsPerSecond: 1_000_000, latencyMs: 0 })
      const rows = Array.from({ length: 20_000 }, (_, n) => [`M${n}`, String(Math.sin(n))])
      const sent = visit.page.waitForRequest((request) => request.url().includes('/admin/datasets/v1/?'))
      await choose(visit, csvFile('large.csv', [['medication_id', 'name'], ...rows]))
      expect((await sent).headers()['content-encoding']).toBe('gzip')
      await visit.page.getByText(/^[1-9]\d? % sent$/).waitFor()
    })
  })
})
