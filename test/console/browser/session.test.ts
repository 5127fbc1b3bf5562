import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { button, fillSymptom, heading, isFocused, link, logOut } from './steps'
import { describeInBrowser, PHONE, Visit, visitAt } from './visit'
import { newWorkspace, operator, service, VIEWER } from './workspaces'

const login = (page: Page) => page.getByRole('link', { name: 'Log in', exact: true })

describeInBrowser('a visit to the console', (browser) => {
  it('leads a user with access through the login and the choice of a workspace to the requested page', async () => {
    await newWorkspace('Another')
    const { workspace_id } = await operator().post('/platform/v1/workspaces', { body: { name: 'Closed' } })
    const visit = await Visit.begin(browser(), PHONE)
    const { page } = visit
    // A workspace that the user is not a member of, as if it was remembered from a membership that has ended.
    await page.evaluate((id) => localStorage.setItem('catalog-console-workspace', id), workspace_id)
    await page.route('**/session/token', (route) =>
      route.fulfill({ status: 403, json: { success: false, message: 'No member.', errors: [] } }),
    )
    await page.goto('/console/symptom/history?page=1')
    await page.getByRole('heading', { name: 'No access' }).waitFor()
    await page.unroute('**/session/token')
    // A provider that keeps its own session would return the same user.
    const other = link(visit, 'Use a different account')
    expect(await other.getAttribute('href')).toContain('prompt=select_account')
    await other.click()
    await page.getByRole('button', { name: VIEWER }).click()
    await page.getByRole('heading', { name: 'Choose a workspace' }).waitFor()
    expect(await page.getByText('Closed').count()).toBe(0)
    await visit.expectGood()
    await page.getByRole('button', { name: /^Demo/ }).click()
    await heading(visit, 'History')
    expect(page.url()).toBe(`${service().origin}/console/symptom/history?page=1`)
    await page.getByRole('button', { name: `account of ${VIEWER}` }).waitFor()
  })

  it('ends only with the logout, and then in every tab', async () => {
    await newWorkspace('Logout')
    const visit = await visitAt(browser(), 'Logout', 'Catalog')
    const failed = visit.page.getByRole('dialog', { name: 'You are still logged in' })
    await fillSymptom(visit, 'S1')
    await visit.page.route('**/session/logout', (route) => route.abort())
    await logOut(visit)
    await button(visit, 'Leave without saving').click()
    await failed.getByRole('alert').getByText('The logout did not work').waitFor()
    // Unsaved changes are still there.
    await failed.getByRole('button', { name: 'Close' }).click()
    await failed.waitFor({ state: 'detached' })
    expect(await visit.page.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('Headache')

    const other = await visit.page.context().newPage()
    await other.goto('/console/medication/catalog')
    await other.getByRole('heading', { name: 'Catalog', exact: true }).waitFor()
    await logOut(visit)
    await button(visit, 'Leave without saving').click()
    await failed.getByRole('alert').waitFor()
    await visit.page.unroute('**/session/logout')
    await failed.getByRole('button', { name: 'Try again' }).click()
    // The provider may still recognize the user who has just logged out.
    expect(await login(visit.page).getAttribute('href')).toContain('prompt=select_account')
    await login(other).waitFor()
    expect(await other.getByRole('heading', { name: 'Catalog', exact: true }).count()).toBe(0)
    await visit.page.goBack()
    await login(visit.page).waitFor()
    expect(await visit.page.getByRole('banner').count()).toBe(0)
    visit.forgive(/ERR_FAILED/)
  })

  it('can be completed with the keyboard alone', async () => {
    await newWorkspace('First house')
    await newWorkspace('Second house')
    const visit = await visitAt(browser(), 'First house', 'Catalog')
    const kept = await visit.page.evaluate(async () => ({
      names: Object.keys({ ...localStorage, ...sessionStorage }),
      cookie: document.cookie,
      databases: await indexedDB.databases(),
      caches: await caches.keys(),
    }))
    expect(kept).toEqual({ names: ['catalog-console-workspace'], cookie: '', databases: [], caches: [] })

    await visit.page.getByLabel('Workspace').selectOption({ label: 'Second house' })
    await visit.page.getByLabel('Workspace').waitFor()
    await visit.page.reload()
    await heading(visit, 'Catalog')
    expect(await visit.page.getByLabel('Workspace').locator('option:checked').innerText()).toBe('Second house')

    await visit.page.keyboard.press('Tab')
    const focused = () => visit.page.evaluate(() => document.activeElement?.textContent ?? '')
    expect(await focused()).toBe('Skip to the content')
    for (let step = 0; step < 20 && (await focused()) !== 'History'; step++) await visit.page.keyboard.press('Tab')
    await visit.page.keyboard.press('Enter')
    await heading(visit, 'History')
    // The heading of the new page has the focus, which announces the page.
    expect(await isFocused(visit.page.getByRole('heading', { level: 1 }))).toBe(true)
  })
})
