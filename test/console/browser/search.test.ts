import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from './pages'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { callService, DATASETS, newWorkspace, programToken, writeRecords } from './workspaces'

/** Whether partner search of a type finds the records of the workspace. */
async function isOwn(token: string, type: string): Promise<boolean> {
  const response = await callService(token, `${DATASETS}search-status/?type=${type}`)
  return ((await response.json()) as { data: { enabled: boolean } }).data.enabled
}

/** The versions of the search box. */
interface Embedded {
  versions: { path: string; integrity: string }[]
}

/** What is shown of one type. */
const card = (visit: Visit, name: string) => visit.page.getByRole('region', { name, exact: true })

describeInBrowser('the switch of partner search', (browser) => {
  describe('of a catalog', () => {
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

    it('is off at first, of every type', async () => {
      for (const name of ['Medications', 'Lab tests', 'Symptoms', 'Diagnoses']) {
        await card(visit, name).getByText('Not switched on yet.').waitFor()
        expect(await card(visit, name).getByRole('switch').isChecked(), name).toBe(false)
      }
      await card(visit, 'Medications').getByText('1 active record in your catalog.').waitFor()
    })

    it("leads to the provider's database, and can be tried in either catalog without being touched", async () => {
      const source = (name: string) =>
        visit.page.getByRole('radiogroup', { name: 'Where to search' }).getByText(name, { exact: true }).click()
      await find('asprin')
      await said("No match in the provider's medical database")
      await source('Own catalog')
      await said('1 match in your own catalog, 1 of them only approximate')
      await visit.page.getByRole('list', { name: 'Similar names: aspirin' }).getByText('Aspirin forte').waitFor()
      await visit.expectGood()
      await source("Provider's")
      await said("No match in the provider's medical database")
      expect(await isOwn(token, 'medication')).toBe(false)
      await source('As partners see it now')
      await find('asp')
      await said("No match in the provider's medical database")
    })

    it('asks first, and says what partners will find from now on', async () => {
      await card(visit, 'Medications').locator('label').click()
      const question = visit.page.getByRole('dialog', { name: 'Switch partner search of medications on?' })
      await question.getByText('find your 1 active medication, and no longer').waitFor()
      await question.getByRole('button', { name: 'Leave it off' }).click()
      await question.waitFor({ state: 'hidden' })
      expect(await toggle().isChecked()).toBe(false)
      expect(await isOwn(token, 'medication')).toBe(false)
    })

    it('is turned on once it is confirmed', async () => {
      await card(visit, 'Medications').locator('label').click()
      await visit.page.getByRole('button', { name: 'Switch on', exact: true }).click()
      await said('Partner search of medications is switched on.')
      await card(visit, 'Medications').getByText('Partners find your own active records.').waitFor()
      expect(await toggle().isChecked()).toBe(true)
      expect(await isOwn(token, 'medication')).toBe(true)
      expect(await isOwn(token, 'lab_test')).toBe(false)
    })

    it('leads to the own active records then, from where they can be opened', async () => {
      await said('1 match in your own catalog')
      await find('saure')
      await said('1 match in your own catalog')
      const match = visit.page.getByRole('list', { name: 'Matches' }).getByRole('listitem')
      // The search before this one found as many.
      await match.filter({ hasText: 'also Säure' }).waitFor()
      expect(await match.count()).toBe(1)
      expect(await match.innerText()).toMatch(/^Aspirin forte\s+500 mg · also Säure · A\/1$/)
      await match.getByRole('link', { name: 'Aspirin forte' }).click()
      await visit.page.getByRole('heading', { level: 1, name: 'Aspirin forte' }).waitFor()
      await visit.page.goBack()
    })

    it('shows what a partner puts on a page, with the address and the digest of the search box', async () => {
      await visit.open('Developers')
      await visit.page.getByRole('tab', { name: 'Search box' }).click()
      const section = visit.page.getByRole('region', { name: "On a partner's page" })
      const { origin } = new URL(visit.page.url())
      const [newest] = ((await (await fetch(`${origin}/embed/`)).json()) as Embedded).versions
      await section.getByRole('button', { name: 'Copy Search box for medications' }).click()
      const copied = await visit.page.evaluate(() => navigator.clipboard.readText())
      expect(copied).toContain(`src="${origin}${newest?.path}"`)
      expect(copied).toContain(`integrity="${newest?.integrity}"`)
      expect(copied).toContain('<catalog-search type="medication"')
      await section.getByText(`the origin of this service, ${origin},`).waitFor()
      await visit.open('Partner search')
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
  })

  describe('of an empty catalog', () => {
    let visit: Visit
    let token: string
    const toggle = () => visit.page.getByRole('switch', { name: 'Partner search of symptoms' })
    const warning = () => visit.page.getByRole('dialog', { name: 'Switch on with no active symptoms?' })
    const answer = (name: string) => warning().getByRole('button', { name }).click()

    beforeAll(async () => {
      token = await programToken(await newWorkspace('Empty search'))
      await writeRecords(token, 'symptom', [{ symptom_id: 'S1', name: 'Cough', is_active: false }])
      visit = await visitAt(browser(), 'Empty search', 'Partner search', PHONE)
    })
    afterAll(() => visit.end())

    it('warns first, and stays off for those who leave it off or close the warning', async () => {
      for (const name of ['Leave it off', 'Close']) {
        await toggle().press('Space')
        await warning().waitFor()
        await answer(name)
        await warning().waitFor({ state: 'hidden' })
        expect(await toggle().isChecked()).toBe(false)
        await expect.poll(() => toggle().evaluate((element) => element === document.activeElement)).toBe(true)
        expect(await isOwn(token, 'symptom')).toBe(false)
      }
    })

    it('is turned on for those who want it all the same', async () => {
      await toggle().press('Space')
      await warning().waitFor()
      await visit.expectGood()
      await answer('Switch on anyway')
      await visit.page.getByText('Partner search of symptoms is switched on.').waitFor()
      await card(visit, 'Symptoms').getByText('Partners find your own active records.').waitFor()
      expect(await isOwn(token, 'symptom')).toBe(true)
    })
  })
})
