import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from './pages'
import { forgive } from './session-steps'
import { describeInBrowser, Visit, visitAt } from './visit'
import { ADMIN, newWorkspace } from './workspaces'

/** What the browser says of a page whose script is not there. */
const PAGE_IS_MISSING = /dynamically imported module|console may have been updated/

describeInBrowser('a console in which something is not as it should be', (browser) => {
  it('says that a page could not be loaded, and loads it again, on a phone', async () => {
    await newWorkspace('Deployment')
    const visit = await visitAt(browser(), 'Deployment', 'Catalog', PHONE)
    await visit.page.route('**/assets/members-page-*.js', (route) => route.fulfill({ status: 404 }))
    await visit.page.getByRole('button', { name: 'Open the navigation' }).click()
    await visit.page.getByRole('link', { name: 'Members' }).click()
    await visit.page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor()
    await visit.page.getByRole('alert').getByText('The console may have been updated').waitFor()
    forgive(visit, PAGE_IS_MISSING)
    await visit.expectGood()
    await visit.open('History')
    await visit.page.goBack()
    await visit.page.unroute('**/assets/members-page-*.js')
    await visit.page.getByRole('button', { name: 'Reload' }).click()
    await visit.page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    forgive(visit, PAGE_IS_MISSING)
    await visit.end()
  })

  describe('at a desk', () => {
    let visit: Visit
    beforeAll(async () => {
      await newWorkspace('Broken page')
      visit = await visitAt(browser(), 'Broken page', 'Catalog')
    })
    afterAll(() => visit.end())

    it('says what is wrong with a page that cannot be shown', async () => {
      await visit.page.route('**/writes?**', (route) => route.fulfill({ json: { success: true, data: { total: 1 } } }))
      await visit.page.getByRole('link', { name: 'History' }).click()
      await visit.page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor()
      await visit.page.getByRole('alert').getByText('Cannot read properties of undefined').waitFor()
      forgive(visit, /Cannot read properties of undefined/)
      await visit.page.unroute('**/writes?**')
    })

    it('says so in place of everything if the fault is in its frame', async () => {
      await visit.page.route('**/session/token', async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ json: { ...(await answer.json()), workspaces: null } })
      })
      await visit.page.reload()
      await visit.page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor()
      forgive(visit, /Cannot read properties of null/)
      await visit.expectGood()
      await visit.page.unroute('**/session/token')
      await visit.page.getByRole('button', { name: 'Reload' }).click()
      await visit.page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
    })

    it('says that an address is not one of its pages, and leads to the overview', async () => {
      await visit.follow('/console/no/such/page')
      await visit.page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
      await visit.expectGood()
      await visit.page.getByRole('link', { name: 'Go to the overview' }).click()
      await visit.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      // The bare origin leads to the console too.
      await visit.page.goto('/')
      await visit.page.waitForURL('**/console/start')
    })

    it('lets one skip to the content of a form without asking whether to leave it', async () => {
      await visit.follow('/console/medication/catalog')
      await visit.page
        .getByRole('link', { name: /^(New|Add)/ })
        .first()
        .click()
      const name = visit.page.getByRole('textbox', { name: /^Name/ })
      await name.fill('Headache')
      await visit.page.getByRole('link', { name: 'Skip to the content' }).press('Enter')
      await visit.page.waitForURL('**/catalog?new=1#content')
      expect(await visit.page.evaluate(() => document.activeElement?.id)).toBe('content')
      expect(await visit.page.getByRole('dialog').count()).toBe(0)
      // Back within the page, and then away from it.
      await visit.page.goBack()
      expect(await name.inputValue()).toBe('Headache')
      expect(await visit.page.getByRole('dialog').count()).toBe(0)
      await visit.page.goBack()
      await visit.page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    })
  })

  it('works in a browser that keeps nothing for it', async () => {
    await newWorkspace('No storage')
    const visit = await Visit.begin(browser())
    await visit.page.addInitScript(() =>
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      }),
    )
    await visit.page.goto('/console/')
    await visit.logIn(ADMIN)
    await visit.page.getByRole('button', { name: 'No storage' }).click()
    await visit.open('Catalog')
    await visit.end()
  })
})
