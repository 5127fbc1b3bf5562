import { expect, it } from 'vitest'
import { NEW_PAGE, PHONE } from './pages'
import { input, isFocused, link } from './record-pages'
import { forgive } from './session-steps'
import { describeInBrowser, Visit, visitAt } from './visit'
import { ADMIN, newWorkspace } from './workspaces'

/** What the browser says of a page whose script is not there. */
const PAGE_IS_MISSING = /dynamically imported module|console may have been updated/

const heading = ({ page }: Visit, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

describeInBrowser('a console in which something is not as it should be', (browser) => {
  it('says that a page could not be loaded, and loads it again, on a phone', async () => {
    await newWorkspace('Deployment')
    const visit = await visitAt(browser(), 'Deployment', 'Catalog', PHONE)
    await visit.page.route('**/assets/members-page-*.js', (route) => route.fulfill({ status: 404 }))
    await visit.page.getByRole('button', { name: 'Open the navigation' }).click()
    await visit.page.getByRole('link', { name: 'Members' }).click()
    await heading(visit, 'This page could not be loaded')
    await visit.page.getByRole('alert').getByText('The console may have been updated').waitFor()
    await visit.open('History')
    await visit.page.goBack()
    await visit.page.unroute('**/assets/members-page-*.js')
    await visit.page.getByRole('button', { name: 'Reload' }).click()
    await heading(visit, 'Members')
    forgive(visit, PAGE_IS_MISSING)
    await visit.end()
  })

  it('says so in place of everything if the fault is in its frame', async () => {
    await newWorkspace('Broken page')
    const visit = await visitAt(browser(), 'Broken page', 'History')
    await visit.page.route('**/session/token', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ json: { ...(await answer.json()), workspaces: null } })
    })
    await visit.page.reload()
    await heading(visit, 'This page could not be loaded')
    forgive(visit, /Cannot read properties of null/)
    await visit.expectGood()
    await visit.page.unroute('**/session/token')
    await visit.page.getByRole('button', { name: 'Reload' }).click()
    await heading(visit, 'History')
    await visit.end()
  })

  it('says that an address is not one of its pages, and leads to the overview', async () => {
    await newWorkspace('Lost')
    const visit = await visitAt(browser(), 'Lost', 'Catalog')
    await visit.follow('/console/no/such/page')
    await heading(visit, 'There is no such page')
    await visit.page.getByRole('link', { name: 'Go to the overview' }).click()
    await heading(visit, 'Overview')
    // The bare origin leads to the console too.
    await visit.page.goto('/')
    await visit.page.waitForURL('**/console/start')
    await visit.end()
  })

  it('lets one skip to the content of a form without asking whether to leave it', async () => {
    await newWorkspace('Keyboard')
    const visit = await visitAt(browser(), 'Keyboard', 'Catalog')
    await link(visit, 'New medication').click()
    await input(visit, 'Name').fill('Headache')
    await link(visit, 'Skip to the content').press('Enter')
    await visit.page.waitForURL('**/catalog?new=1#content')
    expect(await isFocused(visit.page.locator('#content'))).toBe(true)
    // Back within the page, and then away from it.
    await visit.page.goBack()
    expect(await input(visit, 'Name').inputValue()).toBe('Headache')
    expect(await visit.page.getByRole('dialog').count()).toBe(0)
    await visit.page.goBack()
    await visit.page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await visit.end()
  })

  it('works in a browser that keeps nothing for it', async () => {
    await newWorkspace('No storage')
    const visit = await Visit.begin(browser(), NEW_PAGE)
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
