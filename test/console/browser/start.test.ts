import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvFile } from './files'
import { PHONE } from './pages'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { ADMIN, callService, DATASETS, newWorkspace, programToken, writeRecords } from './workspaces'

const card = (visit: Visit, name: string) => visit.page.getByRole('region', { name, exact: true })

describeInBrowser('the overview', (browser) => {
  describe('of a workspace, on a phone', () => {
    let visit: Visit
    let token: string
    const overview = () => visit.open('Overview')

    beforeAll(async () => {
      token = await programToken(await newWorkspace('Overview'))
      visit = await visitAt(browser(), 'Overview', 'Overview', PHONE)
    })
    afterAll(() => visit.end())

    it('comes first, says who one is, and leads from an empty catalog to the first upload', async () => {
      await visit.page.getByText('The catalogs of Overview.').waitFor()
      await visit.page.getByText(`You are logged in as ${ADMIN}. Your role is admin`).waitFor()
      for (const name of ['Medications', 'Lab tests', 'Symptoms', 'Diagnoses']) {
        await card(visit, name)
          .getByText(/^No .* yet\.$/)
          .waitFor()
      }
      await visit.expectGood()
      await visit.page.getByRole('link', { name: 'Upload medications' }).press('Enter')
      await visit.page.getByRole('heading', { level: 1, name: 'Upload' }).waitFor()
    })

    it('says how many records there are, who changed them last, and what partners find', async () => {
      await visit.page.locator('input[type=file]').setInputFiles(
        csvFile('first.csv', [
          ['medication_id', 'name'],
          ['M1', 'Aspirin'],
          ['M2', 'Ibuprofen'],
        ]),
      )
      await visit.page.getByRole('button', { name: 'Add 2' }).click()
      await visit.page.getByText('The medications are up to date').waitFor()
      await writeRecords(token, 'symptom', [
        { symptom_id: 'S1', name: 'Cough' },
        { symptom_id: 'S2', name: 'Old cough', is_active: false },
      ])
      await overview()
      const medications = card(visit, 'Medications')
      await medications.getByText('2', { exact: true }).waitFor()
      await medications.getByText(`by ${ADMIN}`).waitFor()
      await medications.getByText('Partner search is off').waitFor()
      const symptoms = card(visit, 'Symptoms')
      await symptoms.getByText('active, 1 inactive').waitFor()
      await symptoms.getByText('by Nightly sync').waitFor()
      await visit.expectGood()
      await medications.getByRole('link', { name: 'first.csv' }).click()
      await visit.page.getByRole('heading', { level: 1, name: 'first.csv' }).waitFor()
    })

    it('knows a write that changed nothing from the last change', async () => {
      await writeRecords(token, 'medication', [{ medication_id: 'M1', name: 'Aspirin' }])
      await visit.page.goto('/console/start')
      await card(visit, 'Medications').getByText('without a change').waitFor()
    })

    it('says when partners find the records of a catalog', async () => {
      const on = await callService(token, `${DATASETS}search-status/?type=medication`, { enabled: true })
      expect(on.status).toBe(200)
      await visit.page.reload()
      await card(visit, 'Medications').getByText('Partner search is on').waitFor()
      await card(visit, 'Symptoms').getByRole('link', { name: 'History of the symptoms' }).click()
      await visit.page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
      expect(new URL(visit.page.url()).pathname).toBe('/console/symptom/history')
    })
  })
})
