import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { fileForm } from './files'
import { button, heading, link, said } from './steps'
import { DESKTOP, describeInBrowser, visitAt } from './visit'
import { callService, DATASETS, newWorkspace, programToken, VIEWER, writeRecords } from './workspaces'

const HEADER = ['symptom_id', 'name']

/** A viewer opens a page of a workspace with two writes of symptoms, and one medication that partners find. */
async function begin(browser: Browser, place: 'Overview' | 'Partner search' = 'Overview') {
  const token = await programToken(await newWorkspace('Reading'))
  const first = [HEADER, ['S1', 'Cough'], ['S2', 'Fever'], ['S3', 'Itch']]
  await writeRecords(token, 'symptom', fileForm('first.csv', first))
  const second = [HEADER, ['S1', 'Dry cough'], ['S3', 'Itching'], ['S4', 'Rash']]
  await writeRecords(token, 'symptom&mode=reconcile', fileForm('second.csv', second))
  await writeRecords(token, 'medication', [{ medication_id: 'A', name: 'Aspirin' }])
  await callService(token, `${DATASETS}search-status/?type=medication`, { enabled: true })
  const visit = await visitAt(browser, 'Reading', place, { ...DESKTOP, account: VIEWER })
  return { visit, page: visit.page }
}

describeInBrowser('a user with read access only', (browser) => {
  it('has no pages with changes', async () => {
    const { page } = await begin(browser())
    await page.getByText('No diagnoses yet.').waitFor()
    expect(await page.getByRole('link', { name: /^Upload/ }).count()).toBe(0)
    const pages = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    expect(await pages.allInnerTexts()).toEqual(['Overview', 'Catalog', 'History', 'Partner search'])
  })

  it('sees the history without ways to undo or restore', async () => {
    const { visit, page } = await begin(browser())
    await visit.follow('/console/symptom/history')
    await page.getByText('1 deactivated, 1 added, 2 updated').waitFor()
    expect(await page.getByRole('link', { name: /^Undo/ }).count()).toBe(0)
    await page.getByRole('table', { name: 'History' }).getByRole('row').last().getByRole('link').first().click()
    await heading(visit, 'first.csv')
    await page.getByText('Record by record').waitFor()
    expect(await page.getByRole('link', { name: /Restore|Undo/ }).count()).toBe(0)
    await visit.follow(`${page.url()}/undo`)
    await page.getByText('This page is for editors and admins', { exact: true }).waitFor()
  })

  it('learns who may use a page that is only for others', async () => {
    const { visit, page } = await begin(browser())
    for (const [address, who] of [
      ['/console/medication/upload', 'editors and admins'],
      ['/console/developers', 'admins'],
      ['/console/medication/catalog/A/edit', 'editors and admins'],
      ['/console/medication/catalog?new=1', 'editors and admins'],
    ] as const) {
      await visit.follow(address)
      await page.getByText(`This page is for ${who}`, { exact: true }).waitFor()
      await page.getByText('Viewer: can read the catalogs and try the search.').waitFor()
    }
  })

  it('sees records without ways to change them', async () => {
    const { visit, page } = await begin(browser())
    await visit.follow('/console/medication/catalog')
    await said(visit, '1 active medication')
    await button(visit, 'Download').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await link(visit, 'New medication').count()).toBe(0)
    await link(visit, 'Aspirin').click()
    await heading(visit, 'Aspirin')
    expect(await link(visit, 'Edit').count()).toBe(0)
  })

  it('sees whether partner search is on without a switch', async () => {
    const { page } = await begin(browser(), 'Partner search')
    const card = page.getByRole('region', { name: 'Medications', exact: true })
    await card.getByText('On', { exact: true }).waitFor()
    expect(await page.getByRole('switch').count()).toBe(0)
  })
})
