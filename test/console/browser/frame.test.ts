import { expect, it } from 'vitest'
import { fileForm } from './files'
import { heading } from './steps'
import { describeInBrowser, PHONE, visitAt } from './visit'
import { ADMIN, callService, DATASETS, newWorkspace, programToken, writeRecords } from './workspaces'

/** Pages, the names that screen readers announce while they load, and the requests they wait for. */
const PAGES = [
  ['Overview', 'Loading the catalogs', '**/admin/catalogs/v1/?*'],
  ['Catalog', 'Loading the list', '**/admin/datasets/v1/?*'],
  ['History', 'Loading the history', '**/admin/catalogs/v1/*/writes?*'],
  ['Partner search', 'Loading the state of medications', '**/search-status/?*'],
  ['Members', 'Loading the members', '**/admin/workspace/v1/members?*'],
] as const

describeInBrowser('the frame of the console', (browser) => {
  it('fits every page on a phone, and announces what is loading', async () => {
    const token = await programToken(await newWorkspace('Frame'))
    const record = { medication_id: 'M1', name: 'Tablet 1', aliases: ['A', 'B'] }
    for (let times = 0; times < 2; times++) await writeRecords(token, 'medication', [record])
    const rows = ['symptom_id,name,is_active', 'S1,Cough,yes', 'S2,Old cough,no'].map((line) => line.split(','))
    await writeRecords(token, 'symptom', fileForm('first.csv', rows))
    await callService(token, `${DATASETS}search-status/?type=symptom`, { enabled: true })
    const visit = await visitAt(browser(), 'Frame', 'Upload', PHONE)
    await visit.page.getByText('Drop a file with medications here').waitFor()
    await visit.expectFits()
    for (const [page, name, address] of PAGES) {
      const answer = await visit.hold(address)
      await visit.open(page)
      const status = visit.page.getByRole('status', { name })
      await status.waitFor()
      answer()
      await status.waitFor({ state: 'detached' })
      await visit.expectFits()
    }
    await visit.open('Sync monitoring')
    await visit.page.getByText('Not monitored: no one is notified if a file does not arrive.').first().waitFor()
    await visit.expectFits()
    await visit.open('Overview')
    const card = (name: string) => visit.page.getByRole('region', { name, exact: true })
    await visit.page.getByText('The catalogs of Frame.').waitFor()
    await visit.page.getByText(`You are logged in as ${ADMIN}. Your role is admin`).waitFor()
    for (const [type, ...texts] of [
      ['Medications', 'without a change', 'Partner search is off'],
      ['Symptoms', 'active, 1 inactive', 'by Nightly sync', 'first.csv', 'Partner search is on'],
      ['Diagnoses', 'No diagnoses yet.', 'Upload diagnoses'],
    ] as const)
      for (const text of texts) await card(type).getByText(text).first().waitFor()
    await visit.expectGood()
    await card('Symptoms').getByRole('link', { name: 'History of the symptoms' }).click()
    await heading(visit, 'History')
    expect(new URL(visit.page.url()).pathname).toBe('/console/symptom/history')
  })
})
