import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { PHONE } from './pages'
import { button, heading, isFocused } from './record-pages'
import { fillSymptom, forgive, logOut, save, statusOf } from './session-steps'
import { describeInBrowser, Visit, visitAt } from './visit'
import { ADMIN, newWorkspace, operator, service, VIEWER } from './workspaces'

const login = (page: Page) => page.getByRole('link', { name: 'Log in', exact: true })

describeInBrowser('a visit to the console', (browser) => {
  it('leads through the login and the choice of an own workspace to the page that was asked for, on a phone', async () => {
    await newWorkspace('Another')
    const { workspace_id } = await operator().post('/platform/v1/workspaces', { body: { name: 'Closed' } })
    const visit = await Visit.begin(browser(), PHONE)
    await visit.page.goto('/console/symptom/history?page=1')
    await visit.page.getByRole('heading', { name: 'Catalog console' }).waitFor()
    // A workspace that the person is no member of, as one that was remembered before the membership ended.
    await visit.page.evaluate((id) => localStorage.setItem('catalog-console-workspace', id), workspace_id)
    await visit.logIn(VIEWER)
    await visit.page.getByRole('heading', { name: 'Choose a workspace' }).waitFor()
    expect(await visit.page.getByText('Closed').count()).toBe(0)
    await visit.expectGood()
    await visit.page.getByRole('button', { name: /^Demo/ }).click()
    await heading(visit, 'History')
    expect(visit.page.url()).toBe(`${service().origin}/console/symptom/history?page=1`)
    await visit.end()
  })

  it('goes on if the logout fails, and ends with it in every tab, after which going back shows nothing', async () => {
    await newWorkspace('Logout')
    const visit = await visitAt(browser(), 'Logout', 'Catalog')
    const failed = visit.page.getByRole('dialog', { name: 'You are still logged in' })
    await fillSymptom(visit, 'S1')
    await visit.page.route('**/session/logout', (route) => route.abort())
    await logOut(visit)
    await button(visit, 'Leave without saving').click()
    await failed.getByRole('alert').getByText('The logout did not work').waitFor()
    // What is not saved is still there, and is still asked for.
    await failed.getByRole('button', { name: 'Close' }).click()
    await failed.waitFor({ state: 'detached' })
    expect(await isFocused(visit.page.getByRole('button', { name: `account of ${ADMIN}` }))).toBe(true)
    await visit.page.getByRole('link', { name: 'History' }).click()
    await button(visit, 'Stay').click()
    expect(await visit.page.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('Headache')

    const other = await visit.page.context().newPage()
    await other.goto('/console/medication/catalog')
    await other.getByRole('heading', { name: 'Catalog', exact: true }).waitFor()
    await logOut(visit)
    await button(visit, 'Leave without saving').click()
    await failed.getByRole('alert').waitFor()
    await visit.page.unroute('**/session/logout')
    await failed.getByRole('button', { name: 'Try again' }).click()
    // The provider may still know the person who has just left.
    expect(await login(visit.page).getAttribute('href')).toContain('prompt=select_account')
    await login(other).waitFor()
    expect(await other.getByRole('heading', { name: 'Catalog', exact: true }).count()).toBe(0)
    await visit.page.goBack()
    await login(visit.page).waitFor()
    await visit.page.goto('/console/keys')
    await login(visit.page).waitFor()
    expect(await visit.page.getByRole('banner').count()).toBe(0)
    forgive(visit, /ERR_FAILED/)
    await visit.end()
  })

  it('says that it is offline, and does not save later what could not be saved then', async () => {
    const workspaceId = await newWorkspace('Offline')
    const visit = await visitAt(browser(), 'Offline', 'Catalog')
    await fillSymptom(visit, 'S1')
    await visit.page.context().setOffline(true)
    const notice = visit.page.getByRole('alert').filter({ hasText: 'You are offline' })
    await notice.waitFor()
    await save(visit)
    await visit.page.getByText('The service did not answer whether the record is saved').waitFor()
    await visit.page.context().setOffline(false)
    await notice.waitFor({ state: 'detached' })
    expect(await statusOf(workspaceId, 'S1')).toBe(404)
    await save(visit)
    await visit.page.getByText('Saved.').first().waitFor()
    expect(await statusOf(workspaceId, 'S1')).toBe(200)
    forgive(visit, /ERR_INTERNET_DISCONNECTED/)
    await visit.end()
  })

  it('can be made with the keyboard alone, keeps no token in the browser, and remembers the workspace', async () => {
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
    // The new page is told by its heading, which has the focus.
    expect(await isFocused(visit.page.getByRole('heading', { level: 1 }))).toBe(true)
    await visit.end()
  })

  it('begins at an address that is not too long to come back to: first the query is left out, then the path', async () => {
    const longWord = 'x'.repeat(1100)
    await newWorkspace('Long address')
    const visit = await Visit.begin(browser())
    await visit.page.goto(`/console/symptom/catalog/${longWord}`)
    expect(await login(visit.page).getAttribute('href')).not.toContain('return_to')
    await visit.page.goto(`/console/symptom/catalog?q=${longWord}`)
    await login(visit.page).click()
    await visit.page.getByRole('button', { name: ADMIN }).click()
    await visit.page.waitForURL(`${service().origin}/console/symptom/catalog`)
    await visit.end()
  })

  it('lets another person log in if one has no access', async () => {
    await newWorkspace('Somebody else')
    const visit = await visitAt(browser(), 'Somebody else', 'Catalog')
    await visit.page.route('**/session/token', (route) =>
      route.fulfill({ status: 403, json: { success: false, message: 'No member.', errors: [] } }),
    )
    await visit.page.reload()
    await visit.page.getByRole('heading', { name: 'No access' }).waitFor()
    const link = visit.page.getByRole('link', { name: 'Log in as somebody else' })
    // A provider with a session of its own would come back with the same person.
    expect(await link.getAttribute('href')).toContain('prompt=select_account')
    await link.click()
    await visit.page.unroute('**/session/token')
    await visit.page.getByRole('button', { name: VIEWER }).click()
    await visit.page.getByRole('banner').waitFor()
    await visit.page.getByRole('button', { name: `account of ${VIEWER}` }).waitFor()
    await visit.end()
  })
})
