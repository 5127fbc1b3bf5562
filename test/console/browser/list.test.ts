import { beforeEach, expect, it } from 'vitest'
import { button, filter, heading, input, isFocused, link, said } from './steps'
import { translate } from './translation'
import { describeInBrowser, NEW_PAGE, PHONE, type Visit, visitAt } from './visit'
import { callService, DATASETS, filledWorkspace, storedRecord, writeRecords } from './workspaces'

const PAGE = 25

/** Active records of the catalog below. */
const ACTIVE = 60

/** Sixty active medications and one that is not. */
const medications = () => [
  ...Array.from({ length: ACTIVE - 1 }, (_, place) => ({
    medication_id: `M${place}`,
    name: `Tablet ${place}`,
    strength: `${place + 1} mg`,
    ...(place === 1 || place === 2 ? { form_name: ['Tablet', 'TABS'][place - 1] } : {}),
  })),
  { medication_id: 'C1', name: 'Crème Éxtra', aliases: ['Błękit'], manufacturer: 'Lab Ø', sku: 'SKU-77' },
  { medication_id: 'OLD', name: 'Withdrawn', is_active: false },
]

const select = ({ page }: Visit, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })

/** The names in the list on a phone. */
const namesIn = ({ page }: Visit) =>
  page.getByRole('list', { name: 'Medications' }).getByRole('listitem').getByRole('link').allInnerTexts()

const queryOf = ({ page }: Visit) => new URL(page.url()).search

describeInBrowser('the list of records', (browser) => {
  let token: string
  beforeEach(async () => {
    token = await filledWorkspace('List', 'medication', medications())
  })

  it('keeps its page in the address', async () => {
    const response = await callService(token, `${DATASETS}?type=medication`)
    const names = ((await response.json()) as { items: { name: string }[] }).items.map(({ name }) => name)
    const visit = await visitAt(browser(), 'List', 'Catalog')
    const table = visit.page.getByRole('table', { name: 'Medications' })
    /** Waits until the list shows these active records, counted from 1. */
    const expectRange = async (first: number, last: number) => {
      await visit.page.getByText(`${first} to ${last} of ${ACTIVE}`).waitFor()
      await expect.poll(() => table.getByRole('link').allInnerTexts()).toEqual(names.slice(first - 1, last))
    }
    await said(visit, `${ACTIVE} active medications`)
    await expectRange(1, PAGE)
    await button(visit, 'Page 2').click()
    await expectRange(PAGE + 1, 2 * PAGE)
    expect(queryOf(visit)).toBe('?page=2')
    await visit.page.reload()
    await expectRange(PAGE + 1, 2 * PAGE)
    const name = names[PAGE + 3]!
    await link(visit, name).click()
    await heading(visit, name)
    await link(visit, 'All medications').click()
    await expectRange(PAGE + 1, 2 * PAGE)
  })

  it('keeps search and filters in the address', async () => {
    const visit = await visitAt(browser(), 'List', 'Catalog')
    const search = input(visit, 'Search')
    const table = visit.page.getByRole('table', { name: 'Medications' })
    await said(visit, `${ACTIVE} active medications`)
    await search.fill('extra creme')
    await visit.page.waitForURL('**/catalog?q=extra+creme')
    await said(visit, '1 medication found')
    expect(await table.getByRole('link').allInnerTexts()).toEqual(['Crème Éxtra'])
    await button(visit, 'Clear the search').click()
    await said(visit, `${ACTIVE} active medications`)
    expect([await search.inputValue(), await isFocused(search)]).toEqual(['', true])
    await search.fill('withdrawn')
    await visit.page.getByText('No medication matches “withdrawn”').waitFor()
    await button(visit, 'Show inactive records too').click()
    await said(visit, '1 medication found')
    expect(queryOf(visit)).toBe('?q=withdrawn&inactive=1')
    await search.fill('tabelt 17')
    const similar = visit.page.getByRole('region', { name: 'Similar names' })
    await similar.getByRole('link', { name: 'Tablet 17' }).waitFor()
    await visit.expectGood()
  })

  it('leads to the upload if there are no records', async () => {
    const visit = await visitAt(browser(), 'List', 'Catalog')
    await visit.follow('/console/diagnosis/catalog')
    await visit.page.getByText('There are no active diagnoses').waitFor()
    await link(visit, 'Upload diagnoses').click()
    await visit.page.getByText('Drop a file with diagnoses here').waitFor()
  })

  it('counts selected records, including those of other searches, in a page translated by the browser', async () => {
    const visit = await visitAt(browser(), 'List', 'Catalog', NEW_PAGE)
    const selected = visit.page.getByRole('region', { name: 'Selected records' }).getByRole('status')
    await translate(visit.page)
    await visit.follow('/console/medication/catalog?q=tablet+1')
    for (const count of [1, 2, 3]) {
      await select(visit, `Tablet ${9 + count}`).check()
      await expect.poll(() => selected.innerText()).toMatch(new RegExp(`${count} medications? selected`))
    }
    // The three of another search are selected, but these two are not.
    await visit.follow('/console/medication/catalog?form=tablet')
    await visit.page.getByText('2 medications found').waitFor()
    await visit.page.getByRole('button', { name: 'Select all 2 found' }).click()
    await expect.poll(() => selected.innerText()).toContain('5 medications selected')
    expect(await visit.page.getByRole('button', { name: 'Select all 2 found' }).count()).toBe(0)
  })

  it('is filtered and sorted on a phone', async () => {
    const visit = await visitAt(browser(), 'List', 'Catalog', PHONE)
    const listed = () => namesIn(visit)
    await said(visit, `${ACTIVE} active medications`)
    await visit.page.getByRole('button', { name: /^Filters/, expanded: false }).click()
    await filter(visit, 'Dosage form').selectOption('Tablet')
    await said(visit, '2 medications found')
    expect(await listed()).toEqual(['Tablet 2', 'Tablet 1'])
    await visit.expectFits()
    await button(visit, 'Clear filters').click()
    await said(visit, `${ACTIVE} active medications`)
    expect(queryOf(visit)).toBe('')
    await filter(visit, 'Sort by').selectOption('Name Z–A')
    await expect.poll(async () => (await listed())[0], { timeout: 30_000 }).toBe('Tablet 9')
    expect(queryOf(visit)).toBe('?sort=-name')
  })

  it("shows other users' changes before it deactivates the selected records", async () => {
    const visit = await visitAt(browser(), 'List', 'Catalog', PHONE)
    const states = async () => {
      const stored = await Promise.all(['M50', 'M40'].map((id) => storedRecord(token, 'medication', id)))
      return stored.map(({ is_active }) => is_active)
    }
    const before = await storedRecord(token, 'medication', 'M50')
    await select(visit, 'Tablet 50').check()
    await select(visit, 'Tablet 40').check()
    await visit.page.getByText('2 medications selected').waitFor()
    const dialog = visit.page.getByRole('dialog', { name: 'Deactivate 2 medications?' })
    await button(visit, 'Deactivate').click()
    await dialog.getByText('This would deactivate 2 medications').waitFor()
    const named = dialog.getByRole('list', { name: 'Changed records' }).getByRole('listitem')
    await expect
      .poll(() => named.allInnerTexts())
      .toEqual([expect.stringMatching(/^Tablet 50\s*M50/), expect.stringMatching(/^Tablet 40\s*M40/)])
    // Another user changes one of them in the meantime. That is shown first, and is not overwritten.
    await writeRecords(token, 'medication', [{ ...before, sku: 'changed' }])
    await dialog.getByRole('button', { name: 'Deactivate 2' }).click()
    await dialog.getByText('Someone else has just changed the catalog').waitFor()
    expect(await states()).toEqual([true, true])
    await dialog.getByRole('button', { name: 'Deactivate 2' }).click()
    await said(visit, '2 medications deactivated.')
    expect(await states()).toEqual([false, false])
    await button(visit, 'Undo').click()
    await said(visit, '2 medications active again.')
    expect(await states()).toEqual([true, true])
    expect(await storedRecord(token, 'medication', 'M50')).toMatchObject({ sku: 'changed', strength: '51 mg' })
  })

  it('deactivates all records found by a search after the user types their number', async () => {
    const visit = await visitAt(browser(), 'List', 'Catalog', PHONE)
    const tablets = ACTIVE - 1
    await visit.follow('/console/medication/catalog?q=tablet')
    await said(visit, `${tablets} medications found`)
    await select(visit, (await namesIn(visit))[0]!).check()
    await button(visit, `Select all ${tablets} found`).click()
    await visit.page.getByText(`${tablets} medications selected`).waitFor()
    await button(visit, 'Deactivate').click()
    const all = visit.page.getByRole('dialog', { name: `Deactivate ${tablets} medications?` })
    await all.getByText(`This would deactivate ${tablets} medications`).waitFor()
    const confirm = all.getByRole('button', { name: 'Deactivate' })
    expect(await confirm.isDisabled()).toBe(true)
    await all.getByRole('textbox', { name: 'To continue, type the number' }).fill(String(tablets))
    await confirm.click()
    await said(visit, `${tablets} medications deactivated.`)
    const left = await callService(token, `${DATASETS}?type=medication&q=Tablet`)
    expect(((await left.json()) as { total: number }).total).toBe(0)
  })
})
