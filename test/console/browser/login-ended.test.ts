import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { NEW_PAGE } from './pages'
import { fillSymptom, logInElsewhere, passHour, save, statusOf } from './session-steps'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { ADMIN, addMember, clientOf, newWorkspace, service, VIEWER } from './workspaces'

const hasEnded = ({ page }: Visit) => page.getByRole('dialog', { name: 'Your login has ended' })
const hasChanged = ({ page }: Visit) => page.getByRole('dialog', { name: 'The login has changed' })
const nameInput = ({ page }: Visit) => page.getByRole('textbox', { name: /^Name/ })

/** The login of the page ends, at the provider and in the page. */
async function endLogin(visit: Visit): Promise<void> {
  await visit.page.context().clearCookies()
  await passHour(visit)
}

describeInBrowser('a login that ends or changes over an unsaved form', (browser) => {
  let visit: Visit
  let workspaceId: string
  beforeAll(async () => {
    workspaceId = await newWorkspace('Long day')
    visit = await visitAt(browser(), 'Long day', 'Catalog', NEW_PAGE)
  })
  afterAll(() => visit.end())

  it('leaves the form as it is, to be saved after another login', async () => {
    await fillSymptom(visit, 'S1')
    await endLogin(visit)
    await save(visit)
    const dialog = hasEnded(visit)
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
    expect(await nameInput(visit).inputValue()).toBe('Headache')
    await save(visit)
    await visit.page.getByRole('heading', { level: 1, name: 'Headache' }).waitFor()
    expect(await statusOf(workspaceId, 'S1')).toBe(200)
  })

  it('is never used for what another person has on screen, which is put away', async () => {
    await addMember(workspaceId, VIEWER, 'admin')
    await fillSymptom(visit, 'S2')
    await logInElsewhere(visit, VIEWER)
    await passHour(visit)
    await save(visit)
    await hasChanged(visit).getByText(`You are now logged in as ${VIEWER}, with the role admin.`).waitFor()
    await hasChanged(visit).getByRole('button', { name: 'Go on' }).click()
    await visit.page.getByRole('button', { name: `account of ${VIEWER}` }).waitFor()
    expect(await nameInput(visit).inputValue()).toBe('')
    expect(await statusOf(workspaceId, 'S2')).toBe(404)
  })

  it('shows nothing of it to the next person', async () => {
    await addMember(workspaceId, ADMIN, 'viewer')
    await fillSymptom(visit, 'S3')
    await endLogin(visit)
    await save(visit)
    await hasEnded(visit).waitFor()
    await logInElsewhere(visit, ADMIN)
    await hasEnded(visit).getByRole('button', { name: 'Go on' }).click()
    await visit.page.getByText(`You are now logged in as ${ADMIN}, with the role viewer.`).waitFor()
    expect(await nameInput(visit).count()).toBe(0)
    await hasEnded(visit).waitFor({ state: 'detached' })
  })
})

describeInBrowser('a membership that is not what it was', (browser) => {
  let visit: Visit
  let workspaceId: string
  beforeAll(async () => {
    workspaceId = await newWorkspace('Less to do')
    visit = await visitAt(browser(), 'Less to do', 'Upload', NEW_PAGE)
  })
  afterAll(() => visit.end())

  it('has other rights from the moment the login is renewed after a change of the role', async () => {
    await addMember(workspaceId, ADMIN, 'viewer')
    await passHour(visit)
    await visit.open('History')
    await hasChanged(visit).getByText('with the role viewer').waitFor()
    await visit.page.keyboard.press('Escape')
    await hasChanged(visit).waitFor({ state: 'detached' })
    const links = visit.page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    expect(await links.allInnerTexts()).toEqual(['Overview', 'Catalog', 'History', 'Partner search'])
  })

  it('leads out of the workspace once it has ended', async () => {
    const revoked = await fetch(
      `${service().origin}/platform/v1/workspaces/${workspaceId}/members/${encodeURIComponent(ADMIN)}`,
      { method: 'DELETE', headers: { Authorization: `Bearer ${inject('operatorToken')}` } },
    )
    expect(revoked.status).toBe(200)
    await passHour(visit)
    await visit.page.getByRole('link', { name: 'Catalog', exact: true }).click()
    await visit.page.getByRole('heading', { name: 'Choose a workspace' }).waitFor()
    expect(await visit.page.getByRole('button', { name: 'Less to do' }).count()).toBe(0)
  })
})

describeInBrowser('the end of a login below which a dialog is open', (browser) => {
  let visit: Visit
  let clientId: string
  const below = (name: RegExp) => visit.page.getByRole('dialog', { name })
  beforeAll(async () => {
    clientId = (await clientOf(await newWorkspace('Keys at night'))).client_id
    visit = await visitAt(browser(), 'Keys at night', 'Developers', NEW_PAGE)
  })
  afterAll(() => visit.end())

  it('keeps a secret that is shown, until it has been stored', async () => {
    const dialog = below(/API key/)
    await visit.page.getByRole('tab', { name: 'API keys' }).click()
    await visit.page.getByRole('button', { name: 'Create API key' }).click()
    await dialog.getByLabel('Client id').fill(clientId)
    // The list with the new key: a list that is still being loaded is not loaded again.
    const listed = visit.page.waitForResponse(
      (answer) => answer.request().method() === 'GET' && answer.url().includes('/api-keys'),
    )
    await dialog.getByRole('button', { name: 'Create API key', exact: true }).click()
    await dialog.getByText('Shown only now').waitFor()
    await (await listed).finished()
    await endLogin(visit)
    // As when one comes back to the tab: the lists are loaded again.
    await visit.page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await hasEnded(visit).waitFor()
    await logInElsewhere(visit, ADMIN)
    await hasEnded(visit).getByRole('button', { name: 'Go on' }).click()
    await hasEnded(visit).waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Copy API key' }).click()
    expect(await visit.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^dcs_key_/)
    await dialog.getByLabel('I have stored these values').check()
    await dialog.getByRole('button', { name: 'Done' }).click()
  })

  it('keeps what was typed, and leads to the login page when that is wanted', async () => {
    await visit.open('Members')
    await visit.page.getByRole('button', { name: 'Add member' }).click()
    const email = below(/^Add member/).getByLabel('Email address')
    await email.fill('asha@clinic.example')
    await endLogin(visit)
    await below(/^Add member/)
      .getByRole('button', { name: 'Add member' })
      .click()
    const dialog = hasEnded(visit)
    await dialog.getByRole('link', { name: 'Log in' }).waitFor()
    await visit.page.keyboard.press('Escape')
    await visit.page.keyboard.press('Tab')
    await visit.page.keyboard.press('Escape')
    await dialog.getByText('Nothing on this page is lost').click()
    await visit.page.keyboard.press('Escape')
    expect(await email.inputValue()).toBe('asha@clinic.example')
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await visit.page.getByRole('heading', { name: 'Catalog console' }).waitFor()
    expect(await visit.page.getByRole('banner').count()).toBe(0)
    const link = visit.page.getByRole('link', { name: 'Log in', exact: true })
    expect(await link.getAttribute('href')).not.toContain('prompt')
  })
})
