import { expect, it } from 'vitest'
import { button, fillSymptom, heading, logInElsewhere, passHour, statusOf } from './steps'
import { describeInBrowser, NEW_PAGE, type Visit, visitAt } from './visit'
import { ADMIN, addMember, newWorkspace, VIEWER } from './workspaces'

const hasEnded = ({ page }: Visit) => page.getByRole('dialog', { name: 'Session expired' })
const hasChanged = ({ page }: Visit) => page.getByRole('dialog', { name: 'The login has changed' })
const goOn = (visit: Visit) => visit.page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()

/** The login of the page ends, at the provider and in the page. */
async function endLogin(visit: Visit): Promise<void> {
  await visit.page.context().clearCookies()
  await passHour(visit)
}

describeInBrowser('a login that ends or changes', (browser) => {
  it('leaves a form to be saved after another login, and gives what is on screen to nobody else', async () => {
    const workspaceId = await newWorkspace('Long day')
    const visit = await visitAt(browser(), 'Long day', 'Catalog', NEW_PAGE)
    const name = visit.page.getByRole('textbox', { name: /^Name/ })
    await fillSymptom(visit, 'S1')
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

    // Another person, without an end of the login.
    await addMember(workspaceId, VIEWER, 'admin')
    await fillSymptom(visit, 'S2')
    await logInElsewhere(visit, VIEWER)
    await passHour(visit)
    await button(visit, 'Save').click()
    await hasChanged(visit).getByText(`You are now logged in as ${VIEWER}, with the role admin.`).waitFor()
    await goOn(visit)
    await visit.page.getByRole('button', { name: `account of ${VIEWER}` }).waitFor()
    expect(await name.inputValue()).toBe('')
    expect(await statusOf(workspaceId, 'S2')).toBe(404)

    // Another person, after an end.
    await fillSymptom(visit, 'S3')
    await endLogin(visit)
    await button(visit, 'Save').click()
    await hasEnded(visit).waitFor()
    await logInElsewhere(visit, ADMIN)
    await goOn(visit)
    await visit.page.getByText(`You are now logged in as ${ADMIN}, with the role admin.`).waitFor()
    await hasEnded(visit).waitFor({ state: 'detached' })
    await goOn(visit)
    await hasChanged(visit).waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('')

    // Another role.
    await addMember(workspaceId, ADMIN, 'viewer')
    await passHour(visit)
    await visit.open('History')
    await hasChanged(visit).getByText('with the role viewer').waitFor()
    await visit.page.keyboard.press('Escape')
    await hasChanged(visit).waitFor({ state: 'detached' })
    await visit.end()
  })

  it('keeps the dialog below, with a secret until it is stored', async () => {
    await newWorkspace('Keys at night')
    const visit = await visitAt(browser(), 'Keys at night', 'Developers', NEW_PAGE)
    const key = visit.page.getByRole('dialog', { name: /API key/ })
    await visit.page.getByRole('tab', { name: 'API keys' }).click()
    await button(visit, 'Create API key').click()
    await key.getByLabel('Name').fill('Nightly update')
    // The list with the new key: a list that is still being loaded is not loaded again.
    const listed = visit.page.waitForResponse(
      (answer) => answer.request().method() === 'GET' && answer.url().includes('/api-keys'),
    )
    await key.getByRole('button', { name: 'Create API key', exact: true }).click()
    await key.getByText('Shown only once').waitFor()
    await (await listed).finished()
    await endLogin(visit)
    // As when one comes back to the tab: the lists are loaded again.
    await visit.page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await hasEnded(visit).waitFor()
    await logInElsewhere(visit, ADMIN)
    await hasEnded(visit).getByRole('button', { name: 'Continue' }).click()
    await hasEnded(visit).waitFor({ state: 'detached' })
    await key.getByRole('button', { name: 'Copy API key' }).click()
    expect(await visit.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^dcs_key_/)
    await key.getByLabel('I have stored these values').check()
    await key.getByRole('button', { name: 'Done' }).click()
    await visit.end()
  })
})
