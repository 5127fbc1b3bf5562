import type { Browser } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../../support/proxy.mjs'
import { isFocused, isInState } from './steps'
import { describeInBrowser, visitAt } from './visit'
import { newWorkspace } from './workspaces'

/** Opens a page of a new workspace. */
async function begin(browser: Browser, place: 'Sync monitoring' | 'Developers') {
  await newWorkspace('Watched')
  const visit = await visitAt(browser, 'Watched', place)
  const dialog = visit.page.getByRole('dialog')
  return {
    ...{ visit, dialog, page: visit.page },
    press: (name: string) => dialog.getByRole('button', { name, exact: true }).click(),
    click: (name: string | RegExp) => visit.page.getByRole('button', { name }).click(),
    said: (text: string) => visit.page.getByRole('status').getByText(text).waitFor(),
  }
}

/** Adds a webhook whose receiver accepts only the first message. */
async function beginWithWebhook(browser: Browser) {
  const here = await begin(browser, 'Developers')
  const { page, dialog, press, click } = here
  const received: string[] = []
  const { origin, close } = await serve((request, response) => {
    received.push(String(request.headers['webhook-signature']))
    request.resume()
    response.writeHead(received.length === 1 ? 204 : 500).end()
  })
  onTestFinished(close)
  const storedSecret = async () => {
    await press('Copy Secret')
    const secret = await page.evaluate(() => navigator.clipboard.readText())
    const wasInState = await isInState(here.visit, secret)
    await dialog.getByLabel('I have stored these values').check()
    await press('Done')
    await dialog.waitFor({ state: 'detached' })
    return { secret, wasInState }
  }
  await page.getByRole('tab', { name: 'Webhooks' }).click()
  await page.getByText('No webhooks yet.').waitFor()
  await click('Add webhook')
  await dialog.getByLabel('Address').fill(`${origin}/hook`)
  await dialog.getByLabel('A catalog has changed').uncheck()
  await press('Add webhook')
  await dialog.getByText('Shown only once').waitFor()
  return { ...here, received, storedSecret, ...(await storedSecret()) }
}

describeInBrowser('sync monitoring', (browser) => {
  it('is turned on with a rule and turned off again', async () => {
    const { page, dialog, press, click, said } = await begin(browser(), 'Sync monitoring')
    const card = page.getByRole('region', { name: 'Medications', exact: true })
    await card.getByText('Not monitored: no one is notified if a file does not arrive.').waitFor()
    await click('Turn on sync monitoring of medications')
    await dialog.getByLabel('A file is expected every').fill('0')
    await press('Turn on')
    await dialog.getByText('Must be a whole number from 1 to 744').waitFor()
    await dialog.getByLabel('A file is expected every').fill('24')
    await press('Turn on')
    const rule = 'A file is expected every day. If none arrives, the catalog is marked as late 1 hour later.'
    await card.getByText(rule).waitFor()
    await said('Medications are monitored.')
    await click('Turn off sync monitoring of medications')
    await press('Turn off')
    await dialog.waitFor({ state: 'detached' })
    expect(await isFocused(page.getByRole('button', { name: 'Turn on sync monitoring of medications' }))).toBe(true)
    await said('Medications are no longer monitored.')
  })
})

describeInBrowser('a webhook', (browser) => {
  it('can be tested, and shows its last deliveries', async () => {
    const { visit, page, dialog, press, click, said, secret } = await beginWithWebhook(browser())
    expect(secret).toMatch(/^whsec_/)
    expect(await page.content()).not.toContain(secret)
    await page.getByText('Nothing sent yet').waitFor()
    await click(/^Test http/)
    await said('Test: Delivered (response 204).')
    await page.getByText(/^Delivered \(response 204\), /).waitFor()
    await visit.expectGood()
    await click(/^Test http/)
    await said('Test: Not delivered: the receiver returned 500.')
    await click(/^Last deliveries to http/)
    const rows = dialog.getByRole('row')
    expect(await rows.nth(1).innerText()).toContain('the receiver returned 500')
    expect(await rows.nth(2).innerText()).toContain('Delivered (response 204)')
    await press('Close')
  })

  it('signs with both secrets after its secret is replaced', async () => {
    const { visit, dialog, press, click, said, received, storedSecret } = await beginWithWebhook(browser())
    await click(/^New secret for http/)
    await press('Replace the secret')
    await dialog.getByText('Messages carry the signatures of both secrets until').waitFor()
    const { secret, wasInState } = await storedSecret()
    expect([wasInState, await isInState(visit, secret)]).toEqual([true, false])
    await click(/^Test http/)
    await said('Test: Delivered (response 204).')
    expect(received.map((signatures) => signatures.split(' ').length)).toEqual([2])
  })

  it('can be removed', async () => {
    const { page, press, click } = await beginWithWebhook(browser())
    await click(/^Remove http/)
    await press('Remove webhook')
    await page.getByText('No webhooks yet.').waitFor()
  })
})
