import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { button, fillSymptom, heading, logInElsewhere, passHour, statusOf } from './steps'
import { describeInBrowser, NEW_PAGE, type Visit, visitAt } from './visit'
import { ADMIN, addMember, newWorkspace, VIEWER } from './workspaces'

const hasEnded = ({ page }: Visit) => page.getByRole('dialog', { name: 'Session expired' })
const hasChanged = ({ page }: Visit) => page.getByRole('dialog', { name: 'The login has changed' })
const goOn = (visit: Visit) => visit.page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()

/** Ends the login of the page, at the provider and in the page. */
async function endLogin(visit: Visit): Promise<void> {
  await visit.page.context().clearCookies()
  await passHour(visit)
}

/** Fills the form for a new symptom in a new workspace. */
async function beginForm(browser: Browser, id: string) {
  const workspaceId = await newWorkspace('Long day')
  const visit = await visitAt(browser, 'Long day', 'Catalog', NEW_PAGE)
  await fillSymptom(visit, id)
  return { workspaceId, visit, name: visit.page.getByRole('textbox', { name: /^Name/ }) }
}

describeInBrowser('a session that expires or changes', (browser) => {
  it('keeps a form, which can be saved after the next login', async () => {
    const { workspaceId, visit, name } = await beginForm(browser(), 'S1')
    await endLogin(visit)
    await button(visit, 'Save').click()
    await hasEnded(visit).waitFor()
    await visit.page.keyboard.press('Escape')
    await goOn(visit)
    await hasEnded(visit).getByRole('alert').getByText('No one is logged in yet.').waitFor()
    await visit.expectGood()
    const [login] = await Promise.all([
      visit.page.context().waitForEvent('page'),
      hasEnded(visit).getByRole('link', { name: 'Log in' }).click(),
    ])
    await login.getByRole('button', { name: ADMIN }).click()
    await login.waitForURL('**/console/symptom/catalog?new=1')
    expect(await login.evaluate(() => window.opener)).toBeNull()
    await login.close()
    await goOn(visit)
    await hasEnded(visit).waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('Headache')
    await button(visit, 'Save').click()
    await heading(visit, 'Headache')
    expect(await statusOf(workspaceId, 'S1')).toBe(200)
  })

  it('discards a form for another user, if the login has changed', async () => {
    const { workspaceId, visit, name } = await beginForm(browser(), 'S2')
    await addMember(workspaceId, VIEWER, 'admin')
    await logInElsewhere(visit, VIEWER)
    await passHour(visit)
    await button(visit, 'Save').click()
    await hasChanged(visit).getByText(`You are now logged in as ${VIEWER}, with the role admin.`).waitFor()
    await goOn(visit)
    await visit.page.getByRole('button', { name: `account of ${VIEWER}` }).waitFor()
    expect(await name.inputValue()).toBe('')
    expect(await statusOf(workspaceId, 'S2')).toBe(404)
  })

  it('discards a form for another user, if the session has expired', async () => {
    const { workspaceId, visit, name } = await beginForm(browser(), 'S3')
    await addMember(workspaceId, VIEWER, 'admin')
    await endLogin(visit)
    await button(visit, 'Save').click()
    await hasEnded(visit).waitFor()
    await logInElsewhere(visit, VIEWER)
    await goOn(visit)
    await visit.page.getByText(`You are now logged in as ${VIEWER}, with the role admin.`).waitFor()
    await hasEnded(visit).waitFor({ state: 'detached' })
    await goOn(visit)
    await hasChanged(visit).waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('')
  })

  it('is reported if the role has changed', async () => {
    const workspaceId = await newWorkspace('Another role')
    const visit = await visitAt(browser(), 'Another role', 'Overview', NEW_PAGE)
    await addMember(workspaceId, ADMIN, 'viewer')
    await passHour(visit)
    await visit.open('History')
    await hasChanged(visit).getByText('with the role viewer').waitFor()
    await visit.page.keyboard.press('Escape')
    await hasChanged(visit).waitFor({ state: 'detached' })
  })

  it('keeps the open dialog, with a secret until it is stored', async () => {
    await newWorkspace('Keys at night')
    const visit = await visitAt(browser(), 'Keys at night', 'Developers', NEW_PAGE)
    const key = visit.page.getByRole('dialog', { name: /API key/ })
    await visit.page.getByRole('tab', { name: 'API keys' }).click()
    await button(visit, 'Create API key').click()
    await key.getByLabel('Name').fill('Nightly update')
    // The list with the new key: a list that is still loading is not loaded again.
    const listed = visit.page.waitForResponse(
      (answer) => answer.request().method() === 'GET' && answer.url().includes('/api-keys'),
    )
    await key.getByRole('button', { name: 'Create API key', exact: true }).click()
    await key.getByText('Shown only once').waitFor()
    await (await listed).finished()
    await endLogin(visit)
    // As when a user returns to the tab: the lists are loaded again.
    await visit.page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await hasEnded(visit).waitFor()
    await logInElsewhere(visit, ADMIN)
    await hasEnded(visit).getByRole('button', { name: 'Continue' }).click()
    await hasEnded(visit).waitFor({ state: 'detached' })
    await key.getByRole('button', { name: 'Copy API key' }).click()
    expect(await visit.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^dcs_key_/)
    await key.getByLabel('I have stored these values').check()
    await key.getByRole('button', { name: 'Done' }).click()
  })
})
