import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { button, isFocused } from './steps'
import { describeInBrowser, PHONE, visitAt } from './visit'
import { ADMIN, newWorkspace, service } from './workspaces'

const tokenWith = (client: { client_id: string; client_secret: string }, apiKey: string): Promise<Response> =>
  fetch(`${service().origin}/api/v1/auth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-KEY': apiKey },
    body: JSON.stringify({ ...client, grant_type: 'client_credentials' }),
  })

/** Opens a page with keys or members of a new workspace. @param tab of the page for developers */
async function begin(browser: Browser, page: 'Developers' | 'Members', tab?: string) {
  await newWorkspace('Keys')
  const visit = await visitAt(browser, 'Keys', 'Overview', PHONE)
  await visit.open(page)
  if (tab !== undefined) await visit.page.getByRole('tab', { name: tab }).click()
  const dialog = visit.page.getByRole('dialog')
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  /** Reads a value of the dialog with a secret by copying it. */
  const copied = async (label: string): Promise<string> => {
    await press(`Copy ${label}`)
    await dialog.getByText(`${label} copied`).waitFor({ state: 'attached' })
    return visit.page.evaluate(() => navigator.clipboard.readText())
  }
  const done = async () => {
    await press('Done')
    await dialog.waitFor({ state: 'detached' })
  }
  const store = async () => {
    await dialog.getByLabel('I have stored these values').check()
    await done()
  }
  return { visit, dialog, press, copied, done, store }
}

describeInBrowser('keys and members on a phone', (browser) => {
  it('include API keys that are shown only once', async () => {
    const { visit, dialog, press, copied, store } = await begin(browser(), 'Developers', 'API keys')
    await visit.page.getByText('No API keys yet.').waitFor()
    await button(visit, 'Create API key').click()
    await dialog.getByLabel('Name').fill('Nightly update')
    await press('Create API key')
    await dialog.getByText('Shown only once').waitFor()
    const apiKey = await copied('API key')
    const client = { client_id: await copied('Client ID'), client_secret: await copied('Client secret') }
    expect(apiKey).toMatch(/^dcs_key_/)
    expect(await dialog.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
    await visit.page.keyboard.press('Escape')
    await dialog.getByText('Shown only once').waitFor()
    await store()
    await visit.page.getByText('Nightly update', { exact: true }).first().waitFor()
    await visit.page.getByText(`by ${ADMIN}`, { exact: true }).waitFor()
    expect((await tokenWith(client, apiKey)).status).toBe(200)
    expect(await visit.page.content()).not.toContain(apiKey)

    await visit.page.getByRole('button', { name: /^Revoke API key/ }).click()
    await dialog.getByText('lose access within a minute').waitFor()
    await press('Revoke API key')
    await visit.page.getByText('No API keys yet.').waitFor()
    expect((await tokenWith(client, apiKey)).status).toBe(401)
  })

  it('include partner credentials with editable web origins', async () => {
    const { visit, dialog, press, copied, store } = await begin(browser(), 'Developers', 'Partner credentials')
    await button(visit, 'Create partner credential').click()
    await dialog.getByLabel('Issuer').fill('http://partner.example')
    await press('Create partner credential')
    await dialog.getByText('Must be an absolute https URL', { exact: false }).waitFor()
    await dialog.getByLabel('Issuer').fill('https://partner.example')
    await dialog.getByLabel('Allowed web origins').fill('https://widgets.partner.example')
    await press('Create partner credential')
    await dialog.getByText('Shown only once').waitFor()
    for (const label of ['Secret', 'Key ID (kid)', 'Audience']) await copied(label)
    expect(await copied('Issuer')).toBe('https://partner.example')
    await store()
    await visit.page.getByText('https://widgets.partner.example').waitFor()
    await visit.page.getByRole('button', { name: /^Web origins of / }).click()
    const origins = dialog.getByLabel('Allowed web origins')
    expect(await origins.inputValue()).toBe('https://widgets.partner.example')
    await origins.fill('https://shop.partner.example')
    await press('Save')
    await dialog.waitFor({ state: 'hidden' })
    await visit.page.getByText('https://shop.partner.example').waitFor()
  })

  it('ask before a user leaves without having stored a secret', async () => {
    const { visit, dialog, press, copied, store } = await begin(browser(), 'Developers', 'Encryption keys')
    await button(visit, 'Create encryption key').click()
    await press('Create encryption key')
    await dialog.getByText('Shown only once').waitFor()
    await visit.page.goBack()
    await visit.page.getByText('Leave without the secret?').waitFor()
    await button(visit, 'Stay').click()
    await visit.page.getByText('Leave without the secret?').waitFor({ state: 'detached' })
    expect(await copied('Encryption key')).toMatch(/^[A-Za-z0-9]{16}$/)
    await store()
  })

  it('include members with a role', async () => {
    const { visit, dialog, press, copied, done } = await begin(browser(), 'Members')
    await button(visit, 'Add member').click()
    await dialog.getByLabel('Email address').fill('asha')
    await press('Add member')
    await dialog.getByText('Must be an email address').waitFor()
    await dialog.getByLabel('Email address').fill('Asha@clinic.example')
    await dialog.getByRole('radio', { name: /^Editor/ }).check()
    await press('Add member')
    await visit.page.getByText('asha@clinic.example is now a member, with the role editor.').waitFor()
    await dialog.getByText('Invite the member').waitFor()
    await expect.poll(() => isFocused(dialog.getByRole('button', { name: 'Close' }))).toBe(true)
    const invitation = await copied('Invitation')
    expect(invitation).toContain(`Open ${service().origin}/console/`)
    expect(invitation).toContain('the catalogs of Keys (role: editor)')
    expect(invitation).toContain('asha@clinic.example')
    await done()
    expect(await isFocused(button(visit, 'Add member'))).toBe(true)
    await visit.page.getByLabel('Role of asha@clinic.example').selectOption('viewer')
    await press('Change role')
    await visit.page.getByText('asha@clinic.example now has the role viewer.').waitFor()
    await button(visit, 'Close the message').click()
    await button(visit, 'Remove asha@clinic.example').click()
    await press('Remove member')
    await visit.page.getByText('asha@clinic.example is no longer a member.').waitFor()
    await visit.expectGood()
  })
})
