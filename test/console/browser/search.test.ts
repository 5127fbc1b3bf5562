import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { button, input, isFocused } from './steps'
import { describeInBrowser, PHONE, type Visit, visitAt } from './visit'
import { callService, DATASETS, newWorkspace, programToken, writeRecords } from './workspaces'

/** Whether partner search of a type finds the workspace's records. */
async function isOwn(token: string, type: string): Promise<boolean> {
  const response = await callService(token, `${DATASETS}search-status/?type=${type}`)
  return ((await response.json()) as { data: { enabled: boolean } }).data.enabled
}

/** The part of the page for one type. */
const card = (visit: Visit, name: string) => visit.page.getByRole('region', { name, exact: true })

/** Opens the page of a workspace with an active and an inactive medication. */
async function begin(browser: Browser) {
  const token = await programToken(await newWorkspace('Search'))
  await writeRecords(token, 'medication', [
    { medication_id: 'A/1', name: 'Aspirin forte', aliases: ['Säure'], strength: '500 mg' },
    { medication_id: 'A2', name: 'Old aspirin', is_active: false },
  ])
  const visit = await visitAt(browser, 'Search', 'Partner search')
  return {
    ...{ visit, token, page: visit.page },
    toggle: visit.page.getByRole('switch', { name: 'Partner search of medications' }),
    find: (text: string) => input(visit, 'Search medications').fill(text),
    said: (text: string) => visit.page.getByRole('status').getByText(text, { exact: true }).waitFor(),
  }
}

describeInBrowser('partner search', (browser) => {
  it('can be tried in either catalog', async () => {
    const { visit, page, find, said } = await begin(browser())
    const source = (name: string) =>
      page.getByRole('radiogroup', { name: 'Where to search' }).getByText(name, { exact: true }).click()
    await card(visit, 'Medications').getByText('Not turned on yet.').waitFor()
    await find('asprin')
    await said("No match in the provider's medical database")
    await source('Own catalog')
    await said('1 match in your own catalog, 1 of them only approximate')
    await page.getByRole('list', { name: 'Similar names: aspirin' }).getByText('Aspirin forte').waitFor()
    await visit.expectGood()
    await source('As partners see it now')
    await find('asp')
    await said("No match in the provider's medical database")
  })

  it('is turned on after a confirmation', async () => {
    const { visit, page, token, toggle, find, said } = await begin(browser())
    const on = page.getByRole('dialog', { name: 'Turn on partner search of medications?' })
    await card(visit, 'Medications').locator('label').click()
    await on.getByText('find your 1 active medication, and no longer').waitFor()
    await on.getByRole('button', { name: 'Turn on', exact: true }).click()
    await said('Partner search of medications is turned on.')
    await card(visit, 'Medications').getByText('Partners find your own active records.').waitFor()
    expect(await toggle.isChecked()).toBe(true)
    expect([await isOwn(token, 'medication'), await isOwn(token, 'lab_test')]).toEqual([true, false])
    await find('saure')
    await said('1 match in your own catalog')
    const match = page.getByRole('list', { name: 'Matches' }).getByRole('listitem')
    expect(await match.allInnerTexts()).toEqual([expect.stringMatching(/^Aspirin forte\s+500 mg · also Säure · A\/1$/)])
  })

  it('is turned off after a confirmation', async () => {
    const { page, token, toggle, find, said } = await begin(browser())
    await callService(token, `${DATASETS}search-status/?type=medication`, { enabled: true })
    await page.reload()
    await find('aspirin')
    await said('1 match in your own catalog')
    await toggle.press('Space')
    const off = page.getByRole('dialog', { name: 'Turn off partner search of medications?' })
    await off.getByText("find those of the provider's medical database").waitFor()
    await off.getByRole('button', { name: 'Turn off' }).click()
    await said('Partner search of medications is turned off.')
    await said("No match in the provider's medical database")
    expect([await toggle.isChecked(), await isOwn(token, 'medication')]).toEqual([false, false])
  })

  it('of an empty catalog is turned on after a warning, on a phone', async () => {
    const token = await programToken(await newWorkspace('Empty search'))
    await writeRecords(token, 'symptom', [{ symptom_id: 'S1', name: 'Cough', is_active: false }])
    const visit = await visitAt(browser(), 'Empty search', 'Partner search', PHONE)
    const toggle = visit.page.getByRole('switch', { name: 'Partner search of symptoms' })
    const warning = visit.page.getByRole('dialog', { name: 'Turn on with no active symptoms?' })
    await toggle.press('Space')
    await warning.getByRole('button', { name: 'Keep it off' }).click()
    await warning.waitFor({ state: 'hidden' })
    expect([await toggle.isChecked(), await isOwn(token, 'symptom')]).toEqual([false, false])
    await expect.poll(() => isFocused(toggle)).toBe(true)
    await toggle.press('Space')
    await warning.getByRole('button', { name: 'Turn on anyway' }).click()
    await visit.page.getByText('Partner search of symptoms is turned on.').waitFor()
    await card(visit, 'Symptoms').getByText('Partners find your own active records.').waitFor()
    expect(await isOwn(token, 'symptom')).toBe(true)
  })

  it('has a search box that developers copy with the URL and hash of its release', async () => {
    await newWorkspace('Search box')
    const visit = await visitAt(browser(), 'Search box', 'Developers')
    await visit.page.getByRole('tab', { name: 'Search box' }).click()
    const { origin } = new URL(visit.page.url())
    const { versions } = (await (await fetch(`${origin}/embed/`)).json()) as {
      versions: { path: string; integrity: string }[]
    }
    await button(visit, 'Copy Search box for medications').click()
    const copied = await visit.page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain(`src="${origin}${versions[0]?.path}"`)
    expect(copied).toContain(`integrity="${versions[0]?.integrity}"`)
    expect(copied).toContain('<catalog-search type="medication"')
  })
})
