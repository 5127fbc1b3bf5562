import { afterAll, beforeAll, expect, it } from 'vitest'
import { serve } from '../../support/proxy.mjs'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { newWorkspace } from './workspaces'

describeInBrowser('watch and webhooks', (browser) => {
  let visit: Visit
  const dialog = () => visit.page.getByRole('dialog')
  const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
  const click = (name: string | RegExp) => visit.page.getByRole('button', { name }).click()
  const said = (text: string) => visit.page.getByRole('status').getByText(text).waitFor()

  beforeAll(async () => {
    await newWorkspace('Watched')
    visit = await visitAt(browser(), 'Watched', 'Watch')
  })
  afterAll(() => visit.end())

  it('set how often programs should bring a catalog up to date, and end it', async () => {
    const card = visit.page.getByRole('region', { name: 'Medications', exact: true })
    await card.getByText('Not watched: nobody gets a message if no file comes.').waitFor()
    await click('Watch the medications')
    await dialog().getByLabel('at least every').fill('0')
    await press('Watch')
    await dialog().getByText('Must be a whole number from 1 to 744').waitFor()
    await dialog().getByLabel('at least every').fill('24')
    await press('Watch')
    const rule = 'A program should send a file every day. If none comes, the catalog is late 1 hour after that.'
    await card.getByText(rule).waitFor()
    await said('Medications are watched.')
    await visit.expectGood()
    await click('Stop watching the medications')
    await press('Stop watching')
    await said('Medications are no longer watched.')
  })

  it('make a webhook, whose secret is shown once, test it, replace the secret and remove it', async () => {
    const received: string[] = []
    const { origin, close } = await serve((request, response) => {
      received.push(String(request.headers['webhook-signature']))
      request.resume()
      response.writeHead(received.length === 1 ? 204 : 500).end()
    })
    await visit.open('Developers')
    await visit.page.getByRole('tab', { name: 'Webhooks' }).click()
    await visit.page.getByText('No program gets messages.').waitFor()
    await click('Add webhook')
    await dialog().getByLabel('Address').fill('http://receiver.example')
    await press('Add webhook')
    await expect.poll(() => dialog().getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
    await dialog()
      .getByLabel('Address')
      .fill(`${origin.replace('localhost', '127.0.0.1')}/hook`)
    await dialog().getByLabel('A catalog has changed').uncheck()
    await press('Add webhook')
    await dialog().getByText('Shown only now').waitFor()
    await press('Copy Secret')
    const secret = await visit.page.evaluate(() => navigator.clipboard.readText())
    expect(secret).toMatch(/^whsec_/)
    await dialog().getByLabel('I have stored these values').check()
    await press('Done')
    await dialog().waitFor({ state: 'detached' })
    expect(await visit.page.content()).not.toContain(secret)

    await visit.page.getByText('Nothing sent yet').waitFor()
    await click(/^Test http/)
    await said('Test: Delivered (answer 204).')
    await visit.page.getByText(/^Delivered \(answer 204\), /).waitFor()
    await visit.expectGood()

    await click(/^New secret for http/)
    await dialog().getByText('is valid for another day').waitFor()
    await press('Replace the secret')
    await dialog().getByText('Messages carry the signatures of both secrets until').waitFor()
    await dialog().getByLabel('I have stored these values').check()
    await press('Done')
    await click(/^Test http/)
    await said('Test: Not delivered: the receiver answered 500.')
    expect(received.map((signatures) => signatures.split(' ').length)).toEqual([1, 2])

    await click(/^Last deliveries to http/)
    const rows = dialog().getByRole('row')
    expect(await rows.nth(1).innerText()).toContain('the receiver answered 500')
    expect(await rows.nth(2).innerText()).toContain('Delivered (answer 204)')
    await press('Close')
    await click(/^Remove http/)
    await press('Remove webhook')
    await visit.page.getByText('No program gets messages.').waitFor()
    close()
  })
})
