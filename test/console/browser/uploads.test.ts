import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { fileForm } from './files'
import { button, heading } from './steps'
import { describeInBrowser, visitAt } from './visit'
import { callService, DATASETS, newWorkspace, programToken, storedRecord } from './workspaces'

const MEDICATIONS = '/admin/catalogs/v1/medication'

/** The nightly file of an integration: the whole catalog. @returns the status of the response */
async function night(token: string, name: string, ...ids: string[]): Promise<number> {
  const rows = [['medication_id', 'name'], ...ids.map((id) => [id, `Tablet ${id}`])]
  const path = `${DATASETS}?type=medication&mode=reconcile&keep_missing=true`
  return (await callService(token, path, fileForm(name, rows))).status
}

/** A workspace with a nightly file, and pending uploads: each would deactivate everything that the file has written. */
async function begin(browser: Browser, ...pending: string[]) {
  const token = await programToken(await newWorkspace('Nights'))
  expect((await callService(token, `${MEDICATIONS}/watch`, { every_hours: 24 }, 'PUT')).status).toBe(200)
  expect(await night(token, 'sunday.csv', 'A', 'B', 'C', 'D')).toBe(200)
  for (const name of pending) expect(await night(token, name, name)).toBe(409)
  expect((await callService(token, `${DATASETS}?type=symptom`, [{ symptom_id: 'S1' }])).status).toBe(400)
  const visit = await visitAt(browser, 'Nights', 'Overview')
  const { page } = visit
  return {
    ...{ visit, page, token },
    card: (name: string) => page.getByRole('region', { name, exact: true }),
    openHeld: async (name: string) => {
      await visit.open('History')
      await page.getByLabel('What is listed').selectOption('held')
      await page.getByRole('row').filter({ hasText: name }).getByRole('link').click()
      await heading(visit, name)
    },
    discard: async () => {
      await button(visit, 'Discard').click()
      await page.getByRole('dialog').getByText('The file is deleted and never written.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Discard the file' }).click()
    },
  }
}

describeInBrowser('a pending upload', (browser) => {
  it('is on the overview', async () => {
    const { card } = await begin(browser(), 'monday.csv', 'tuesday.csv', 'wednesday.csv')
    await card('Medications').getByText('Awaiting approval: it would deactivate 4 of 4').waitFor()
    await card('Medications').getByRole('link', { name: '2 other pending uploads' }).waitFor()
  })

  it('is approved after the user types its number', async () => {
    const { visit, page, token } = await begin(browser(), 'monday.csv')
    await page.getByRole('link', { name: /^Awaiting approval/ }).click()
    await heading(visit, 'monday.csv')
    await page.locator('#preview').waitFor()
    await page.getByText('Fields without a column keep their values.').waitFor()
    const { name, bytes } = await visit.download(() => button(visit, 'Download the file').click())
    expect([name, bytes.toString()]).toEqual(['monday.csv', 'medication_id,name\r\nmonday.csv,Tablet monday.csv'])
    const approve = button(visit, 'Approve: add 1, deactivate 4')
    expect(await approve.isDisabled()).toBe(true)
    await page.getByLabel('type the number of medications').fill('4')
    await approve.click()
    await page.getByText('The file is written.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent ?? '')).toMatch(/^Approved/)
    expect(await storedRecord(token, 'medication', 'A')).toMatchObject({ is_active: false })
    await page.getByText('Approved and written').waitFor()
  })

  it('is discarded after a question', async () => {
    const { page, openHeld, discard } = await begin(browser(), 'monday.csv')
    await openHeld('monday.csv')
    await discard()
    await page.getByText('The file is deleted. The medications are as they were.').waitFor()
  })

  it('shows that another user has discarded it', async () => {
    const { page, token, openHeld, discard } = await begin(browser(), 'monday.csv')
    await openHeld('monday.csv')
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    expect((await callService(token, `${MEDICATIONS}/uploads/${id}`, undefined, 'DELETE')).status).toBe(200)
    await discard()
    await page.getByText('The file was discarded in the meantime.').waitFor()
  })
})

describeInBrowser('a rejected upload', (browser) => {
  it('is on the overview, with its errors by kind', async () => {
    const { page, card } = await begin(browser())
    await card('Symptoms').getByText('Rejected: name is missing in 1 record').click()
    await page.getByText('Of one kind. No value of a record is kept.').waitFor()
  })
})
