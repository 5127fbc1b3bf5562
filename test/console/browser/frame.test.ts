import { expect, it } from 'vitest'
import { DESKTOP, PHONE } from './pages'
import { filledWorkspace, heading, input, link } from './record-pages'
import { describeInBrowser, Visit, visitAt } from './visit'

describeInBrowser('the frame of the console', (browser) => {
  it('is painted while the style sheet and the script are under way', async () => {
    const visit = await Visit.begin(browser(), DESKTOP)
    const arrive = await visit.hold('**/console/assets/**')
    await visit.page.goto('/console/', { waitUntil: 'commit' })
    const frame = visit.page.getByRole('status', { name: 'Opening the console' })
    await frame.getByText('Catalog console').waitFor()
    await visit.page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length === 1)
    arrive()
    await visit.page.getByRole('heading', { level: 1, name: 'Catalog console' }).waitFor()
    expect(await frame.isVisible()).toBe(false)
    await visit.expectGood()
    await visit.end()
  })

  it('holds the pages of which the stories are told at a desk, on a phone', async () => {
    await filledWorkspace('Frame', 'medication', [{ medication_id: 'M1', name: 'Tablet 1', aliases: ['A', 'B'] }])
    const visit = await visitAt(browser(), 'Frame', 'Catalog', PHONE)
    await link(visit, 'Tablet 1').click()
    await heading(visit, 'Tablet 1')
    await visit.page.getByRole('region', { name: 'History' }).getByRole('listitem').first().waitFor()
    await visit.expectFits()
    await visit.open('Partner search')
    await visit.page.getByText('1 active record in your catalog.').waitFor()
    await visit.page.getByText('Own catalog', { exact: true }).click()
    await input(visit, 'Search medications').fill('tablet')
    await visit.page.getByRole('list', { name: 'Matches' }).getByRole('listitem').first().waitFor()
    await visit.expectFits()
    await visit.open('Watch')
    await visit.page.getByText('Not watched: nobody gets a message if no file comes.').first().waitFor()
    await visit.expectFits()
    await visit.open('Upload')
    await visit.page.getByText('Drop a file with medications here').waitFor()
    await visit.expectFits()
    await visit.end()
  })
})
