import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvFile, fileForm } from './files'
import { DESKTOP, describeInBrowser, PHONE, type Visit, visitAt } from './visit'
import { ADMIN, newWorkspace, programToken, VIEWER, writeRecords } from './workspaces'

const PAGE = 25

const HEADER = ['symptom_id', 'name']

describeInBrowser('the history', (browser) => {
  describe.each([
    ['at a desk', DESKTOP, 'table', 'row'],
    ['on a phone', PHONE, 'list', 'listitem'],
  ] as const)('of a catalog, %s', (where, options, listRole, entryRole) => {
    let visit: Visit
    let token: string
    const entries = () =>
      visit.page
        .getByRole(listRole, { name: 'History', exact: true })
        .getByRole(entryRole)
        .filter({ hasText: /\.csv|Transfer|Edit in|Restore of/ })
    const titles = async () =>
      (await entries().allInnerTexts()).map((text) => /\S+\.csv|Transfer|Edit|Restore/.exec(text)?.[0] ?? '')
    const total = (text: string) => visit.page.getByRole('status').getByText(text, { exact: true }).waitFor()
    /** The counts of an entry, by what is written over or beside them. */
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
      token = await programToken(await newWorkspace(`History ${where}`))
      visit = await visitAt(browser(), `History ${where}`, 'History', options)
    })
    afterAll(() => visit.end())

    it('is empty as long as nothing was written, and leads to the upload', async () => {
      await visit.chooseCatalog('Symptoms')
      await visit.page.getByText('No symptoms were written yet').waitFor()
      await total('0 entries')
      await visit.expectGood()
      await visit.page.getByRole('link', { name: 'Upload symptoms' }).click()
      await visit.page.getByText('Drop a file with symptoms here').waitFor()
    })

    it('says who wrote what, by file, by program or by hand, and what became of the records', async () => {
      const first = [HEADER, ['S1', 'Cough'], ['S2', 'Fever'], ['S3', 'Nausea']]
      await visit.page.locator('input[type=file]').setInputFiles(csvFile('first.csv', first))
      await visit.page.getByRole('button', { name: 'Add 3' }).click()
      await visit.page.getByText('The symptoms are up to date').waitFor()
      const second = [HEADER, ['S1', 'Dry cough'], ['S2', 'Fever'], ['S4', 'Rash']]
      await writeRecords(token, 'symptom&mode=reconcile', fileForm('second.csv', second))
      await writeRecords(token, 'symptom', [{ symptom_id: 'S4', name: 'Rash' }])
      await visit.page.goto('/console/symptom/catalog/S4/edit')
      await visit.page.getByRole('textbox', { name: /^Name/ }).fill('Red rash')
      await visit.page.getByRole('button', { name: 'Save', exact: true }).click()
      await visit.page.getByRole('heading', { level: 1, name: 'Red rash' }).waitFor()

      await visit.open('History')
      await total('4 entries')
      expect(await titles()).toEqual(['Edit', 'Transfer', 'second.csv', 'first.csv'])
      const [edit, transfer, upload, earlier] = await entries().allInnerTexts()
      expect(edit).toContain(ADMIN)
      expect(edit).toContain('Current')
      expect(transfer).toContain('Program ')
      expect(transfer).not.toContain('Current')
      expect(upload).toContain('Replace the whole catalog')
      expect(earlier).toContain('Add and update')
      expect(earlier).toContain(ADMIN)
      expect(await countsOf(1)).toMatchObject({ Records: '1', Updated: '0', Unchanged: '1' })
      expect(await countsOf(2)).toMatchObject({
        Records: '3',
        New: '1',
        Updated: '1',
        Unchanged: '1',
        Reactivated: '0',
        Deactivated: '1',
        Warnings: '0',
      })
      expect(await countsOf(3)).toMatchObject({ Records: '3', New: '3', Updated: '0', Deactivated: '0' })
      await visit.expectGood()
    })

    it('shows of each entry what it did, record by record, also as a file', async () => {
      await entries().nth(2).getByRole('link').first().click()
      await visit.page.getByRole('heading', { level: 1, name: 'second.csv' }).waitFor()
      const records = visit.page.getByRole(listRole, { name: 'Changed records' }).getByRole(entryRole)
      const shown = records.filter({ hasText: /S\d/ })
      await shown.first().waitFor()
      expect((await shown.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
        expect.stringContaining('Name: Cough → Dry cough'),
        expect.stringContaining('Deactivated'),
        expect.stringContaining('New'),
      ])
      await visit.expectGood()
      const file = await visit.download(() =>
        visit.page.getByRole('button', { name: 'Download the full list' }).click(),
      )
      expect(file.name).toBe('symptom-changes.csv')
      expect(file.bytes.toString('utf8')).toContain('updated,S1,Dry cough,name,Cough,Dry cough')
      await visit.page.getByRole('link', { name: 'Dry cough' }).click()
      await visit.page.getByRole('heading', { level: 1, name: 'Dry cough' }).waitFor()
    })

    it('is on the page of a record too: who, when, old and new', async () => {
      const history = visit.page.getByRole('region', { name: 'History' })
      const versions = history.getByRole('list').getByRole('listitem')
      await versions.first().waitFor()
      const texts = (await versions.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
      expect(texts).toEqual([
        expect.stringMatching(/Updated Program .*Name: Cough → Dry cough/),
        expect.stringMatching(`New ${ADMIN}.*Name: Cough`),
      ])
      await visit.expectGood()
      await versions.last().getByRole('link').click()
      await visit.page.getByRole('heading', { level: 1, name: 'first.csv' }).waitFor()
      await visit.page.getByRole('link', { name: 'History of the symptoms' }).click()
      await total('4 entries')
    })

    it('is shown newest first, page by page', async () => {
      for (let number = 5; number <= PAGE + 1; number++) {
        await writeRecords(token, 'symptom', fileForm(`${number}.csv`, [HEADER, ['S2', 'Fever']]))
      }
      await visit.page.reload()
      await total(`${PAGE + 1} entries`)
      expect((await titles()).slice(0, 2)).toEqual([`${PAGE + 1}.csv`, `${PAGE}.csv`])
      expect(await entries().count()).toBe(PAGE)
      await visit.page.getByRole('button', { name: 'Page 2', exact: true }).click()
      await expect.poll(titles).toEqual(['first.csv'])
      expect(new URL(visit.page.url()).search).toBe('?page=2')
      await visit.expectGood()
      await visit.page.goBack()
      await expect.poll(() => entries().count()).toBe(PAGE)
    })

    it('leads to its last page if an address names one behind it', async () => {
      await visit.page.goto('/console/symptom/history?page=999')
      await expect.poll(titles).toEqual(['first.csv'])
      expect(new URL(visit.page.url()).search).toBe('?page=2')
      await visit.page.getByText(`${PAGE + 1} to ${PAGE + 1} of ${PAGE + 1}`).waitFor()
    })

    it('says so if an address names no entry', async () => {
      await visit.page.goto(`/console/symptom/history/${crypto.randomUUID()}`)
      await visit.page.getByText('There is no such entry').waitFor()
      await visit.expectGood()
    })

    it('of other catalogs is not shown', async () => {
      await visit.page.goto('/console/diagnosis/history')
      await visit.page.getByText('No diagnoses were written yet').waitFor()
    })

    it('is shown to those who may only read, without a way to change anything', async () => {
      const reader = await visitAt(browser(), `History ${where}`, 'History', { ...options, account: VIEWER })
      await reader.page.getByText('No medications were written yet').waitFor()
      expect(await reader.page.getByRole('link', { name: 'Upload medications' }).count()).toBe(0)
      await reader.chooseCatalog('Symptoms')
      await reader.page
        .getByRole('status')
        .getByText(`${PAGE + 1} entries`, { exact: true })
        .waitFor()
      expect(await reader.page.getByRole('link', { name: /^Undo/ }).count()).toBe(0)
      await reader.page.goto('/console/symptom/history?page=2')
      const list = reader.page.getByRole(listRole, { name: 'History', exact: true })
      await list.getByRole('link').first().click()
      await reader.page.getByRole('heading', { level: 1, name: 'first.csv' }).waitFor()
      await reader.page.getByText('Record by record').waitFor()
      expect(await reader.page.getByRole('link', { name: 'Go back to this point' }).count()).toBe(0)
      await reader.page.goto(`${reader.page.url()}/restore`)
      await reader.page.getByRole('heading', { level: 1, name: 'first.csv' }).waitFor()
      await reader.expectGood()
      await reader.end()
    })
  })
})
