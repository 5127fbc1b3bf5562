import { it } from 'vitest'
import { button, heading, link } from './steps'
import { describeInBrowser, PHONE, visitAt } from './visit'
import { newWorkspace } from './workspaces'

describeInBrowser('a console with an error', (browser) => {
  it('says why it cannot show a page', async () => {
    await newWorkspace('Deployment')
    const visit = await visitAt(browser(), 'Deployment', 'Catalog', PHONE)
    await visit.page.route('**/assets/members-page-*.js', (route) => route.fulfill({ status: 404 }))
    await button(visit, 'Open the navigation').click()
    await link(visit, 'Members').click()
    await heading(visit, 'This page could not be loaded')
    await visit.page.getByRole('alert').getByText('The console may have been updated').waitFor()
    visit.forgive(/dynamically imported module|console may have been updated/)
    await visit.expectFits()
    await visit.page.unroute('**/assets/members-page-*.js')
    await button(visit, 'Reload').click()
    await heading(visit, 'Members')
    await visit.follow('/console/no/such/page')
    await heading(visit, 'Page not found')
    await link(visit, 'Go to the overview').click()
    await heading(visit, 'Overview')
  })
})
