import { expect, inject, it } from 'vitest'
import { DESKTOP, describeInBrowser, PHONE, Visit, visitAt } from './visit'
import { ADMIN, callOperator, callService, newWorkspace, programToken, VIEWER } from './workspaces'

/** Somebody logs in, in another window of the same browser. */
async function logInElsewhere(visit: Visit, account: string): Promise<void> {
  const other = await visit.page.context().newPage()
  await other.goto('/api/v1/auth/oidc/login')
  await other.getByRole('button', { name: account }).click()
  await other.waitForURL('**/console/**')
  await other.close()
}

/** Takes what the browser says of a failure that was brought about on purpose. */
const forgive = (visit: Visit, expected: RegExp): void => {
  const others = visit.faults.filter((fault) => !expected.test(fault))
  visit.faults.splice(0, visit.faults.length, ...others)
}

/** The next request finds its access token at its end. */
const passHour = (visit: Visit) => visit.page.clock.setSystemTime(Date.now() + 56 * 60 * 1000)

/** Fills the form for a new record. */
async function fillSymptom({ page }: Visit, id: string): Promise<void> {
  await page.goto('/console/symptom/catalog?new=1')
  await page.getByRole('textbox', { name: /^Symptom id/i }).fill(id)
  await page.getByRole('textbox', { name: /^Name/ }).fill('Headache')
}

const save = ({ page }: Visit) => page.getByRole('button', { name: 'Save', exact: true }).click()

const logOut = async ({ page }: Visit) => {
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
}

const statusOf = async (workspaceId: string, id: string): Promise<number> => {
  const token = await programToken(workspaceId)
  return (await callService(token, `/admin/datasets/v1/${id}?type=symptom`)).status
}

describeInBrowser('a visit to the console', (browser) => {
  it.each([
    ['at a desk', DESKTOP],
    ['on a phone', PHONE],
  ])('leads through the login to the page that was asked for, %s', async (_, options) => {
    await newWorkspace('Another')
    const visit = await Visit.begin(browser(), options)
    await visit.page.goto('/console/symptom/batches?page=1')
    await visit.page.getByRole('heading', { name: 'Catalog console' }).waitFor()
    await visit.expectGood()
    await visit.logIn(VIEWER)
    await visit.page.getByRole('heading', { name: 'Choose a workspace' }).waitFor()
    await visit.expectGood()
    await visit.page.getByRole('button', { name: /^Demo/ }).click()
    await visit.page.getByRole('heading', { level: 1, name: 'Batches' }).waitFor()
    expect(visit.page.url()).toBe(`${inject('origin')}/console/symptom/batches?page=1`)
    await visit.end()
  })

  it('ends with the logout, after which going back shows nothing', async () => {
    await newWorkspace('Logout')
    const visit = await visitAt(browser(), 'Logout', 'Catalog')
    await visit.page.getByRole('button', { name: `account of ${ADMIN}` }).click()
    await visit.expectGood()
    await visit.page.getByRole('menuitem', { name: 'Log out' }).click()
    const link = visit.page.getByRole('link', { name: 'Log in', exact: true })
    // The provider may still know whoever has just left.
    expect(await link.getAttribute('href')).toContain('prompt=select_account')
    await visit.page.goBack()
    await visit.page.getByRole('link', { name: 'Log in', exact: true }).waitFor()
    await visit.page.goto('/console/keys')
    await visit.page.getByRole('link', { name: 'Log in', exact: true }).waitFor()
    expect(await visit.page.getByRole('banner').count()).toBe(0)
    await visit.expectGood()
    await visit.end()
  })

  it('keeps no token and nothing of the catalog in the browser', async () => {
    await newWorkspace('Storage')
    const visit = await visitAt(browser(), 'Storage', 'Catalog')
    const kept = await visit.page.evaluate(() => ({
      ...localStorage,
      ...sessionStorage,
      cookie: document.cookie,
    }))
    expect(Object.keys(kept).sort()).toEqual(['catalog-console-workspace', 'cookie'])
    expect(kept.cookie).toBe('')
    await visit.end()
  })

  it('shows a viewer neither uploads nor keys, also at their addresses', async () => {
    await newWorkspace('Read only')
    const visit = await visitAt(browser(), 'Read only', 'Catalog', { ...DESKTOP, account: VIEWER })
    const links = visit.page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    expect(await links.allInnerTexts()).toEqual(['Catalog', 'Batches', 'Partner search'])
    for (const address of ['/console/medication/upload', '/console/keys']) {
      await visit.page.goto(address)
      await visit.page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor()
    }
    await visit.expectGood()
    await visit.end()
  })

  it('shows the other workspace when another one is chosen, and remembers it', async () => {
    await newWorkspace('First house')
    await newWorkspace('Second house')
    const visit = await visitAt(browser(), 'First house', 'Catalog')
    await visit.page.getByLabel('Workspace').selectOption({ label: 'Second house' })
    await visit.page.getByLabel('Workspace').waitFor()
    await visit.page.reload()
    const chosen = visit.page.getByLabel('Workspace').locator('option:checked')
    expect(await chosen.innerText()).toBe('Second house')
    await visit.end()
  })

  it('tells somebody who is no member where to ask', async () => {
    const { workspace_id } = await callOperator<{ workspace_id: string }>('/workspaces', { name: 'Closed' })
    const visit = await Visit.begin(browser())
    await visit.page.goto('/console/')
    await visit.logIn(VIEWER)
    // A workspace that the person is no member of, as one that was remembered before the membership ended.
    await visit.page.evaluate((id) => localStorage.setItem('catalog-console-workspace', id), workspace_id)
    await visit.page.reload()
    await visit.page.getByRole('heading', { name: 'Choose a workspace' }).waitFor()
    expect(await visit.page.getByText('Closed').count()).toBe(0)
    await visit.end()
  })

  it('can be made with the keyboard alone', async () => {
    await newWorkspace('Keyboard')
    const visit = await visitAt(browser(), 'Keyboard', 'Upload')
    await visit.page.keyboard.press('Tab')
    await visit.page.reload()
    await visit.page.getByRole('heading', { level: 1, name: 'Upload' }).waitFor()
    await visit.page.keyboard.press('Tab')
    expect(await visit.page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
    const focused = () => visit.page.evaluate(() => document.activeElement?.textContent ?? '')
    for (let step = 0; step < 20 && (await focused()) !== 'Catalog'; step++)
      await visit.page.keyboard.press('Tab')
    await visit.page.keyboard.press('Enter')
    await visit.page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor()
    // The new page is told by its heading, which has the focus.
    expect(await focused()).toBe('Catalog')
    expect(await visit.page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    await visit.end()
  })
})

describeInBrowser('a login that is not what it was', (browser) => {
  it('is never used for what another person has on screen, which is put away', async () => {
    const workspaceId = await newWorkspace('Shared desk')
    await callOperator(`/workspaces/${workspaceId}/members`, { email: VIEWER, role: 'admin' })
    const visit = await visitAt(browser(), 'Shared desk', 'Catalog')
    await fillSymptom(visit, 'S1')
    await logInElsewhere(visit, VIEWER)
    await passHour(visit)
    await save(visit)
    const dialog = visit.page.getByRole('dialog', { name: 'The login has changed' })
    await dialog.getByText(`You are now logged in as ${VIEWER}, with the role admin.`).waitFor()
    await visit.expectGood()
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await visit.page.getByRole('button', { name: `account of ${VIEWER}` }).waitFor()
    expect(await visit.page.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('')
    expect(await statusOf(workspaceId, 'S1')).toBe(404)
    await visit.end()
  })

  it('has other rights from the moment it is renewed after a change of the role', async () => {
    const workspaceId = await newWorkspace('Less to do')
    const visit = await visitAt(browser(), 'Less to do', 'Upload')
    await callOperator(`/workspaces/${workspaceId}/members`, { email: ADMIN, role: 'viewer' })
    await passHour(visit)
    await visit.open('Batches')
    const dialog = visit.page.getByRole('dialog', { name: 'The login has changed' })
    await dialog.getByText('with the role viewer').waitFor()
    await visit.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const links = visit.page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    expect(await links.allInnerTexts()).toEqual(['Catalog', 'Batches', 'Partner search'])
    await visit.end()
  })

  it('leads out of a workspace that it does not belong to any more', async () => {
    const workspaceId = await newWorkspace('Gone')
    const visit = await visitAt(browser(), 'Gone', 'Upload')
    const revoked = await fetch(
      `${inject('origin')}/platform/v1/workspaces/${workspaceId}/members/${encodeURIComponent(ADMIN)}`,
      { method: 'DELETE', headers: { Authorization: `Bearer ${inject('operatorToken')}` } },
    )
    expect(revoked.status).toBe(200)
    await passHour(visit)
    await visit.page.getByRole('link', { name: 'Batches' }).click()
    await visit.page.getByRole('heading', { name: 'Choose a workspace' }).waitFor()
    expect(await visit.page.getByRole('button', { name: 'Gone' }).count()).toBe(0)
    await visit.end()
  })
})

describeInBrowser('the end of a login', (browser) => {
  it.each([
    ['at a desk', DESKTOP],
    ['on a phone', PHONE],
  ])('leaves an unsaved form as it is, to be saved after another login, %s', async (where, options) => {
    const workspaceId = await newWorkspace(`Long day ${where}`)
    const visit = await visitAt(browser(), `Long day ${where}`, 'Catalog', options)
    await fillSymptom(visit, 'S1')
    await visit.page.context().clearCookies()
    await passHour(visit)
    await save(visit)
    const dialog = visit.page.getByRole('dialog', { name: 'Your login has ended' })
    await dialog.waitFor()
    await visit.page.keyboard.press('Escape')
    await visit.page.mouse.click(5, 5)
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await dialog.getByRole('alert').getByText('Nobody is logged in yet.').waitFor()
    await visit.expectGood()

    const [login] = await Promise.all([
      visit.page.context().waitForEvent('page'),
      dialog.getByRole('link', { name: 'Log in' }).click(),
    ])
    await login.getByRole('button', { name: ADMIN }).click()
    await login.waitForURL('**/console/symptom/catalog?new=1')
    expect(await login.evaluate(() => window.opener)).toBeNull()
    await login.close()
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await visit.page.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('Headache')
    await save(visit)
    await visit.page.getByRole('heading', { level: 1, name: 'Headache' }).waitFor()
    expect(await statusOf(workspaceId, 'S1')).toBe(200)
    await visit.expectGood()
    await visit.end()
  })

  it('shows nothing of it to the next person', async () => {
    await newWorkspace('Night shift')
    const visit = await visitAt(browser(), 'Night shift', 'Catalog')
    await fillSymptom(visit, 'S1')
    await visit.page.context().clearCookies()
    await passHour(visit)
    await save(visit)
    const dialog = visit.page.getByRole('dialog', { name: 'Your login has ended' })
    await dialog.waitFor()
    await logInElsewhere(visit, VIEWER)
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await visit.page.getByText(`You are now logged in as ${VIEWER}, with the role viewer.`).waitFor()
    expect(await visit.page.getByRole('textbox', { name: /^Name/ }).count()).toBe(0)
    expect(await dialog.count()).toBe(0)
    await visit.end()
  })

  it('keeps a dialog open below, and leads to the login page when that is wanted', async () => {
    await newWorkspace('Keys at night')
    const visit = await visitAt(browser(), 'Keys at night', 'Keys and members')
    await visit.page.getByRole('button', { name: 'Add member' }).click()
    const below = visit.page.getByRole('dialog', { name: 'Add member' })
    await below.getByLabel('Email address').fill('asha@clinic.example')
    await visit.page.context().clearCookies()
    await passHour(visit)
    await below.getByRole('button', { name: 'Add member' }).click()
    const dialog = visit.page.getByRole('dialog', { name: 'Your login has ended' })
    await dialog.getByRole('link', { name: 'Log in' }).waitFor()
    await visit.page.keyboard.press('Escape')
    await visit.page.keyboard.press('Tab')
    await visit.page.keyboard.press('Escape')
    expect(await below.getByLabel('Email address').inputValue()).toBe('asha@clinic.example')
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await visit.page.getByRole('heading', { name: 'Catalog console' }).waitFor()
    expect(await visit.page.getByRole('banner').count()).toBe(0)
    const link = visit.page.getByRole('link', { name: 'Log in', exact: true })
    expect(await link.getAttribute('href')).not.toContain('prompt')
    await visit.expectGood()
    await visit.end()
  })

  it('keeps a secret that is shown, until it has been stored', async () => {
    await newWorkspace('Secret at night')
    const { client_id } = await callOperator<{ client_id: string }>('/clients', { name: 'Pharmacy system' })
    const visit = await visitAt(browser(), 'Secret at night', 'Keys and members')
    await visit.page.getByRole('tab', { name: 'API keys' }).click()
    await visit.page.getByRole('button', { name: 'Create API key' }).click()
    const below = visit.page.getByRole('dialog', { name: /API key/ })
    await below.getByLabel('Client id').fill(client_id)
    await below.getByRole('button', { name: 'Create API key', exact: true }).click()
    await below.getByText('Shown only now').waitFor()
    await visit.page.context().clearCookies()
    await passHour(visit)
    // As when one comes back to the tab: the lists are loaded again.
    await visit.page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    const dialog = visit.page.getByRole('dialog', { name: 'Your login has ended' })
    await dialog.waitFor()
    await logInElsewhere(visit, ADMIN)
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await dialog.waitFor({ state: 'detached' })
    await visit.expectGood()
    await below.getByRole('button', { name: 'Copy API key' }).click()
    expect(await visit.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^dcs_key_/)
    await visit.end()
  })

  it('has not come while a logout fails, which says so', async () => {
    await newWorkspace('Lost line')
    const visit = await visitAt(browser(), 'Lost line', 'Catalog')
    await fillSymptom(visit, 'S1')
    await visit.page.route('**/session/logout', (route) => route.abort())
    await logOut(visit)
    await visit.page.getByRole('button', { name: 'Leave without saving' }).click()
    const dialog = visit.page.getByRole('dialog', { name: 'You are still logged in' })
    const alert = dialog.getByRole('alert')
    await alert.getByText('The logout did not work').waitFor()
    forgive(visit, /ERR_FAILED/)
    await visit.expectGood()
    // What is not saved is still there, and is still asked for.
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    const account = visit.page.getByRole('button', { name: /account of/ })
    expect(await account.evaluate((button) => button === document.activeElement)).toBe(true)
    await visit.page.getByRole('link', { name: 'Batches' }).click()
    await visit.page.getByRole('button', { name: 'Stay' }).click()
    expect(await visit.page.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('Headache')

    await logOut(visit)
    await visit.page.getByRole('button', { name: 'Leave without saving' }).click()
    await alert.waitFor()
    await visit.page.unroute('**/session/logout')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await visit.page.getByRole('link', { name: 'Log in', exact: true }).waitFor()
    await visit.page.goto('/console/keys')
    await visit.page.getByRole('link', { name: 'Log in', exact: true }).waitFor()
    await visit.end()
  })
})

describeInBrowser('the way to the login', (browser) => {
  const longWord = 'x'.repeat(1100)

  it.each([
    ['the query', `/console/symptom/catalog?q=${longWord}`, '/console/symptom/catalog'],
    ['the path', `/console/symptom/catalog/${longWord}`, '/console/'],
  ])('leaves out %s of an address that is too long to come back to', async (_, address, comesTo) => {
    const visit = await Visit.begin(browser())
    await visit.page.goto(address)
    await visit.page.getByRole('link', { name: 'Log in', exact: true }).click()
    await visit.page.getByRole('button', { name: ADMIN }).click()
    await visit.page.waitForURL(`${inject('origin')}${comesTo}`)
    await visit.end()
  })

  it('lets another person log in where one has no access', async () => {
    await newWorkspace('Somebody else')
    const visit = await Visit.begin(browser())
    await visit.page.route('**/session/token', (route) =>
      route.fulfill({ status: 403, json: { success: false, message: 'No member.', errors: [] } }),
    )
    await visit.page.goto('/console/')
    await visit.page.getByRole('heading', { name: 'No access' }).waitFor()
    await visit.expectGood()
    const link = visit.page.getByRole('link', { name: 'Log in as somebody else' })
    // A provider with a session of its own would come back with the same person.
    expect(await link.getAttribute('href')).toContain('prompt=select_account')
    await link.click()
    await visit.page.unroute('**/session/token')
    await visit.page.getByRole('button', { name: VIEWER }).click()
    await visit.page.getByRole('heading', { name: 'Choose a workspace' }).waitFor()
    await visit.end()
  })
})

describeInBrowser('a console that has lost something', (browser) => {
  it.each([
    ['at a desk', DESKTOP],
    ['on a phone', PHONE],
  ])('says that a page could not be loaded, and loads it again, %s', async (where, options) => {
    await newWorkspace(`Deployment ${where}`)
    const visit = await visitAt(browser(), `Deployment ${where}`, 'Catalog', options)
    await visit.page.route('**/assets/keys-page-*.js', (route) => route.fulfill({ status: 404 }))
    const burger = visit.page.getByRole('button', { name: 'Open the navigation' })
    if (await burger.isVisible()) await burger.click()
    await visit.page.getByRole('link', { name: 'Keys and members' }).click()
    await visit.page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor()
    await visit.page.getByRole('alert').getByText('The console may have been updated').waitFor()
    forgive(visit, /dynamically imported module|console may have been updated/)
    await visit.expectGood()
    await visit.open('Batches')
    await visit.page.goBack()
    await visit.page.unroute('**/assets/keys-page-*.js')
    await visit.page.getByRole('button', { name: 'Reload' }).click()
    await visit.page.getByRole('heading', { level: 1, name: 'Keys and members' }).waitFor()
    await visit.end()
  })

  it('says what is wrong with a page that cannot be shown', async () => {
    await newWorkspace('Broken page')
    const visit = await visitAt(browser(), 'Broken page', 'Catalog')
    await visit.page.route('**/batches/**', (route) => route.fulfill({ json: { data: { total: 1 } } }))
    await visit.page.getByRole('link', { name: 'Batches' }).click()
    await visit.page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor()
    await visit.page.getByRole('alert').getByText('Cannot read properties of undefined').waitFor()
    forgive(visit, /Cannot read properties of undefined/)
    await visit.expectGood()
    await visit.end()
  })

  it('says so in place of everything where the fault is in its frame', async () => {
    await newWorkspace('Broken frame')
    const visit = await visitAt(browser(), 'Broken frame', 'Catalog')
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
    await visit.page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor()
    await visit.end()
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
    await visit.expectGood()
    await visit.end()
  })
})

describeInBrowser('the frame of a page', (browser) => {
  it('lets one skip to the content of a form without asking whether to leave it', async () => {
    await newWorkspace('Skipping')
    const visit = await visitAt(browser(), 'Skipping', 'Catalog')
    await visit.page
      .getByRole('link', { name: /^(New|Add)/ })
      .first()
      .click()
    await visit.page.getByRole('textbox', { name: /^Name/ }).fill('Headache')
    await visit.page.getByRole('link', { name: 'Skip to the content' }).press('Enter')
    await visit.page.waitForURL('**/catalog?new=1#content')
    expect(await visit.page.evaluate(() => document.activeElement?.id)).toBe('content')
    expect(await visit.page.getByRole('dialog').count()).toBe(0)
    // Back within the page, and then away from it.
    await visit.page.goBack()
    expect(await visit.page.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('Headache')
    expect(await visit.page.getByRole('dialog').count()).toBe(0)
    await visit.page.goBack()
    await visit.page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await visit.expectGood()
    await visit.end()
  })

  it.each([1180, 1280])('has the choice of the catalog beside the heading at %i pixels', async (width) => {
    await newWorkspace(`Width ${width}`)
    const options = { ...DESKTOP, viewport: { width, height: 800 } }
    const visit = await visitAt(browser(), `Width ${width}`, 'Upload', options)
    const heading = await visit.page.getByRole('heading', { level: 1 }).boundingBox()
    const choice = await visit.page.getByRole('radiogroup', { name: 'Catalog' }).boundingBox()
    expect(choice!.x).toBeGreaterThanOrEqual(heading!.x + heading!.width)
    expect(Math.abs(choice!.y - heading!.y)).toBeLessThan(8)
    await visit.expectGood()
    await visit.end()
  })
})
