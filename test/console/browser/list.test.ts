import { afterAll, beforeAll, expect, it } from 'vitest'
import { PHONE } from './pages'
import { button, filledWorkspace, filter, heading, isFocused, link, queryOf, said, search } from './record-pages'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { callService, DATASETS, storedRecord, writeRecords } from './workspaces'

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

describeInBrowser('the list of records, at a desk', (browser) => {
  let visit: Visit
  /** The names of the active records in the order of the API. */
  let names: string[]
  const entries = () =>
    visit.page
      .getByRole('table', { name: 'Medications' })
      .getByRole('row')
      .filter({ has: visit.page.getByRole('link') })

  /** Waits until the active records from one to another, counted from 1, are listed. */
  const expectRange = async (first: number, last: number) => {
    await visit.page.getByText(`${first} to ${last} of ${ACTIVE}`).waitFor()
    await expect.poll(() => entries().getByRole('link').allInnerTexts()).toEqual(names.slice(first - 1, last))
  }

  beforeAll(async () => {
    const token = await filledWorkspace('List', 'medication', medications())
    const response = await callService(token, `${DATASETS}?type=medication`)
    names = ((await response.json()) as { items: { name: string }[] }).items.map(({ name }) => name)
    visit = await visitAt(browser(), 'List', 'Catalog')
  })
  afterAll(() => visit.end())

  it('keeps the page in the address: reload, a record and the way back lead to the same part', async () => {
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
    await visit.page.goBack()
    await visit.page.goBack()
    await expectRange(PAGE + 1, 2 * PAGE)
  })

  it('says which part is shown for as long as the next one is not there; behind the last page is the last one', async () => {
    const answer = await visit.hold('**/*offset=50*')
    await visit.follow('/console/medication/catalog?page=2')
    await expectRange(PAGE + 1, 2 * PAGE)
    const asked = visit.page.waitForRequest('**/*offset=50*')
    await button(visit, 'Next page').click()
    await asked
    expect(queryOf(visit)).toBe('?page=3')
    await expectRange(PAGE + 1, 2 * PAGE)
    answer()
    await expectRange(2 * PAGE + 1, ACTIVE)
    await visit.follow('/console/medication/catalog?page=99')
    await visit.page.waitForURL('**/catalog?page=3')
    await expectRange(2 * PAGE + 1, ACTIVE)
  })

  it('finds as somebody types, whatever the accents, and shows all records when the search is cleared', async () => {
    await visit.follow('/console/medication/catalog')
    await search(visit).pressSequentially('extra creme')
    // The first letters find it too.
    await visit.page.waitForURL('**/catalog?q=extra+creme')
    await said(visit, '1 medication found')
    expect(await entries().getByRole('link').allInnerTexts()).toEqual(['Crème Éxtra'])
    await button(visit, 'Clear the search').click()
    await said(visit, `${ACTIVE} active medications`)
    expect(await search(visit).inputValue()).toBe('')
    expect(await isFocused(search(visit))).toBe(true)
  })

  it('says when nothing is found, and shows inactive records only to those who ask for them', async () => {
    await search(visit).fill('withdrawn')
    await visit.page.getByText('No medication matches “withdrawn”').waitFor()
    await button(visit, 'Show inactive records too').click()
    await said(visit, '1 medication found')
    await entries().filter({ hasText: 'Withdrawn' }).getByText('Inactive', { exact: true }).waitFor()
    await search(visit).fill('')
    await said(visit, `${ACTIVE + 1} medications`)
    expect(queryOf(visit)).toBe('?inactive=1')
    await filter(visit, 'State').selectOption('Active')
    await said(visit, `${ACTIVE} active medications`)
    expect(queryOf(visit)).toBe('')
    await search(visit).fill('tabelt 17')
    const similar = visit.page.getByRole('region', { name: 'Similar names' })
    await similar.getByRole('link', { name: 'Tablet 17' }).waitFor()
    await visit.expectGood()
  })

  it('says that a catalog is empty, and leads to the upload of a file', async () => {
    await visit.chooseCatalog('Diagnoses')
    await visit.page.getByText('There are no active diagnoses').waitFor()
    await link(visit, 'Upload diagnoses').click()
    await heading(visit, 'Upload')
    await visit.page.getByText('Drop a file with diagnoses here').waitFor()
  })
})

describeInBrowser('the list of records, on a phone', (browser) => {
  let visit: Visit
  let token: string
  const listed = () =>
    visit.page.getByRole('list', { name: 'Medications' }).getByRole('listitem').getByRole('link').allInnerTexts()
  const showFilters = async () => {
    const opener = visit.page.getByRole('button', { name: /^Filters/, expanded: false })
    if (await opener.isVisible()) await opener.click()
  }
  const select = (name: string) => visit.page.getByRole('checkbox', { name: `Select ${name}`, exact: true })

  beforeAll(async () => {
    token = await filledWorkspace('Filters', 'medication', medications())
    visit = await visitAt(browser(), 'Filters', 'Catalog', PHONE)
    await said(visit, `${ACTIVE} active medications`)
  })
  afterAll(() => visit.end())

  it('is filtered by dosage form, state and the day of the change, and sorted as somebody chooses', async () => {
    await showFilters()
    await filter(visit, 'Dosage form').selectOption('Tablet')
    await said(visit, '2 medications found')
    expect(await listed()).toEqual(['Tablet 2', 'Tablet 1'])
    await visit.expectGood()
    await filter(visit, 'Dosage form').selectOption('Not linked to a form')
    await said(visit, `${ACTIVE - 2} medications found`)
    await filter(visit, 'Dosage form').selectOption('Any')
    await filter(visit, 'State').selectOption('Inactive')
    await said(visit, '1 inactive medication')
    await visit.page.getByLabel('Updated since').fill('2999-01-01')
    await visit.page.getByText('No medication matches the filters').waitFor()
    await button(visit, 'Clear filters').click()
    await said(visit, `${ACTIVE} active medications`)
    expect(queryOf(visit)).toBe('')
    await showFilters()
    await filter(visit, 'Sort by').selectOption('Name Z–A')
    await expect.poll(async () => (await listed())[0], { timeout: 30_000 }).toBe('Tablet 9')
    expect(queryOf(visit)).toBe('?sort=-name')
  })

  it('deactivates several records at once after asking by name, and takes it back', async () => {
    const states = async () => {
      const stored = await Promise.all(['M50', 'M40'].map((id) => storedRecord(token, 'medication', id)))
      return stored.map(({ is_active }) => is_active)
    }
    const before = await storedRecord(token, 'medication', 'M50')
    await visit.follow('/console/medication/catalog')
    await select('Tablet 50').check()
    await select('Tablet 40').check()
    await visit.page.getByText('2 medications selected').waitFor()
    await button(visit, 'Deactivate').click()
    const dialog = visit.page.getByRole('dialog', { name: 'Deactivate 2 medications?' })
    await dialog.getByText('This would deactivate 2 medications').waitFor()
    const named = dialog.getByRole('list', { name: 'Changed records' }).getByRole('listitem')
    await expect
      .poll(() => named.allInnerTexts())
      .toEqual([expect.stringMatching(/^Tablet 50\s*M50/), expect.stringMatching(/^Tablet 40\s*M40/)])
    // Somebody else changes one of them meanwhile: that is seen first, and stays.
    await writeRecords(token, 'medication', [{ ...before, sku: 'changed' }])
    await dialog.getByRole('button', { name: 'Deactivate 2' }).click()
    await dialog.getByText('Somebody else has just changed the catalog').waitFor()
    expect(await states()).toEqual([true, true])
    await dialog.getByRole('button', { name: 'Deactivate 2' }).click()
    await said(visit, '2 medications deactivated.')
    await said(visit, `${ACTIVE - 2} active medications`)
    expect(await states()).toEqual([false, false])
    expect(await visit.page.getByText('2 medications selected').count()).toBe(0)
    await button(visit, 'Undo').click()
    await said(visit, '2 medications active again.')
    expect(await states()).toEqual([true, true])
    expect(await storedRecord(token, 'medication', 'M50')).toMatchObject({ sku: 'changed', strength: '51 mg' })
  })

  it('deactivates all that a search has found in one write, after their number is typed', async () => {
    const strong = async () => {
      const response = await callService(token, `${DATASETS}?type=medication&q=Tablet`)
      return ((await response.json()) as { total: number }).total
    }
    const before = await strong()
    await visit.follow('/console/medication/catalog?q=tablet')
    await said(visit, `${before} medications found`)
    await visit.page
      .getByRole('checkbox', { name: /^Select Tablet/ })
      .first()
      .check()
    await button(visit, `Select all ${before} found`).click()
    await button(visit, 'Deactivate').click()
    const dialog = visit.page.getByRole('dialog', { name: `Deactivate ${before} medications?` })
    await dialog.getByText(`This would deactivate ${before} medications`).waitFor()
    const confirm = dialog.getByRole('button', { name: 'Deactivate' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: 'To continue, type the number' }).fill(String(before))
    await confirm.click()
    await said(visit, `${before} medications deactivated.`)
    expect(await strong()).toBe(0)
  })

  it('does nothing when somebody cancels, and forgets a selection that is cleared', async () => {
    await visit.follow('/console/medication/catalog')
    await select('Crème Éxtra').check()
    await button(visit, 'Deactivate').click()
    await visit.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await visit.page.getByRole('dialog').waitFor({ state: 'detached' })
    await button(visit, 'Clear selection').click()
    await visit.page.getByRole('region', { name: 'Selected records' }).waitFor({ state: 'detached' })
    expect(await storedRecord(token, 'medication', 'C1')).toMatchObject({ is_active: true })
  })
})
