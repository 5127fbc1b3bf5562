import { expect, it } from 'vitest'
import { button, input, isFocused, link } from './steps'
import { describeInBrowser, NEW_PAGE, PHONE, type Visit, visitAt } from './visit'
import { newWorkspace } from './workspaces'

const heading = ({ page }: Visit, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

describeInBrowser('a console in which something is not as it should be', (browser) => {
  it('says on a phone that a page, or its frame, could not be loaded, and loads it again', async () => {
    await newWorkspace('Deployment')
    const visit = await visitAt(browser(), 'Deployment', 'Catalog', PHONE)
    await visit.page.route('**/assets/members-page-*.js', (route) => route.fulfill({ status: 404 }))
    await button(visit, 'Open the navigation').click()
    await link(visit, 'Members').click()
    await heading(visit, 'This page could not be loaded')
    await visit.page.getByRole('alert').getByText('The console may have been updated').waitFor()
    await visit.open('History')
    await visit.page.goBack()
    await visit.page.unroute('**/assets/members-page-*.js')
    // And once more, with a fault in the frame.
    await visit.page.route('**/session/token', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ json: { ...(await answer.json()), workspaces: null } })
    })
    await button(visit, 'Reload').click()
    await visit.page.getByText('Deployment').waitFor({ state: 'detached' })
    await heading(visit, 'This page could not be loaded')
    visit.forgive(/dynamically imported module|console may have been updated|Cannot read properties of null/)
    await visit.expectGood()
    await visit.page.unroute('**/session/token')
    await button(visit, 'Reload').click()
    await heading(visit, 'Members')
    await visit.end()
  })

  it('says that an address is none of its pages; a link within a form leaves it without a question', async () => {
    await newWorkspace('Lost')
    const visit = await visitAt(browser(), 'Lost', 'Catalog')
    await visit.follow('/console/no/such/page')
    await heading(visit, 'There is no such page')
    await link(visit, 'Go to the overview').click()
    await heading(visit, 'Overview')
    await visit.open('Catalog')
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
    const visit = await visitAt(browser(), 'No storage', 'Overview', NEW_PAGE)
    await visit.page.addInitScript(() =>
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      }),
    )
    // The bare origin leads to the console too.
    await visit.page.goto('/')
    await visit.page.getByRole('button', { name: 'No storage' }).click()
    await visit.page.waitForURL('**/console/start')
    await visit.open('Catalog')
    await visit.end()
  })
})
