import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { fileForm } from './files'
import { heading, link } from './steps'
import { describeInBrowser, visitAt } from './visit'
import { newWorkspace, programToken, writeRecords } from './workspaces'

const HEADER = ['symptom_id', 'name']

/** Two files, unchanged records, and a record with another name. */
async function fourWrites(token: string): Promise<void> {
  const first = [HEADER, ['S1', 'Cough'], ['S2', 'Fever'], ['S3', 'Nausea'], ['S5', 'Itch']]
  await writeRecords(token, 'symptom', fileForm('first.csv', first))
  const second = [HEADER, ['S1', 'Dry cough'], ['S2', 'Fever'], ['S4', 'Rash'], ['S5', 'Itching']]
  await writeRecords(token, 'symptom&mode=reconcile', fileForm('second.csv', second))
  await writeRecords(token, 'symptom', [{ symptom_id: 'S4', name: 'Rash' }])
  await writeRecords(token, 'symptom', [{ symptom_id: 'S4', name: 'Red rash' }])
}

const spaced = (texts: readonly string[]) => texts.map((text) => text.replace(/\s+/g, ' '))

/** Opens the history of the four writes. */
async function begin(browser: Browser) {
  await fourWrites(await programToken(await newWorkspace('History')))
  const visit = await visitAt(browser, 'History', 'History')
  await visit.follow('/console/symptom/history')
  await visit.page.getByRole('status').getByText('4 entries', { exact: true }).waitFor()
  const table = visit.page.getByRole('table', { name: 'History', exact: true })
  return { visit, page: visit.page, entries: table.getByRole('row').filter({ hasText: ':' }) }
}

describeInBrowser('the history of a catalog', (browser) => {
  it('says in words who wrote what', async () => {
    const { visit, page, entries } = await begin(browser())
    await page.getByText('by Nightly sync').first().waitFor()
    const [renamed, same, second, first] = spaced(await entries.allInnerTexts())
    expect(renamed).toMatch(/by Nightly sync API import Red rash S4 Name: Rash → Red rash Undo/)
    expect(same).toContain('Nothing changed: 1 record was the same')
    expect(same).not.toMatch(/Undo/)
    expect(second).toContain('second.csv Replace the whole catalog')
    expect(second).toContain('1 deactivated, 1 added, 2 updated, 1 unchanged')
    expect(first).toMatch(/first\.csv Add and update, .* 4 added Undo this upload/)
    await visit.expectGood()
  })

  it('shows the outcome of each record for each write', async () => {
    const { visit, page, entries } = await begin(browser())
    await entries.nth(2).getByRole('link').first().click()
    await heading(visit, 'second.csv')
    const shown = page.getByRole('table', { name: 'Changed records' }).getByRole('row').filter({ hasText: /S\d/ })
    await shown.first().waitFor()
    expect(spaced(await shown.allInnerTexts())).toEqual([
      expect.stringContaining('Name: Cough → Dry cough'),
      expect.stringContaining('Deactivated'),
      expect.stringContaining('Name: Itch → Itching'),
      expect.stringContaining('Added'),
    ])
    for (const way of ['Restore this state', 'Undo this upload']) await link(visit, way).waitFor()
    const file = await visit.download(() => page.getByRole('button', { name: 'Download the full list' }).click())
    expect(file.name).toBe('symptom-changes.csv')
    expect(file.bytes.toString('utf8')).toContain('updated,S1,Dry cough,name,Cough,Dry cough')
  })

  it("is also on a record's page", async () => {
    const { visit, page } = await begin(browser())
    await visit.follow('/console/symptom/catalog/S1')
    await heading(visit, 'Dry cough')
    const versions = page.getByRole('region', { name: 'History' }).getByRole('list').getByRole('listitem')
    await versions.first().waitFor()
    expect(spaced(await versions.allInnerTexts())).toEqual([
      expect.stringMatching(/Updated by Nightly sync Name: Cough → Dry cough/),
      expect.stringMatching(/Added by Nightly sync Name: Cough/),
    ])
  })
})
