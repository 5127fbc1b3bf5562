import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvFile } from './files'
import { DESKTOP, describeInBrowser, PHONE, type Visit, visitAt } from './visit'
import { ADMIN, callService, newWorkspace, programToken, VIEWER, writeRecords } from './workspaces'

/** Whether partner search of a type finds the records of the workspace. */
async function isOwn(token: string, type: string): Promise<boolean> {
  const response = await callService(token, `/admin/datasets/v1/search-status/?type=${type}`)
  return ((await response.json()) as { data: { enabled: boolean } }).data.enabled
}

/** What is shown of one type. */
const card = (visit: Visit, name: string) => visit.page.getByRole('region', { name, exact: true })

describeInBrowser('the switch of partner search', (browser) => {
  describe.each([
    ['at a desk', DESKTOP],
    ['on a phone', PHONE],
  ])('of a catalog, %s', (where, options) => {
    let visit: Visit
    let token: string
    const toggle = () => visit.page.getByRole('switch', { name: 'Partner search of medications' })
    const find = (text: string) => visit.page.getByRole('textbox', { name: 'Search medications' }).fill(text)
    const said = (text: string) => visit.page.getByRole('status').getByText(text, { exact: true }).waitFor()

    beforeAll(async () => {
      token = await programToken(await newWorkspace(`Search ${where}`))
      await writeRecords(token, 'medication', [
        { medication_id: 'A/1', name: 'Aspirin forte', aliases: ['Säure'], strength: '500 mg' },
        { medication_id: 'A2', name: 'Old aspirin', is_active: false },
      ])
      visit = await visitAt(browser(), `Search ${where}`, 'Partner search', options)
    })
    afterAll(() => visit.end())

    it('is off at first, of every type', async () => {
      for (const name of ['Medications', 'Lab tests', 'Symptoms', 'Diagnoses']) {
        await card(visit, name).getByText('Never switched on.').waitFor()
        expect(await card(visit, name).getByRole('switch').isChecked(), name).toBe(false)
      }
      await card(visit, 'Medications').getByText('1 active record in your catalog.').waitFor()
      await visit.expectGood()
    })

    it("leads to the provider's database as long as it is off", async () => {
      await find('asp')
      await said("No match in the provider's medical database")
      await visit.expectGood()
    })

    it('is turned on at once for a catalog that has records', async () => {
      await card(visit, 'Medications').locator('label').click()
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
      expect(await match.count()).toBe(1)
      expect(await match.innerText()).toMatch(/^Aspirin forte\s+500 mg · also Säure · A\/1$/)
      await visit.expectGood()
      await match.getByRole('link', { name: 'Aspirin forte' }).click()
      await visit.page.getByRole('heading', { level: 1, name: 'Aspirin forte' }).waitFor()
      await visit.page.goBack()
    })

    it('is as it was left after a reload', async () => {
      await visit.page.reload()
      await card(visit, 'Medications').getByText('Partners find your own active records.').waitFor()
      expect(await toggle().isChecked()).toBe(true)
    })

    it('says where nothing was found', async () => {
      await find('unheard of')
      await said('No match in your own catalog')
      await visit.expectGood()
    })

    it('is turned off again', async () => {
      await toggle().press('Space')
      await said('Partner search of medications is switched off.')
      await said("No match in the provider's medical database")
      expect(await toggle().isChecked()).toBe(false)
      expect(await isOwn(token, 'medication')).toBe(false)
      await visit.expectGood()
    })
  })

  describe('of an empty catalog', () => {
    let visit: Visit
    let token: string
    const toggle = () => visit.page.getByRole('switch', { name: 'Partner search of symptoms' })
    const warning = () => visit.page.getByRole('dialog', { name: 'Switch on without symptoms?' })
    const answer = (name: string) => warning().getByRole('button', { name }).click()

    beforeAll(async () => {
      token = await programToken(await newWorkspace('Empty search'))
      await writeRecords(token, 'symptom', [{ symptom_id: 'S1', name: 'Cough', is_active: false }])
      visit = await visitAt(browser(), 'Empty search', 'Partner search', PHONE)
    })
    afterAll(() => visit.end())

    it.each(['Leave it off', 'Close'])(
      'warns first, and stays off for those who choose "%s"',
      async (name) => {
        await toggle().press('Space')
        await warning().waitFor()
        await visit.expectGood()
        await answer(name)
        await warning().waitFor({ state: 'hidden' })
        expect(await toggle().isChecked()).toBe(false)
        await expect.poll(() => toggle().evaluate((element) => element === document.activeElement)).toBe(true)
        expect(await isOwn(token, 'symptom')).toBe(false)
      },
    )

    it('is turned on for those who want it all the same', async () => {
      await toggle().press('Space')
      await answer('Switch on all the same')
      await card(visit, 'Symptoms').getByText('Partners find your own active records.').waitFor()
      expect(await isOwn(token, 'symptom')).toBe(true)
      await visit.expectGood()
    })

    it('is turned on without a warning where a record has come in the meantime', async () => {
      await toggle().press('Space')
      await visit.page.getByText('Partner search of symptoms is switched off.').waitFor()
      await writeRecords(token, 'symptom', [{ symptom_id: 'S1', name: 'Cough' }])
      await toggle().press('Space')
      await card(visit, 'Symptoms').getByText('Partners find your own active records.').waitFor()
      await card(visit, 'Symptoms').getByText('1 active record in your catalog.').waitFor()
      expect(await isOwn(token, 'symptom')).toBe(true)
    })

    it('is shown to those who may only read, who can try the search', async () => {
      const reader = await visitAt(browser(), 'Empty search', 'Partner search', {
        ...DESKTOP,
        account: VIEWER,
      })
      await card(reader, 'Symptoms').getByText('On', { exact: true }).waitFor()
      await card(reader, 'Medications').getByText('Off', { exact: true }).waitFor()
      expect(await reader.page.getByRole('switch').count()).toBe(0)
      await reader.chooseCatalog('Symptoms')
      await reader.page.getByRole('textbox', { name: 'Search symptoms' }).fill('cou')
      await reader.page.getByText('1 match in your own catalog').waitFor()
      await reader.expectGood()
      await reader.end()
    })
  })
})

const PAGE = 25

/** A form with a file, as programs post it. */
function fileForm(name: string, rows: string[][]): FormData {
  const file = csvFile(name, rows)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(file.buffer)], { type: file.mimeType }), file.name)
  return form
}

const HEADER = ['symptom_id', 'name']

describeInBrowser('the batches', (browser) => {
  describe.each([
    ['at a desk', DESKTOP, 'table', 'row'],
    ['on a phone', PHONE, 'list', 'listitem'],
  ] as const)('of a catalog, %s', (where, options, listRole, entryRole) => {
    let visit: Visit
    let token: string
    const entries = () =>
      visit.page.getByRole(listRole, { name: 'Uploads' }).getByRole(entryRole).filter({ hasText: '.csv' })
    const fileNames = async () =>
      (await entries().allInnerTexts()).map((text) => /\S+\.csv/.exec(text)?.[0] ?? '')
    /** The counts of an upload, by what is written over or beside them. */
    const countsOf = async (place: number): Promise<Record<string, string>> => {
      const entry = entries().nth(place)
      const isTable = listRole === 'table'
      const labels = isTable ? visit.page.getByRole('columnheader') : entry.getByRole('term')
      const values = isTable
        ? entry.getByRole('rowheader').or(entry.getByRole('cell'))
        : entry.getByRole('definition')
      const texts = await values.allInnerTexts()
      return Object.fromEntries(
        (await labels.allInnerTexts()).map((label, column) => [label, texts[column]!]),
      )
    }

    beforeAll(async () => {
      token = await programToken(await newWorkspace(`Batches ${where}`))
      visit = await visitAt(browser(), `Batches ${where}`, 'Batches', options)
    })
    afterAll(() => visit.end())

    it('are none as long as no file was uploaded, and the page leads to the upload', async () => {
      await visit.chooseCatalog('Symptoms')
      await visit.page.getByText('No file with symptoms was uploaded yet').waitFor()
      await visit.page.getByRole('status').getByText('0 uploads', { exact: true }).waitFor()
      await visit.expectGood()
      await visit.page.getByRole('link', { name: 'Upload symptoms' }).click()
      await visit.page.getByText('Drop a file with symptoms here').waitFor()
    })

    it('say who uploaded which file, and what became of its records', async () => {
      const first = [HEADER, ['S1', 'Cough'], ['S2', 'Fever'], ['S3', 'Nausea']]
      await visit.page.locator('input[type=file]').setInputFiles(csvFile('first.csv', first))
      await visit.page.getByRole('button', { name: 'Write 3 changes' }).click()
      await visit.page.getByText('The symptoms are up to date').waitFor()
      const second = [HEADER, ['S1', 'Dry cough'], ['S2', 'Fever'], ['S4', 'Rash']]
      const replacing = `symptom&mode=reconcile`
      await writeRecords(token, replacing, fileForm('second.csv', second))

      await visit.open('Batches')
      await visit.page.getByRole('status').getByText('2 uploads', { exact: true }).waitFor()
      expect(await fileNames()).toEqual(['second.csv', 'first.csv'])
      const [latest, earlier] = await entries().allInnerTexts()
      expect(latest).toContain('Replace the whole catalog')
      expect(latest).toContain('Program ')
      expect(latest).toContain('Latest')
      expect(earlier).toContain('Add and update')
      expect(earlier).toContain(ADMIN)
      expect(earlier).not.toContain('Latest')
      expect(await countsOf(0)).toMatchObject({
        Records: '3',
        New: '1',
        Updated: '1',
        Unchanged: '1',
        Reactivated: '0',
        Deactivated: '1',
        Warnings: '0',
      })
      expect(await countsOf(1)).toMatchObject({ Records: '3', New: '3', Updated: '0', Deactivated: '0' })
      await visit.expectGood()
    })

    it('are shown newest first, page by page', async () => {
      for (let number = 3; number <= PAGE + 1; number++) {
        await writeRecords(token, 'symptom', fileForm(`${number}.csv`, [HEADER, ['S1', 'Cough']]))
      }
      await visit.page.reload()
      await visit.page
        .getByRole('status')
        .getByText(`${PAGE + 1} uploads`, { exact: true })
        .waitFor()
      expect((await fileNames()).slice(0, 2)).toEqual([`${PAGE + 1}.csv`, `${PAGE}.csv`])
      expect(await entries().count()).toBe(PAGE)
      await visit.page.getByRole('button', { name: 'Page 2', exact: true }).click()
      await expect.poll(fileNames).toEqual(['first.csv'])
      expect(new URL(visit.page.url()).search).toBe('?page=2')
      await visit.expectGood()
      await visit.page.goBack()
      await expect.poll(() => entries().count()).toBe(PAGE)
    })

    it('of other catalogs are not among them', async () => {
      await visit.chooseCatalog('Diagnoses')
      await visit.page.getByText('No file with diagnoses was uploaded yet').waitFor()
    })

    it('are shown to those who may only read, without a way to the upload', async () => {
      const reader = await visitAt(browser(), `Batches ${where}`, 'Batches', { ...options, account: VIEWER })
      await reader.page.getByText('No file with medications was uploaded yet').waitFor()
      expect(await reader.page.getByRole('link', { name: 'Upload medications' }).count()).toBe(0)
      await reader.chooseCatalog('Symptoms')
      await reader.page
        .getByRole('status')
        .getByText(`${PAGE + 1} uploads`, { exact: true })
        .waitFor()
      await reader.expectGood()
      await reader.end()
    })
  })
})
