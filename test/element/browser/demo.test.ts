import { expect, it } from 'vitest'
import { DESKTOP, describeInBrowser, Visit } from '../../console/browser/visit'
import { ADMIN } from '../../console/browser/workspaces'
import { Box } from './site'

describeInBrowser('the demo of the search element', (browser) => {
  it('asks strangers to log in, and lets members search the demo workspace', async () => {
    const visit = await Visit.begin(browser(), DESKTOP)
    const { page } = visit
    await page.goto('/embed/demo/')
    await page.getByText('Log in to search.').waitFor()
    await page.getByRole('link', { name: 'Log in' }).click()
    await page.getByRole('button', { name: ADMIN }).click()
    await page.waitForURL('**/embed/demo/')
    await page.getByText(`Logged in as ${ADMIN}.`).waitFor()
    const workspace = page.getByLabel('Workspace')
    if (await workspace.isVisible()) await workspace.selectOption('demo')
    const box = new Box(page, 'Symptom')
    await box.find('cough')
    await box.option(/cough/i).first().click()
    await box.says(/^Chosen: /)
    await visit.expectGood()
    await page.getByRole('button', { name: 'Send the form' }).click()
    // The medication is required.
    await page.getByText('Nothing yet.').waitFor()
    expect(await page.locator('#events').innerText()).toContain('catalog-select of symptom_id')
  })
})
