import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileForm } from './files'
import { DESKTOP, PHONE } from './pages'
import { button, heading, input, link, said } from './record-pages'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { callService, DATASETS, newWorkspace, programToken, VIEWER, writeRecords } from './workspaces'

const HEADER = ['symptom_id', 'name']

describeInBrowser('somebody who may only read', (browser) => {
  let token: string
  let visit: Visit
  beforeAll(async () => {
    token = await programToken(await newWorkspace('Reading'))
  })

  describe('an empty workspace, on a phone', () => {
    beforeAll(async () => {
      visit = await visitAt(browser(), 'Reading', 'Overview', { ...PHONE, account: VIEWER })
    })
    afterAll(() => visit.end())

    it('is offered no upload, and told in the empty list whom to ask', async () => {
      await visit.page.getByText('No medications yet.').waitFor()
      expect(await visit.page.getByRole('link', { name: /^Upload/ }).count()).toBe(0)
      await visit.open('Catalog')
      await visit.page.getByText('An editor or admin of the workspace can upload a file.').waitFor()
      expect(await link(visit, 'Upload medications').count()).toBe(0)
    })

    it('finds no upload in the empty history', async () => {
      await visit.open('History')
      await visit.page.getByText('No medications were written yet').waitFor()
      expect(await link(visit, 'Upload medications').count()).toBe(0)
    })

    it('sees the history once something is written, without a way to change anything', async () => {
      const first = [HEADER, ['S1', 'Cough'], ['S2', 'Fever'], ['S3', 'Itch']]
      await writeRecords(token, 'symptom', fileForm('first.csv', first))
      const second = [HEADER, ['S1', 'Dry cough'], ['S3', 'Itching'], ['S4', 'Rash']]
      await writeRecords(token, 'symptom&mode=reconcile', fileForm('second.csv', second))
      await visit.follow('/console/symptom/history')
      const list = visit.page.getByRole('list', { name: 'History', exact: true })
      await list.getByText('1 deactivated, 1 added, 2 updated').waitFor()
      expect(await visit.page.getByRole('link', { name: /^Undo/ }).count()).toBe(0)
      await list.getByRole('listitem').last().getByRole('link').first().click()
      await heading(visit, 'first.csv')
      await visit.page.getByText('Record by record').waitFor()
      expect(await visit.page.getByRole('link', { name: /Go back|Undo/ }).count()).toBe(0)
      await visit.follow(`${visit.page.url()}/undo`)
      await visit.page.getByText('This page is for editors and admins').waitFor()
      await visit.expectGood()
    })
  })

  describe('a filled catalog, at a desk', () => {
    beforeAll(async () => {
      await writeRecords(token, 'medication', [{ medication_id: 'A', name: 'Aspirin' }])
      await callService(token, `${DATASETS}search-status/?type=medication`, { enabled: true })
      visit = await visitAt(browser(), 'Reading', 'Catalog', { ...DESKTOP, account: VIEWER })
    })
    afterAll(() => visit.end())

    it('sees the list and the records, and no way to write', async () => {
      await said(visit, '1 active medication')
      await button(visit, 'Download').waitFor()
      expect(await visit.page.getByRole('checkbox').count()).toBe(0)
      expect(await link(visit, 'New medication').count()).toBe(0)
      const pages = visit.page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
      expect(await pages.allInnerTexts()).toEqual(['Overview', 'Catalog', 'History', 'Partner search'])
      await link(visit, 'Aspirin').click()
      await heading(visit, 'Aspirin')
      expect(await link(visit, 'Edit').count()).toBe(0)
    })

    it('can try the partner search, and not switch it', async () => {
      const card = (name: string) => visit.page.getByRole('region', { name, exact: true })
      await visit.open('Partner search')
      await card('Medications').getByText('On', { exact: true }).waitFor()
      await card('Symptoms').getByText('Off', { exact: true }).waitFor()
      expect(await visit.page.getByRole('switch').count()).toBe(0)
      await input(visit, 'Search medications').fill('asp')
      await visit.page.getByText('1 match in your own catalog').waitFor()
    })

    it('sees neither uploads nor keys nor forms, also at their addresses', async () => {
      for (const [address, who] of [
        ['/console/medication/upload', 'editors and admins'],
        ['/console/developers', 'admins'],
        ['/console/medication/catalog/A/edit', 'editors and admins'],
        ['/console/medication/catalog?new=1', 'editors and admins'],
      ]) {
        await visit.follow(address!)
        await visit.page.getByText(`This page is for ${who}`, { exact: true }).waitFor()
        await visit.page.getByText('Viewer: reads the catalogs and tries the search.').waitFor()
      }
      await visit.page.getByRole('button', { name: `account of ${VIEWER}` }).click()
      await visit.page.getByRole('menu').getByText('Viewer: reads the catalogs and tries the search.').waitFor()
      await visit.expectGood()
    })
  })
})
