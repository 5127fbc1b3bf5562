import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACTIVE, listedMedications, rowsIn } from './listed'
import { button, filledWorkspace, filter, heading, link, queryOf, said, search } from './record-pages'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { callService, DATASETS } from './workspaces'

const PAGE = 25

describeInBrowser('the records of a catalog', (browser) => {
  describe('the list, at a desk', () => {
    let visit: Visit
    /** The names of the active records in the order of the API. */
    let names: string[]
    const entries = () => rowsIn(visit)

    /** Waits until the active records from one to another, counted from 1, are listed. */
    const expectRange = async (first: number, last: number) => {
      await visit.page.getByText(`${first} to ${last} of ${ACTIVE}`).waitFor()
      await expect.poll(() => entries().getByRole('link').allInnerTexts()).toEqual(names.slice(first - 1, last))
    }

    beforeAll(async () => {
      const token = await filledWorkspace('List', 'medication', listedMedications())
      const response = await callService(token, `${DATASETS}?type=medication`)
      names = ((await response.json()) as { items: { name: string }[] }).items.map(({ name }) => name)
      visit = await visitAt(browser(), 'List', 'Catalog')
    })
    afterAll(() => visit.end())

    it('shows the active records page by page, and how many there are', async () => {
      await said(visit, `${ACTIVE} active medications`)
      await expectRange(1, PAGE)
    })

    it('keeps the page in the address: reload, a record and the way back lead to the same part', async () => {
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

    it('says which part is shown for as long as the next one is not there', async () => {
      let answer = () => {}
      const answered = new Promise<void>((resolve) => {
        answer = resolve
      })
      await visit.page.route('**/*offset=50*', async (route) => {
        await answered
        await route.continue()
      })
      await visit.follow('/console/medication/catalog?page=2')
      await expectRange(PAGE + 1, 2 * PAGE)
      const asked = visit.page.waitForRequest('**/*offset=50*')
      await button(visit, 'Next page').click()
      await asked
      expect(queryOf(visit)).toBe('?page=3')
      await expectRange(PAGE + 1, 2 * PAGE)
      answer()
      await expectRange(2 * PAGE + 1, ACTIVE)
      await visit.page.unroute('**/*offset=50*')
    })

    it('shows the last page if an address names one behind it', async () => {
      await visit.follow('/console/medication/catalog?page=99')
      await visit.page.waitForURL('**/catalog?page=3')
      await expectRange(2 * PAGE + 1, ACTIVE)
    })

    it('finds as somebody types, whatever the accents', async () => {
      await visit.follow('/console/medication/catalog')
      await search(visit).pressSequentially('extra creme')
      // The first letters find it too.
      await visit.page.waitForURL('**/catalog?q=extra+creme')
      await said(visit, '1 medication found')
      expect(await entries().getByRole('link').allInnerTexts()).toEqual(['Crème Éxtra'])
    })

    it('shows all records again when the search is cleared', async () => {
      await button(visit, 'Clear the search').click()
      await said(visit, `${ACTIVE} active medications`)
      expect(await search(visit).inputValue()).toBe('')
      expect(await search(visit).evaluate((element) => element === document.activeElement)).toBe(true)
    })

    it('says when nothing is found, and what can be done about it', async () => {
      await search(visit).fill('withdrawn')
      await visit.page.getByText('No medication matches “withdrawn”').waitFor()
      await said(visit, '0 medications found')
      await button(visit, 'Show inactive records too').click()
      await said(visit, '1 medication found')
      await entries().filter({ hasText: 'Withdrawn' }).getByText('Inactive', { exact: true }).waitFor()
      await visit.expectGood()
    })

    it('shows inactive records only to those who ask for them', async () => {
      await search(visit).fill('')
      await said(visit, `${ACTIVE + 1} medications`)
      expect(queryOf(visit)).toBe('?inactive=1')
      await filter(visit, 'State').selectOption('Active')
      await said(visit, `${ACTIVE} active medications`)
      expect(queryOf(visit)).toBe('')
    })

    it('says that a catalog is empty, and leads to the upload of a file', async () => {
      await visit.chooseCatalog('Diagnoses')
      await visit.page.getByText('There are no active diagnoses').waitFor()
      await said(visit, '0 active diagnoses')
      await visit.expectGood()
      await link(visit, 'Upload diagnoses').click()
      await heading(visit, 'Upload')
      await visit.page.getByText('Drop a file with diagnoses here').waitFor()
    })
  })
})
