import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DESKTOP, PHONE } from './pages'
import { fillSymptom, forgive, logOut, save, statusOf } from './session-steps'
import { describeInBrowser, Visit, visitAt } from './visit'
import { ADMIN, newWorkspace, operator, service, VIEWER } from './workspaces'

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
    await visit.page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
    expect(visit.page.url()).toBe(`${service().origin}/console/symptom/history?page=1`)
    await visit.end()
  })

  describe('that is to end', () => {
    let visit: Visit
    const loginOf = (page: Page) => page.getByRole('link', { name: 'Log in', exact: true })
    const leave = () => visit.page.getByRole('button', { name: 'Leave without saving' }).click()
    const alert = () => visit.page.getByRole('dialog', { name: 'You are still logged in' }).getByRole('alert')

    beforeAll(async () => {
      await newWorkspace('Logout')
      visit = await visitAt(browser(), 'Logout', 'Catalog')
    })
    afterAll(() => visit.end())

    it('goes on if the logout fails, which says so and loses nothing', async () => {
      await fillSymptom(visit, 'S1')
      await visit.page.route('**/session/logout', (route) => route.abort())
      await logOut(visit)
      await leave()
      await alert().getByText('The logout did not work').waitFor()
      forgive(visit, /ERR_FAILED/)
      await visit.expectGood()
      // What is not saved is still there, and is still asked for.
      await visit.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await alert().waitFor({ state: 'detached' })
      const account = visit.page.getByRole('button', { name: `account of ${ADMIN}` })
      expect(await account.evaluate((button) => button === document.activeElement)).toBe(true)
      await visit.page.getByRole('link', { name: 'History' }).click()
      await visit.page.getByRole('button', { name: 'Stay' }).click()
      expect(await visit.page.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('Headache')
    })

    it('ends with the logout in every tab, after which going back shows nothing', async () => {
      const other = await visit.page.context().newPage()
      await other.goto('/console/medication/catalog')
      await other.getByRole('heading', { name: 'Catalog', exact: true }).waitFor()
      await logOut(visit)
      await leave()
      await alert().waitFor()
      await visit.page.unroute('**/session/logout')
      await alert().getByRole('button', { name: 'Try again' }).click()
      // The provider may still know the person who has just left.
      expect(await loginOf(visit.page).getAttribute('href')).toContain('prompt=select_account')
      await loginOf(other).waitFor()
      expect(await other.getByRole('heading', { name: 'Catalog', exact: true }).count()).toBe(0)
      await visit.page.goBack()
      await loginOf(visit.page).waitFor()
      await visit.page.goto('/console/keys')
      await loginOf(visit.page).waitFor()
      expect(await visit.page.getByRole('banner').count()).toBe(0)
      forgive(visit, /ERR_FAILED/)
    })
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

  describe('of a member', () => {
    let visit: Visit
    beforeAll(async () => {
      await newWorkspace('First house')
      await newWorkspace('Second house')
      visit = await visitAt(browser(), 'First house', 'Catalog')
    })
    afterAll(() => visit.end())

    it('keeps no token and nothing of the catalog in the browser', async () => {
      const kept = await visit.page.evaluate(async () => ({
        names: Object.keys({ ...localStorage, ...sessionStorage }),
        cookie: document.cookie,
        databases: await indexedDB.databases(),
        caches: await caches.keys(),
      }))
      expect(kept).toEqual({ names: ['catalog-console-workspace'], cookie: '', databases: [], caches: [] })
    })

    it('can be made with the keyboard alone', async () => {
      await visit.page.keyboard.press('Tab')
      await visit.page.reload()
      await visit.page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor()
      await visit.page.keyboard.press('Tab')
      const focused = () => visit.page.evaluate(() => document.activeElement?.textContent ?? '')
      expect(await focused()).toBe('Skip to the content')
      for (let step = 0; step < 20 && (await focused()) !== 'History'; step++) await visit.page.keyboard.press('Tab')
      await visit.page.keyboard.press('Enter')
      await visit.page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
      // The new page is told by its heading, which has the focus.
      expect(await focused()).toBe('History')
      expect(await visit.page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    })

    it('shows the other workspace when another one is chosen, and remembers it', async () => {
      await visit.page.getByLabel('Workspace').selectOption({ label: 'Second house' })
      await visit.page.getByLabel('Workspace').waitFor()
      await visit.page.reload()
      const chosen = visit.page.getByLabel('Workspace').locator('option:checked')
      expect(await chosen.innerText()).toBe('Second house')
    })
  })
})

describeInBrowser('the way to the login', (browser) => {
  const longWord = 'x'.repeat(1100)

  let visit: Visit
  beforeAll(async () => {
    await newWorkspace('Somebody else')
    visit = await Visit.begin(browser(), DESKTOP)
  })
  afterAll(() => visit.end())

  it('leaves out what is too long of an address to come back to: first the query, then the path', async () => {
    const login = visit.page.getByRole('link', { name: 'Log in', exact: true })
    await visit.page.goto(`/console/symptom/catalog/${longWord}`)
    expect(await login.getAttribute('href')).not.toContain('return_to')
    await visit.page.goto(`/console/symptom/catalog?q=${longWord}`)
    await login.click()
    await visit.page.getByRole('button', { name: ADMIN }).click()
    await visit.page.waitForURL(`${service().origin}/console/symptom/catalog`)
  })

  it('lets another person log in if one has no access', async () => {
    await visit.page.route('**/session/token', (route) =>
      route.fulfill({ status: 403, json: { success: false, message: 'No member.', errors: [] } }),
    )
    await visit.page.reload()
    await visit.page.getByRole('heading', { name: 'No access' }).waitFor()
    await visit.expectGood()
    const link = visit.page.getByRole('link', { name: 'Log in as somebody else' })
    // A provider with a session of its own would come back with the same person.
    expect(await link.getAttribute('href')).toContain('prompt=select_account')
    await link.click()
    await visit.page.unroute('**/session/token')
    await visit.page.getByRole('button', { name: VIEWER }).click()
    await visit.page.getByRole('heading', { name: 'Choose a workspace' }).waitFor()
  })
})
