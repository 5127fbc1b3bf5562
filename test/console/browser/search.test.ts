import { afterAll, beforeAll, expect, it } from 'vitest'
import { PHONE } from './pages'
import { heading, isFocused } from './record-pages'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { callService, DATASETS, newWorkspace, programToken, writeRecords } from './workspaces'

/** Whether partner search of a type finds the records of the workspace. */
async function isOwn(token: string, type: string): Promise<boolean> {
  const response = await callService(token, `${DATASETS}search-status/?type=${type}`)
  return ((await response.json()) as { data: { enabled: boolean } }).data.enabled
}

/** What is shown of one type. */
const card = (visit: Visit, name: string) => visit.page.getByRole('region', { name, exact: true })

describeInBrowser('partner search', (browser) => {
  let visit: Visit
  let token: string
  const toggle = () => visit.page.getByRole('switch', { name: 'Partner search of medications' })
  const find = (text: string) => visit.page.getByRole('textbox', { name: 'Search medications' }).fill(text)
  const said = (text: string) => visit.page.getByRole('status').getByText(text, { exact: true }).waitFor()

  beforeAll(async () => {
    token = await programToken(await newWorkspace('Search'))
    await writeRecords(token, 'medication', [
      { medication_id: 'A/1', name: 'Aspirin forte', aliases: ['Säure'], strength: '500 mg' },
      { medication_id: 'A2', name: 'Old aspirin', is_active: false },
    ])
    visit = await visitAt(browser(), 'Search', 'Partner search')
  })
  afterAll(() => visit.end())

  it("is off at first and leads to the provider's database; either catalog can be tried without touching that", async () => {
    for (const name of ['Medications', 'Lab tests', 'Symptoms', 'Diagnoses']) {
      await card(visit, name).getByText('Not switched on yet.').waitFor()
      expect(await card(visit, name).getByRole('switch').isChecked(), name).toBe(false)
    }
    const source = (name: string) =>
      visit.page.getByRole('radiogroup', { name: 'Where to search' }).getByText(name, { exact: true }).click()
    await find('asprin')
    await said("No match in the provider's medical database")
    await source('Own catalog')
    await said('1 match in your own catalog, 1 of them only approximate')
    await visit.page.getByRole('list', { name: 'Similar names: aspirin' }).getByText('Aspirin forte').waitFor()
    await visit.expectGood()
    await source('As partners see it now')
    await find('asp')
    await said("No match in the provider's medical database")
    expect(await isOwn(token, 'medication')).toBe(false)
  })

  it('is turned on once it is confirmed, with what partners will find, and leads to the own active records', async () => {
    await card(visit, 'Medications').locator('label').click()
    const question = visit.page.getByRole('dialog', { name: 'Switch partner search of medications on?' })
    await question.getByText('find your 1 active medication, and no longer').waitFor()
    await question.getByRole('button', { name: 'Leave it off' }).click()
    await question.waitFor({ state: 'hidden' })
    expect(await toggle().isChecked()).toBe(false)
    expect(await isOwn(token, 'medication')).toBe(false)
    await card(visit, 'Medications').locator('label').click()
    await question.getByRole('button', { name: 'Switch on', exact: true }).click()
    await said('Partner search of medications is switched on.')
    await card(visit, 'Medications').getByText('Partners find your own active records.').waitFor()
    expect(await toggle().isChecked()).toBe(true)
    expect(await isOwn(token, 'medication')).toBe(true)
    expect(await isOwn(token, 'lab_test')).toBe(false)

    await said('1 match in your own catalog')
    await find('saure')
    const match = visit.page.getByRole('list', { name: 'Matches' }).getByRole('listitem')
    // The search before this one found as many.
    await match.filter({ hasText: 'also Säure' }).waitFor()
    expect(await match.allInnerTexts()).toEqual([expect.stringMatching(/^Aspirin forte\s+500 mg · also Säure · A\/1$/)])
    await match.getByRole('link', { name: 'Aspirin forte' }).click()
    await heading(visit, 'Aspirin forte')
    await visit.page.goBack()
  })

  it('is turned off again, with a question too', async () => {
    await find('unheard of')
    await said('No match in your own catalog')
    await toggle().press('Space')
    const question = visit.page.getByRole('dialog', { name: 'Switch partner search of medications off?' })
    await question.getByText("find those of the provider's medical database").waitFor()
    await question.getByRole('button', { name: 'Switch off' }).click()
    await said('Partner search of medications is switched off.')
    await said("No match in the provider's medical database")
    expect(await toggle().isChecked()).toBe(false)
    expect(await isOwn(token, 'medication')).toBe(false)
  })

  it('shows what a partner puts on a page, with the address and the digest of the search box', async () => {
    await visit.open('Developers')
    await visit.page.getByRole('tab', { name: 'Search box' }).click()
    const section = visit.page.getByRole('region', { name: "On a partner's page" })
    const { origin } = new URL(visit.page.url())
    const { versions } = (await (await fetch(`${origin}/embed/`)).json()) as {
      versions: { path: string; integrity: string }[]
    }
    await section.getByRole('button', { name: 'Copy Search box for medications' }).click()
    const copied = await visit.page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain(`src="${origin}${versions[0]?.path}"`)
    expect(copied).toContain(`integrity="${versions[0]?.integrity}"`)
    expect(copied).toContain('<catalog-search type="medication"')
    await section.getByText(`the origin of this service, ${origin},`).waitFor()
  })
})

describeInBrowser('partner search of an empty catalog', (browser) => {
  it('warns first, and is turned on for those who want it all the same', async () => {
    const token = await programToken(await newWorkspace('Empty search'))
    await writeRecords(token, 'symptom', [{ symptom_id: 'S1', name: 'Cough', is_active: false }])
    const visit = await visitAt(browser(), 'Empty search', 'Partner search', PHONE)
    const toggle = visit.page.getByRole('switch', { name: 'Partner search of symptoms' })
    const warning = visit.page.getByRole('dialog', { name: 'Switch on with no active symptoms?' })
    for (const name of ['Leave it off', 'Close']) {
      await toggle.press('Space')
      await warning.getByRole('button', { name }).click()
      await warning.waitFor({ state: 'hidden' })
      expect(await toggle.isChecked()).toBe(false)
      await expect.poll(() => isFocused(toggle)).toBe(true)
      expect(await isOwn(token, 'symptom')).toBe(false)
    }
    await toggle.press('Space')
    await warning.getByRole('button', { name: 'Switch on anyway' }).click()
    await visit.page.getByText('Partner search of symptoms is switched on.').waitFor()
    await card(visit, 'Symptoms').getByText('Partners find your own active records.').waitFor()
    expect(await isOwn(token, 'symptom')).toBe(true)
    await visit.end()
  })
})
