import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvFile } from './files'
import { DESKTOP, describeInBrowser, PHONE, type Visit, visitAt } from './visit'
import { ADMIN, newWorkspace, programToken, VIEWER, writeRecords } from './workspaces'

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
      await visit.page.getByRole('button', { name: 'Add 3' }).click()
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

    it('are led to at their last page where an address names one behind it', async () => {
      await visit.page.goto('/console/symptom/batches?page=999')
      await expect.poll(fileNames).toEqual(['first.csv'])
      expect(new URL(visit.page.url()).search).toBe('?page=2')
      await visit.page.getByText(`${PAGE + 1} to ${PAGE + 1} of ${PAGE + 1}`).waitFor()
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
