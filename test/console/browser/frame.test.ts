import { expect, it } from 'vitest'
import { DESKTOP, describeInBrowser, PHONE, Visit } from './visit'

describeInBrowser('the frame of the console', (browser) => {
  it.each([
    ['at a desk', DESKTOP],
    ['on a phone', PHONE],
  ])('is painted while the style sheet and the script are under way, %s', async (_, options) => {
    const visit = await Visit.begin(browser(), options)
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
    await visit.page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint').length === 1,
    )
    await visit.expectGood()
    arrive()
    await visit.page.getByRole('heading', { level: 1, name: 'Catalog console' }).waitFor()
    expect(await frame.isVisible()).toBe(false)
    await visit.expectGood()
    await visit.end()
  })
})
