import { afterAll, beforeAll, expect, it } from 'vitest'
import { fileForm } from './files'
import { DESKTOP, PHONE } from './pages'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { callService, DATASETS, newWorkspace, programToken, service, storedRecord } from './workspaces'

const MEDICATIONS = '/admin/catalogs/v1/medication'

/** The nightly file of a program: the whole catalog. */
const night = (token: string, name: string, ...ids: string[]): Promise<Response> => {
  const rows = [['medication_id', 'name'], ...ids.map((id) => [id, `Tablet ${id}`])]
  return callService(token, `${DATASETS}?type=medication&mode=reconcile&keep_missing=true`, fileForm(name, rows))
}

const call = (token: string, method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${service().origin}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

describeInBrowser('the nights of a workspace with files that wait', (browser) => {
  let visit: Visit
  let token: string
  const card = (name: string) => visit.page.getByRole('region', { name, exact: true })
  const press = (name: string | RegExp) => visit.page.getByRole('button', { name }).click()
  const focused = () => visit.page.evaluate(() => document.activeElement?.textContent ?? '')
  const inDialog = (name: string) => visit.page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  /** Files that wait, from the list. */
  const openHeld = async (name: string) => {
    await visit.open('History')
    await visit.page.getByLabel('What is listed').selectOption('held')
    await visit.page.getByRole('row').filter({ hasText: name }).getByRole('link').click()
    await visit.page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }

  beforeAll(async () => {
    token = await programToken(await newWorkspace('Nights'))
    expect((await call(token, 'PUT', `${MEDICATIONS}/watch`, { every_hours: 24 })).status).toBe(200)
    expect((await night(token, 'sunday.csv', 'A', 'B', 'C', 'D')).status).toBe(200)
    for (const name of ['monday.csv', 'tuesday.csv', 'wednesday.csv']) {
      expect((await night(token, name, name)).status).toBe(409)
    }
    const invalid = await callService(token, `${DATASETS}?type=symptom`, [{ symptom_id: 'S1' }])
    expect(invalid.status).toBe(400)
  })
  afterAll(() => visit.end())

  it('are told on the overview, with one question for all catalogs', async () => {
    visit = await visitAt(browser(), 'Nights', 'Catalog', DESKTOP)
    const asked: string[] = []
    visit.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/(admin|medical-db)\//.test(pathname)) asked.push(pathname)
    })
    await visit.page.goto('/console/start')
    await card('Medications').getByText('A file waits: it would deactivate 4 of 4').waitFor()
    await card('Medications').getByRole('link', { name: '2 other files wait' }).waitFor()
    await card('Symptoms').getByText('Refused: name is missing in 1 record').waitFor()
    expect(asked.sort()).toEqual(['/admin/catalogs/v1/', '/admin/workspace/v1/programs'])
  })

  it('are approved after their number of deactivations is typed', async () => {
    await card('Medications')
      .getByRole('link', { name: /^A file waits/ })
      .click()
    await visit.page.getByRole('heading', { level: 1, name: 'wednesday.csv' }).waitFor()
    await visit.page.locator('#preview').waitFor()
    await visit.page.getByText('Fields without a column keep their values.').waitFor()
    const { name, bytes } = await visit.download(() => press('Download the file'))
    expect([name, bytes.toString()]).toEqual([
      'wednesday.csv',
      'medication_id,name\r\nwednesday.csv,Tablet wednesday.csv',
    ])
    const approve = visit.page.getByRole('button', { name: 'Approve: add 1, deactivate 4' })
    expect(await approve.isDisabled()).toBe(true)
    await visit.expectGood()
    await visit.page.getByLabel('type the number of medications').fill('4')
    await approve.click()
    await visit.page.getByText('The file is written.').waitFor()
    await expect.poll(focused).toMatch(/^Approved/)
    expect(await storedRecord(token, 'medication', 'A')).toMatchObject({ is_active: false })
    await visit.page.getByText('Approved and written').waitFor()
    await visit.page.getByRole('link', { name: 'See what it did to each record' }).click()
    await visit.page.getByRole('heading', { name: 'Record by record' }).waitFor()
  })

  it('are found in the list by what became of them, and discarded', async () => {
    await visit.open('History')
    await visit.page.getByLabel('What is listed').selectOption('all')
    await visit.page.getByText('4 entries', { exact: true }).waitFor()
    await visit.page.getByText('by Nightly sync', { exact: true }).first().waitFor()
    await openHeld('tuesday.csv')
    await press('Discard')
    await visit.page.getByRole('dialog').getByText('The file is deleted and never written.').waitFor()
    await inDialog('Discard the file')
    await visit.page.getByText('The file is deleted. The medications are as they were.').waitFor()
    await expect.poll(focused).toMatch(/^Discarded/)
  })

  it('that somebody else has decided about in the meantime say so', async () => {
    await openHeld('monday.csv')
    await visit.page.getByRole('button', { name: /^Approve/ }).waitFor()
    const id = new URL(visit.page.url()).pathname.split('/').at(-1)
    expect((await call(token, 'DELETE', `${MEDICATIONS}/uploads/${id}`)).status).toBe(200)
    await press('Discard')
    await inDialog('Discard the file')
    await visit.page.getByText('The file was discarded meanwhile.').waitFor()
    await expect.poll(focused).toMatch(/^Somebody else has decided already/)
    await visit.page.setViewportSize(PHONE.viewport!)
    await visit.page.getByRole('link', { name: 'History of the medications' }).click()
    await visit.page.getByRole('list', { name: 'History', exact: true }).getByText('Discarded').first().waitFor()
    await visit.expectGood()
  })
})
