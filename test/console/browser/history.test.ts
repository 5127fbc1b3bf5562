import { afterAll, beforeAll, expect, it } from 'vitest'
import { fileForm } from './files'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { newWorkspace, programToken, writeRecords } from './workspaces'

const HEADER = ['symptom_id', 'name']

/** Two files, records that are what they were, and a record with another name. */
async function fourWrites(token: string): Promise<void> {
  const first = [HEADER, ['S1', 'Cough'], ['S2', 'Fever'], ['S3', 'Nausea'], ['S5', 'Itch']]
  await writeRecords(token, 'symptom', fileForm('first.csv', first))
  const second = [HEADER, ['S1', 'Dry cough'], ['S2', 'Fever'], ['S4', 'Rash'], ['S5', 'Itching']]
  await writeRecords(token, 'symptom&mode=reconcile', fileForm('second.csv', second))
  await writeRecords(token, 'symptom', [{ symptom_id: 'S4', name: 'Rash' }])
  await writeRecords(token, 'symptom', [{ symptom_id: 'S4', name: 'Red rash' }])
}

const spaced = (texts: readonly string[]) => texts.map((text) => text.replace(/\s+/g, ' '))

describeInBrowser('the history of a catalog', (browser) => {
  let visit: Visit
  let token: string
  const entries = () =>
    visit.page.getByRole('table', { name: 'History', exact: true }).getByRole('row').filter({ hasText: ':' })
  const total = (text: string) => visit.page.getByRole('status').getByText(text, { exact: true }).waitFor()

  beforeAll(async () => {
    token = await programToken(await newWorkspace('History'))
    visit = await visitAt(browser(), 'History', 'History')
  })
  afterAll(() => visit.end())

  it('is empty as long as nothing was written, and leads to the upload', async () => {
    await visit.page.goto('/console/symptom/history')
    await visit.page.getByText('No symptoms were written yet').waitFor()
    await total('0 entries')
    await visit.page.getByRole('link', { name: 'Upload symptoms' }).click()
    await visit.page.getByText('Drop a file with symptoms here').waitFor()
  })

  it('says in words who wrote what, and what became of the records, without zeros', async () => {
    await fourWrites(token)
    await visit.page.goto('/console/symptom/history')
    await total('4 entries')
    await visit.page.getByText('by Nightly sync').first().waitFor()
    const [renamed, same, second, first] = spaced(await entries().allInnerTexts())
    expect(renamed).toMatch(/by Nightly sync Transfer by a program Red rash S4 Name: Rash → Red rash Undo/)
    expect(same).toContain('Nothing changed: 1 record was the same')
    expect(same).not.toMatch(/Undo/)
    expect(second).toContain('second.csv Replace the whole catalog')
    expect(second).toContain('1 deactivated, 1 added, 2 updated, 1 unchanged')
    expect(first).toMatch(/first\.csv Add and update, .* 4 added Undo this upload/)
    await visit.expectGood()
  })

  it('shows of each entry what it did, record by record, also as a file', async () => {
    await entries().nth(2).getByRole('link').first().click()
    await visit.page.getByRole('heading', { level: 1, name: 'second.csv' }).waitFor()
    const shown = visit.page.getByRole('table', { name: 'Changed records' }).getByRole('row').filter({ hasText: /S\d/ })
    await shown.first().waitFor()
    expect(spaced(await shown.allInnerTexts())).toEqual([
      expect.stringContaining('Name: Cough → Dry cough'),
      expect.stringContaining('Deactivated'),
      expect.stringContaining('Name: Itch → Itching'),
      expect.stringContaining('Added'),
    ])
    for (const way of ['Go back to this point', 'Undo this upload'])
      await visit.page.getByRole('link', { name: way, exact: true }).waitFor()
    const file = await visit.download(() => visit.page.getByRole('button', { name: 'Download the full list' }).click())
    expect(file.name).toBe('symptom-changes.csv')
    expect(file.bytes.toString('utf8')).toContain('updated,S1,Dry cough,name,Cough,Dry cough')
    await visit.page.getByRole('link', { name: 'Dry cough' }).click()
    await visit.page.getByRole('heading', { level: 1, name: 'Dry cough' }).waitFor()
  })

  it('is on the page of a record too: who, when, old and new', async () => {
    const history = visit.page.getByRole('region', { name: 'History' })
    const versions = history.getByRole('list').getByRole('listitem')
    await versions.first().waitFor()
    expect(spaced(await versions.allInnerTexts())).toEqual([
      expect.stringMatching(/Updated by Nightly sync Name: Cough → Dry cough/),
      expect.stringMatching(/Added by Nightly sync Name: Cough/),
    ])
    await versions.last().getByRole('link').click()
    await visit.page.getByRole('heading', { level: 1, name: 'first.csv' }).waitFor()
  })

  it('says so if an address names no entry, and shows nothing of other catalogs', async () => {
    await visit.follow(`/console/symptom/history/${crypto.randomUUID()}`)
    await visit.page.getByText('There is no such entry').waitFor()
    await visit.follow('/console/diagnosis/history')
    await visit.page.getByText('No diagnoses were written yet').waitFor()
  })
})
