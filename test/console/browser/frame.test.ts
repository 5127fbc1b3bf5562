import { beforeAll, expect, it } from 'vitest'
import { DESKTOP, PHONE } from './pages'
import { button, filledWorkspace, heading, input, link } from './record-pages'
import { describeInBrowser, Visit, visitAt } from './visit'

const tablets = Array.from({ length: 4 }, (_, place) => ({
  medication_id: `M${place}`,
  name: `Tablet ${place}`,
  generic_name: 'Generic',
  strength: `${place} mg`,
  aliases: ['A name', 'Another name'],
}))

describeInBrowser('the frame of the console', (browser) => {
  beforeAll(() => filledWorkspace('Frame', 'medication', tablets))

  it('is painted while the style sheet and the script are under way', async () => {
    const visit = await Visit.begin(browser(), DESKTOP)
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await visit.page.route('**/console/assets/**', async (route) => {
      await arrived
      await route.continue()
    })
    await visit.page.goto('/console/', { waitUntil: 'commit' })
    const frame = visit.page.getByRole('status', { name: 'Opening the console' })
    await frame.getByText('Catalog console').waitFor()
    await visit.page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length === 1)
    await visit.expectGood()
    arrive()
    await visit.page.getByRole('heading', { level: 1, name: 'Catalog console' }).waitFor()
    expect(await frame.isVisible()).toBe(false)
    await visit.expectGood()
    await visit.end()
  })

  // The story of each page is told in one of the two frames. Here are the pages in the other one.

  it('holds the pages of which the stories are told on a phone, at a desk', async () => {
    const visit = await visitAt(browser(), 'Frame', 'Overview', DESKTOP)
    await visit.page.getByRole('region', { name: 'Medications' }).getByText('active').first().waitFor()
    await visit.expectGood()
    await visit.open('Members')
    await visit.page.getByRole('button', { name: 'Add member' }).waitFor()
    await visit.expectGood()
    await visit.open('Developers')
    for (const name of ['API keys', 'Partner credentials', 'Webhooks', 'Search box']) {
      await visit.page.getByRole('tab', { name }).click()
      await visit.page.getByRole('tabpanel', { name }).getByRole('button').first().waitFor()
      await visit.expectGood()
    }
    await visit.open('Catalog')
    await visit.page.getByRole('checkbox', { name: 'Select Tablet 1', exact: true }).check()
    await visit.page.getByText('1 medication selected').waitFor()
    await visit.expectGood()
    await link(visit, 'Tablet 1').click()
    await link(visit, 'Edit').click()
    await button(visit, 'Save').waitFor()
    await input(visit, 'Name').fill('')
    await button(visit, 'Save').click()
    await visit.page.getByText('Name is required', { exact: true }).waitFor()
    await visit.expectGood()
    await visit.end()
  })

  it('holds the pages of which the stories are told at a desk, on a phone', async () => {
    const visit = await visitAt(browser(), 'Frame', 'Catalog', PHONE)
    await link(visit, 'Tablet 1').click()
    await heading(visit, 'Tablet 1')
    await visit.page.getByRole('region', { name: 'History' }).getByRole('listitem').first().waitFor()
    await visit.expectGood()
    await visit.open('Partner search')
    await visit.page.getByText('4 active records in your catalog.').waitFor()
    await visit.page.getByText('Own catalog', { exact: true }).click()
    await input(visit, 'Search medications').fill('tablet')
    await visit.page.getByRole('list', { name: 'Matches' }).getByRole('listitem').first().waitFor()
    await visit.expectGood()
    await visit.open('Watch')
    await visit.page.getByText('Not watched: nobody gets a message if no file comes.').first().waitFor()
    await visit.expectGood()
    await visit.open('Upload')
    await visit.page.getByText('Drop a file with medications here').waitFor()
    await visit.expectGood()
    await visit.end()
  })
})
