import { expect, it } from 'vitest'
import { fileForm } from './files'
import { PHONE } from './pages'
import { heading } from './record-pages'
import { describeInBrowser, visitAt } from './visit'
import { ADMIN, callService, DATASETS, newWorkspace, programToken, writeRecords } from './workspaces'

describeInBrowser('the overview of a workspace, on a phone', (browser) => {
  it('says who one is, how many records there are, who changed them last, and what partners find', async () => {
    const token = await programToken(await newWorkspace('Overview'))
    const visit = await visitAt(browser(), 'Overview', 'Overview', PHONE)
    const card = (name: string) => visit.page.getByRole('region', { name, exact: true })
    await visit.page.getByText('The catalogs of Overview.').waitFor()
    await visit.page.getByText(`You are logged in as ${ADMIN}. Your role is admin`).waitFor()
    for (const name of ['Medications', 'Lab tests', 'Symptoms', 'Diagnoses'])
      await card(name)
        .getByText(/^No .* yet\.$/)
        .waitFor()
    await visit.page.getByRole('link', { name: 'Upload medications' }).press('Enter')
    await heading(visit, 'Upload')

    const records = ['Aspirin', 'Ibuprofen'].map((name, place) => ({ medication_id: `M${place}`, name }))
    await writeRecords(token, 'medication', records)
    await writeRecords(token, 'medication', records)
    const rows = [
      ['symptom_id', 'name', 'is_active'],
      ['S1', 'Cough', 'yes'],
      ['S2', 'Old cough', 'no'],
    ]
    await writeRecords(token, 'symptom', fileForm('first.csv', rows))
    const on = await callService(token, `${DATASETS}search-status/?type=medication`, { enabled: true })
    expect(on.status).toBe(200)
    await visit.page.goto('/console/start')
    await card('Medications').getByText('2', { exact: true }).waitFor()
    await card('Medications').getByText('without a change').waitFor()
    await card('Medications').getByText('Partner search is on').waitFor()
    await card('Symptoms').getByText('active, 1 inactive').waitFor()
    await card('Symptoms').getByText('by Nightly sync').waitFor()
    await card('Symptoms').getByRole('link', { name: 'first.csv' }).waitFor()
    await card('Symptoms').getByText('Partner search is off').waitFor()
    await visit.expectGood()
    await card('Symptoms').getByRole('link', { name: 'History of the symptoms' }).click()
    await heading(visit, 'History')
    expect(new URL(visit.page.url()).pathname).toBe('/console/symptom/history')
    await visit.end()
  })
})
