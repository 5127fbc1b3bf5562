import { expect, inject, it } from 'vitest'
import { fillSymptom, forgive, logInElsewhere, logOut, passHour, save, statusOf } from './session-steps'
import { describeInBrowser, visitAt } from './visit'
import { ADMIN, addMember, clientOf, newWorkspace, service, VIEWER } from './workspaces'

describeInBrowser('a login that is not what it was', (browser) => {
  it('is never used for what another person has on screen, which is put away', async () => {
    const workspaceId = await newWorkspace('Shared desk')
    await addMember(workspaceId, VIEWER, 'admin')
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
    await addMember(workspaceId, ADMIN, 'viewer')
    await passHour(visit)
    await visit.open('History')
    const dialog = visit.page.getByRole('dialog', { name: 'The login has changed' })
    await dialog.getByText('with the role viewer').waitFor()
    await visit.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const links = visit.page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    expect(await links.allInnerTexts()).toEqual([
      'Overview',
      'Catalog',
      'History',
      'All uploads',
      'Partner search',
    ])
    await visit.end()
  })

  it('leads out of a workspace that it does not belong to any more', async () => {
    const workspaceId = await newWorkspace('Gone')
    const visit = await visitAt(browser(), 'Gone', 'Upload')
    const revoked = await fetch(
      `${service().origin}/platform/v1/workspaces/${workspaceId}/members/${encodeURIComponent(ADMIN)}`,
      { method: 'DELETE', headers: { Authorization: `Bearer ${inject('operatorToken')}` } },
    )
    expect(revoked.status).toBe(200)
    await passHour(visit)
    await visit.page.getByRole('link', { name: 'History' }).click()
    await visit.page.getByRole('heading', { name: 'Choose a workspace' }).waitFor()
    expect(await visit.page.getByRole('button', { name: 'Gone' }).count()).toBe(0)
    await visit.end()
  })
})

describeInBrowser('the end of a login', (browser) => {
  it('leaves an unsaved form as it is, to be saved after another login', async () => {
    const workspaceId = await newWorkspace('Long day')
    const visit = await visitAt(browser(), 'Long day', 'Catalog')
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
    await dialog.getByText('Nothing on this page is lost').click()
    await visit.page.keyboard.press('Escape')
    expect(await below.getByLabel('Email address').inputValue()).toBe('asha@clinic.example')
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await visit.page.getByRole('heading', { name: 'Catalog console' }).waitFor()
    expect(await visit.page.getByRole('banner').count()).toBe(0)
    const link = visit.page.getByRole('link', { name: 'Log in', exact: true })
    expect(await link.getAttribute('href')).not.toContain('prompt')
    await visit.end()
  })

  it('keeps a secret that is shown, until it has been stored', async () => {
    const { client_id } = await clientOf(await newWorkspace('Secret at night'))
    const visit = await visitAt(browser(), 'Secret at night', 'Keys and members')
    await visit.page.getByRole('tab', { name: 'API keys' }).click()
    await visit.page.getByRole('button', { name: 'Create API key' }).click()
    const below = visit.page.getByRole('dialog', { name: /API key/ })
    await below.getByLabel('Client id').fill(client_id)
    // The list with the new key: a list that is still being loaded is not loaded again.
    const listed = visit.page.waitForResponse(
      (answer) => answer.request().method() === 'GET' && answer.url().includes('/api-keys'),
    )
    await below.getByRole('button', { name: 'Create API key', exact: true }).click()
    await below.getByText('Shown only now').waitFor()
    await (await listed).finished()
    await visit.page.context().clearCookies()
    await passHour(visit)
    // As when one comes back to the tab: the lists are loaded again.
    await visit.page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    const dialog = visit.page.getByRole('dialog', { name: 'Your login has ended' })
    await dialog.waitFor()
    await logInElsewhere(visit, ADMIN)
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await dialog.waitFor({ state: 'detached' })
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
    await visit.page.getByRole('link', { name: 'History' }).click()
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
    forgive(visit, /ERR_FAILED/)
    await visit.end()
  })
})
