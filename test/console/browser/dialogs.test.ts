import { it } from 'vitest'
import { button, filledWorkspace } from './record-pages'
import { describeInBrowser, visitAt } from './visit'
import { ADMIN, VIEWER } from './workspaces'

describeInBrowser('menus and dialogs', (browser) => {
  it('are as good as the pages below them', async () => {
    await filledWorkspace('Dialogs', 'medication', [{ medication_id: 'A', name: 'Aspirin' }])
    const visit = await visitAt(browser(), 'Dialogs', 'Members')
    const { page } = visit
    const dialog = page.getByRole('dialog')
    const tab = (name: string) => page.getByRole('tab', { name }).click()

    /** Looks at what has opened, and closes it. */
    const look = async (role: 'dialog' | 'menu', name: RegExp) => {
      await page.getByRole(role, { name }).waitFor()
      await visit.expectGood()
      await page.keyboard.press('Escape')
      await page.getByRole(role).waitFor({ state: 'detached' })
    }

    await button(visit, 'Add member').click()
    await look('dialog', /^Add member/)
    await button(visit, `Remove ${VIEWER}`).click()
    await look('dialog', /^Remove member/)
    await page.getByLabel(`Role of ${ADMIN}`).selectOption('viewer')
    await dialog.getByText('This is your own role').waitFor()
    await look('dialog', /^Change role/)

    await visit.open('Developers')
    await button(visit, 'Create API key').click()
    await look('dialog', /^Create API key/)
    await tab('Partner credentials')
    await button(visit, 'Create partner credential').click()
    await look('dialog', /^Create partner credential/)
    await tab('Webhooks')
    await button(visit, 'Add webhook').click()
    await look('dialog', /^Add webhook/)

    await visit.open('Watch')
    await button(visit, 'Watch the medications').click()
    await look('dialog', /^Watch/)

    await visit.open('Partner search')
    await page.getByRole('switch', { name: 'Partner search of medications' }).press('Space')
    await look('dialog', /^Switch partner search/)

    await visit.open('Catalog')
    await button(visit, 'Download').click()
    await look('menu', /Download/)
    await page.getByRole('checkbox', { name: 'Select Aspirin' }).check()
    await button(visit, 'Reactivate').click()
    await dialog.getByText('They are active already').waitFor()
    await look('dialog', /^Reactivate/)
    await visit.end()
  })
})
