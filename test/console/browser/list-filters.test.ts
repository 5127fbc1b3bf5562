import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACTIVE, listedMedications, namesOnCards, showFilters } from './listed'
import { PHONE } from './pages'
import { button, filledWorkspace, filter, queryOf, said, search } from './record-pages'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { callService, DATASETS, storedRecord, writeRecords } from './workspaces'

describeInBrowser('what is done with a list', (browser) => {
  describe('on a phone', () => {
    let visit: Visit
    let token: string
    const listed = () => namesOnCards(visit)

    beforeAll(async () => {
      token = await filledWorkspace('Filters', 'medication', listedMedications())
      visit = await visitAt(browser(), 'Filters', 'Catalog', PHONE)
      await said(visit, `${ACTIVE} active medications`)
    })
    afterAll(() => visit.end())

    it('is filtered by dosage form, by what is linked, by state and by the day of the change', async () => {
      await showFilters(visit)
      await filter(visit, 'Dosage form').selectOption('Tablet')
      await said(visit, '2 medications found')
      expect(await listed()).toEqual(['Tablet 2', 'Tablet 1'])
      await visit.expectGood()
      await filter(visit, 'Dosage form').selectOption('Not linked to a form')
      await said(visit, `${ACTIVE - 2} medications found`)
      await filter(visit, 'Dosage form').selectOption('Any')
      await filter(visit, 'State').selectOption('Inactive')
      await said(visit, '1 inactive medication')
      expect(await listed()).toEqual(['Withdrawn'])
      await visit.page.getByLabel('Updated since').fill('2999-01-01')
      await visit.page.getByText('No medication matches the filters').waitFor()
      await visit.page.getByLabel('Updated since').fill('2020-01-01')
      await said(visit, '1 medication found')
      await button(visit, 'Clear filters').click()
      await said(visit, `${ACTIVE} active medications`)
      expect(queryOf(visit)).toBe('')
    })

    it('is sorted as somebody chooses', async () => {
      await showFilters(visit)
      await filter(visit, 'Sort by').selectOption('Name Z–A')
      await expect.poll(async () => (await listed())[0], { timeout: 30_000 }).toBe('Tablet 9')
      expect(queryOf(visit)).toBe('?sort=-name')
      await filter(visit, 'Sort by').selectOption('Newest first')
      await expect.poll(() => queryOf(visit)).toBe('')
    })

    it('deactivates several records at once after asking by name, and takes it back', async () => {
      const select = (name: string) => visit.page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
      const states = async () => {
        const ids = ['M50', 'M40']
        const stored = await Promise.all(ids.map((id) => storedRecord(token, 'medication', id)))
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
      await said(visit, `${ACTIVE} active medications`)
      expect(await states()).toEqual([true, true])
      expect(await storedRecord(token, 'medication', 'M50')).toMatchObject({
        sku: 'changed',
        strength: '51 mg',
      })
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
      await visit.page.getByText(`${before} medications selected`).waitFor()
      await button(visit, 'Deactivate').click()
      const dialog = visit.page.getByRole('dialog', { name: `Deactivate ${before} medications?` })
      await dialog.getByText(`This would deactivate ${before} medications`).waitFor()
      const confirm = dialog.getByRole('button', { name: 'Deactivate' })
      expect(await confirm.isDisabled()).toBe(true)
      await dialog.getByRole('textbox', { name: 'To continue, type the number' }).fill(String(before))
      await visit.expectGood()
      await confirm.click()
      await said(visit, `${before} medications deactivated.`)
      expect(await strong()).toBe(0)
      await button(visit, 'Undo').click()
      await said(visit, `${before} medications active again.`)
      expect(await strong()).toBe(before)
    })

    it('forgives a letter that is wrong', async () => {
      await visit.follow('/console/medication/catalog')
      await said(visit, `${ACTIVE} active medications`)
      await search(visit).fill('tabelt 17')
      const similar = visit.page.getByRole('region', { name: 'Similar names' })
      await similar.getByRole('link', { name: 'Tablet 17' }).waitFor()
      await visit.page.getByText('No medication matches “tabelt 17”').waitFor()
    })

    it('forgets a selection that is cleared, and does nothing when somebody cancels', async () => {
      await visit.follow('/console/medication/catalog')
      await visit.page.getByRole('checkbox', { name: 'Select Tablet 47', exact: true }).check()
      await button(visit, 'Deactivate').click()
      await visit.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await visit.page.getByRole('dialog').waitFor({ state: 'detached' })
      await button(visit, 'Clear selection').click()
      await visit.page.getByRole('region', { name: 'Selected records' }).waitFor({ state: 'detached' })
      expect(await storedRecord(token, 'medication', 'M47')).toMatchObject({ is_active: true })
    })
  })
})
