import { read } from '@e965/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRows } from './files'
import { button, filledWorkspace, filter, heading, link, queryOf, said, search } from './record-pages'
import { DESKTOP, describeInBrowser, PHONE, type Visit, visitAt } from './visit'
import { callService, DATASETS, newWorkspace, storedRecord, VIEWER, writeRecords } from './workspaces'

const PAGE = 25
const ACTIVE = 60

const catalog = () => [
  ...Array.from({ length: ACTIVE - 1 }, (_, place) => ({
    medication_id: `M${place}`,
    name: `Tablet ${place}`,
    strength: `${place + 1} mg`,
    ...(place === 1 || place === 2 ? { form_name: ['Tablet', 'TABS'][place - 1] } : {}),
  })),
  {
    medication_id: 'C1',
    name: 'Crème Éxtra',
    aliases: ['Błękit'],
    manufacturer: 'Lab Ø',
    sku: 'SKU-77',
  },
  { medication_id: 'OLD', name: 'Withdrawn', is_active: false },
]

describeInBrowser('the records of a catalog', (browser) => {
  describe.each([
    ['at a desk', DESKTOP, 'table', 'row'],
    ['on a phone', PHONE, 'list', 'listitem'],
  ] as const)('the list, %s', (where, options, listRole, entryRole) => {
    let visit: Visit
    let token: string
    /** The names of the active records in the order of the API. */
    let names: string[]
    const entries = () =>
      visit.page
        .getByRole(listRole, { name: 'Medications' })
        .getByRole(entryRole)
        .filter({ has: visit.page.getByRole('link') })
    /** A phone shows them only when it is asked to. */
    const showFilters = async () => {
      const opener = visit.page.getByRole('button', { name: /^Filters/, expanded: false })
      if (await opener.isVisible()) await opener.click()
    }
    const listed = () => entries().getByRole('link').allInnerTexts()

    /** Waits until the active records from one to another, counted from 1, are listed. */
    const expectRange = async (first: number, last: number) => {
      await visit.page.getByText(`${first} to ${last} of ${ACTIVE}`).waitFor()
      await expect
        .poll(() => entries().getByRole('link').allInnerTexts())
        .toEqual(names.slice(first - 1, last))
    }

    beforeAll(async () => {
      token = await filledWorkspace(`List ${where}`, 'medication', catalog())
      const response = await callService(token, `${DATASETS}?type=medication`)
      names = ((await response.json()) as { items: { name: string }[] }).items.map(({ name }) => name)
      visit = await visitAt(browser(), `List ${where}`, 'Catalog', options)
    })
    afterAll(() => visit.end())

    it('shows the active records page by page, and how many there are', async () => {
      await said(visit, `${ACTIVE} active medications`)
      await expectRange(1, PAGE)
      await visit.expectGood()
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
      await visit.page.goBack()
      await expectRange(PAGE + 1, 2 * PAGE)
      await link(visit, name).click()
      await heading(visit, name)
      await link(visit, 'All medications').click()
      await expectRange(PAGE + 1, 2 * PAGE)
    })

    it('goes back to the page before with the button of the browser', async () => {
      await button(visit, 'Next page').click()
      await expectRange(2 * PAGE + 1, ACTIVE)
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
      await visit.page.goto('/console/medication/catalog?page=2')
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

    it('shows the last page where an address names one behind it', async () => {
      await visit.page.goto('/console/medication/catalog?page=99')
      await expectRange(2 * PAGE + 1, ACTIVE)
      expect(queryOf(visit)).toBe('?page=3')
    })

    it('shows more records on a page to those who want them', async () => {
      await visit.page
        .getByRole('combobox', { name: 'Number of records on a page' })
        .selectOption('100 a page')
      await expectRange(1, ACTIVE)
      expect(queryOf(visit)).toBe('?size=100')
    })

    it('finds as somebody types, by name or alias, whatever the accents', async () => {
      await visit.page.goto('/console/medication/catalog')
      await search(visit).pressSequentially('extra creme')
      await said(visit, '1 medication found')
      expect(await entries().getByRole('link').allInnerTexts()).toEqual(['Crème Éxtra'])
      expect(new URLSearchParams(queryOf(visit)).get('q')).toBe('extra creme')
      await visit.expectGood()
      await search(visit).fill('BLEKIT')
      await visit.page.waitForURL('**/catalog?q=BLEKIT')
      await said(visit, '1 medication found')
      await link(visit, 'Crème Éxtra').waitFor()
    })

    it('has the same search after a reload and after the way back from a record', async () => {
      await visit.page.reload()
      await said(visit, '1 medication found')
      await link(visit, 'Crème Éxtra').click()
      await heading(visit, 'Crème Éxtra')
      await visit.page.goBack()
      await said(visit, '1 medication found')
      expect(await search(visit).inputValue()).toBe('BLEKIT')
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
      await visit.expectGood()
      await button(visit, 'Show inactive records too').click()
      await said(visit, '1 medication found')
      await entries().filter({ hasText: 'Withdrawn' }).getByText('Inactive', { exact: true }).waitFor()
    })

    it('shows inactive records only to those who ask for them', async () => {
      await search(visit).fill('')
      await said(visit, `${ACTIVE + 1} medications`)
      expect(queryOf(visit)).toBe('?inactive=1')
      await visit.expectGood()
      await showFilters()
      await filter(visit, 'State').selectOption('Active')
      await said(visit, `${ACTIVE} active medications`)
      expect(queryOf(visit)).toBe('')
    })

    it('finds by id, code and manufacturer too', async () => {
      for (const [text, names] of [
        ['sku-77', ['Crème Éxtra']],
        ['lab o', ['Crème Éxtra']],
        ['m17', ['Tablet 17']],
      ] as const) {
        await search(visit).fill(text)
        await visit.page.waitForURL(`**/catalog?${new URLSearchParams({ q: text })}`)
        await said(visit, '1 medication found')
        await expect.poll(listed).toEqual(names)
      }
      await search(visit).fill('')
      await said(visit, `${ACTIVE} active medications`)
    })

    it('is filtered by dosage form, by what is linked, by state and by the day of the change', async () => {
      await showFilters()
      await filter(visit, 'Dosage form').selectOption('Tablet')
      await said(visit, '2 medications found')
      expect(await listed()).toEqual(['Tablet 2', 'Tablet 1'])
      await visit.expectGood()
      await visit.page.reload()
      await said(visit, '2 medications found')
      await showFilters()
      await filter(visit, 'Dosage form').selectOption('Not linked to a form')
      await said(visit, `${ACTIVE - 2} medications found`)
      await filter(visit, 'Dosage form').selectOption('Any')
      await filter(visit, 'State').selectOption('Inactive')
      await said(visit, '1 inactive medication')
      expect(await listed()).toEqual(['Withdrawn'])
      await visit.page.getByLabel('Changed since').fill('2999-01-01')
      await visit.page.getByText('No medication matches the filters').waitFor()
      await visit.expectGood()
      await visit.page.getByLabel('Changed since').fill('2020-01-01')
      await said(visit, '1 medication found')
      await button(visit, 'Clear filters').click()
      await said(visit, `${ACTIVE} active medications`)
      expect(queryOf(visit)).toBe('')
    })

    it('is sorted by name and by id, either way', async () => {
      const expectFirst = (name: string) =>
        expect.poll(async () => (await listed())[0], { timeout: 30_000 }).toBe(name)
      const sortBy = async (column: string, choice: string) => {
        await showFilters()
        if (options === PHONE) await filter(visit, 'Sort by').selectOption(choice)
        else
          await visit.page
            .getByRole('columnheader', { name: column, exact: true })
            .getByRole('button')
            .click()
      }
      await sortBy('Name', 'Name, A to Z')
      await expectFirst('Crème Éxtra')
      expect(queryOf(visit)).toBe('?sort=name')
      await sortBy('Name', 'Name, Z to A')
      await expectFirst('Tablet 9')
      if (options === DESKTOP) {
        const header = visit.page.getByRole('columnheader', { name: 'Name', exact: true })
        expect(await header.getAttribute('aria-sort')).toBe('descending')
      }
      await sortBy('Id', 'Id, ascending')
      await expectFirst('Crème Éxtra')
      await visit.expectGood()
      await sortBy('Updated', 'Last changed first')
      await expectRange(1, PAGE)
      expect(queryOf(visit)).toBe('')
    })

    it('deactivates several records at once after asking by name, and takes it back', async () => {
      const select = (name: string) =>
        visit.page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
      const states = async () => {
        const ids = ['M50', 'M40']
        const stored = await Promise.all(ids.map((id) => storedRecord(token, 'medication', id)))
        return stored.map(({ is_active }) => is_active)
      }
      const before = await storedRecord(token, 'medication', 'M50')
      await visit.page.goto('/console/medication/catalog')
      await select('Tablet 50').check()
      await select('Tablet 40').check()
      await visit.page.getByText('2 medications selected').waitFor()
      await visit.expectGood()
      await button(visit, 'Deactivate').click()
      const dialog = visit.page.getByRole('dialog', { name: 'Deactivate 2 medications?' })
      await dialog.getByText('Tablet 40').waitFor()
      expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(['Tablet 50 M50', 'Tablet 40 M40'])
      await visit.expectGood()
      // Somebody else changes one of them meanwhile: that change stays.
      await writeRecords(token, 'medication', [{ ...before, sku: 'changed' }])
      await dialog.getByRole('button', { name: 'Deactivate' }).click()
      await said(visit, '2 medications deactivated.')
      await said(visit, `${ACTIVE - 2} active medications`)
      expect(await states()).toEqual([false, false])
      expect(await visit.page.getByText('2 medications selected').count()).toBe(0)
      await visit.expectGood()
      await button(visit, 'Undo').click()
      await said(visit, '2 medications active again.')
      await said(visit, `${ACTIVE} active medications`)
      expect(await states()).toEqual([true, true])
      expect(await storedRecord(token, 'medication', 'M50')).toMatchObject({
        sku: 'changed',
        strength: '51 mg',
      })
    })

    it('forgets a selection that is cleared, and does nothing when somebody cancels', async () => {
      await visit.page.getByRole('checkbox', { name: 'Select Tablet 47', exact: true }).check()
      await button(visit, 'Deactivate').click()
      await visit.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await visit.page.getByRole('dialog').waitFor({ state: 'detached' })
      await button(visit, 'Clear selection').click()
      expect(await visit.page.getByRole('region', { name: 'Selected records' }).count()).toBe(0)
      expect(await storedRecord(token, 'medication', 'M47')).toMatchObject({ is_active: true })
    })
  })

  describe('an empty catalog', () => {
    beforeAll(() => newWorkspace('Nothing yet'))

    it('says so, and leads to the upload of a file', async () => {
      const visit = await visitAt(browser(), 'Nothing yet', 'Catalog')
      await visit.chooseCatalog('Diagnoses')
      await visit.page.getByText('There are no active diagnoses').waitFor()
      await said(visit, '0 active diagnoses')
      await visit.expectGood()
      await link(visit, 'Upload diagnoses').click()
      await heading(visit, 'Upload')
      await visit.page.getByText('Drop a file with diagnoses here').waitFor()
      await visit.end()
    })

    it('tells those who may only read whom to ask', async () => {
      const visit = await visitAt(browser(), 'Nothing yet', 'Catalog', { ...PHONE, account: VIEWER })
      await visit.page.getByText('An editor or admin of the workspace can upload a file.').waitFor()
      expect(await link(visit, 'Upload medications').count()).toBe(0)
      await visit.expectGood()
      await visit.end()
    })
  })

  describe('the download of a catalog', () => {
    let visit: Visit
    let token: string
    beforeAll(async () => {
      token = await filledWorkspace('Download', 'medication', [
        ...catalog(),
        { medication_id: '007', name: '=1+1', sku: '00012', manufacturer: '@SUM(A1)', is_active: false },
      ])
      visit = await visitAt(browser(), 'Download', 'Catalog')
    })
    afterAll(() => visit.end())

    const download = async (choice: string) => {
      await button(visit, 'Download').click()
      await visit.page.getByRole('menuitem', { name: choice, exact: true }).waitFor()
      await visit.expectGood()
      const file = await visit.download(() =>
        visit.page.getByRole('menuitem', { name: choice, exact: true }).click(),
      )
      await said(visit, 'The file is ready.')
      return file
    }
    const exported = async (query: string) =>
      Buffer.from(
        await (await callService(token, `${DATASETS}?type=medication&format=csv${query}`)).arrayBuffer(),
      )
    const sheetsIn = (bytes: Buffer) => {
      const { SheetNames, Sheets } = read(bytes, { dense: true, cellNF: true })
      return SheetNames.map((name) => ({ name, cells: Sheets[name]!['!data']! }))
    }

    it('as CSV is the file that the API exports, exactly, of all records or of those in the list', async () => {
      const expectFile = async (choice: string, query: string, rows: number) => {
        const { name, bytes } = await download(choice)
        expect(name).toBe('medication.csv')
        const expected = await exported(query)
        expect(bytes.equals(expected)).toBe(true)
        expect(expected.toString('utf8').trimEnd().split('\n')).toHaveLength(rows + 1)
      }
      await expectFile('All active medications (.csv)', '', ACTIVE)
      await expectFile('All medications, inactive ones too (.csv)', '&show_inactive=1', ACTIVE + 2)
      await search(visit).fill('tablet 1')
      await visit.page.waitForURL('**/catalog?q=tablet+1')
      await said(visit, '15 medications found')
      await expectFile('The medications of this list (.csv)', '&q=tablet+1&match=all', 15)
    })

    it('as a workbook has the same cells, all of them text', async () => {
      const { name, bytes } = await download('All medications, inactive ones too (.xlsx)')
      expect(name).toBe('medication.xlsx')
      const [sheet, ...others] = sheetsIn(bytes)
      expect(others).toEqual([])
      expect(sheet!.name).toBe('Medications')
      const rows = readRows(await exported('&show_inactive=1'))
      const texts = sheet!.cells.map((cells) => rows[0]!.map((_, n) => cells?.[n]?.v ?? ''))
      expect(texts).toEqual(rows)
      const cells = sheet!.cells.flat().filter((cell) => cell !== undefined)
      expect(cells.every(({ t, z, f }) => t === 's' && z === '@' && f === undefined)).toBe(true)
      for (const text of ['007', '00012', '=1+1', '@SUM(A1)']) {
        expect(cells.some(({ v }) => v === text)).toBe(true)
      }
    })

    it('as a template has all columns, examples and allowed values, and can be uploaded', async () => {
      const { name, bytes } = await download('Template to fill in, with examples (.xlsx)')
      expect(name).toBe('medication-template.xlsx')
      const sheets = sheetsIn(bytes)
      expect(sheets.map((sheet) => sheet.name)).toEqual([
        'Medications',
        'Examples',
        'Columns',
        'Dosage forms',
      ])
      expect(sheets[0]!.cells[0]!.map((cell) => cell?.v)).toContain('generic_list')
    })
  })
})
