import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DESKTOP, describeInBrowser, PHONE, type Visit, visitAt } from './visit'
import {
  callService,
  newWorkspace,
  programToken,
  rawRecord,
  storedRecord,
  VIEWER,
  writeRecords,
} from './workspaces'

/** A catalog of a workspace of its own. */
async function filledWorkspace(name: string, type: string, records: unknown): Promise<string> {
  const token = await programToken(await newWorkspace(name))
  await writeRecords(token, type, records)
  return token
}

const said = (visit: Visit, text: string) =>
  visit.page.getByRole('status').getByText(text, { exact: true }).waitFor()

const heading = (visit: Visit, name: string) =>
  visit.page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

const link = (visit: Visit, name: string) => visit.page.getByRole('link', { name, exact: true })

const button = (visit: Visit, name: string) => visit.page.getByRole('button', { name, exact: true })

const input = (visit: Visit, name: string) => visit.page.getByRole('textbox', { name, exact: true })

const search = (visit: Visit) => input(visit, 'Search')

/** What stands beside the name of a field of a record. */
const valueBeside = (visit: Visit, label: string) =>
  visit.page
    .locator('dt')
    .filter({ has: visit.page.getByText(label, { exact: true }) })
    .locator('xpath=following-sibling::dd')

const queryOf = (visit: Visit) => new URL(visit.page.url()).search

/** The form of a record, reached from the list. */
async function editForm(visit: Visit, name: string): Promise<void> {
  await link(visit, name).click()
  await link(visit, 'Edit').click()
  await heading(visit, 'Edit medication')
  await button(visit, 'Save').waitFor()
}

async function save(visit: Visit): Promise<void> {
  await button(visit, 'Save').click()
  await visit.page.getByRole('alert').getByText('Saved.', { exact: true }).waitFor()
}

const PAGE = 25
const ACTIVE = 60

const catalog = () => [
  ...Array.from({ length: ACTIVE - 1 }, (_, place) => ({
    medication_id: `M${place}`,
    name: `Tablet ${place}`,
    strength: `${place + 1} mg`,
  })),
  { medication_id: 'C1', name: 'Crème Éxtra', aliases: ['Błękit'], manufacturer: 'Lab Ø' },
  { medication_id: 'OLD', name: 'Withdrawn', is_active: false },
]

describeInBrowser('the records of a catalog', (browser) => {
  describe.each([
    ['at a desk', DESKTOP, 'table', 'row'],
    ['on a phone', PHONE, 'list', 'listitem'],
  ] as const)('the list, %s', (where, options, listRole, entryRole) => {
    let visit: Visit
    /** The names of the active records in the order of the API. */
    let names: string[]
    const entries = () =>
      visit.page
        .getByRole(listRole, { name: 'Medications' })
        .getByRole(entryRole)
        .filter({ has: visit.page.getByRole('link') })

    /** Waits until the active records from one to another, counted from 1, are listed. */
    const expectRange = async (first: number, last: number) => {
      await visit.page.getByText(`${first} to ${last} of ${ACTIVE}`).waitFor()
      await expect
        .poll(() => entries().getByRole('link').allInnerTexts())
        .toEqual(names.slice(first - 1, last))
    }

    beforeAll(async () => {
      const token = await filledWorkspace(`List ${where}`, 'medication', catalog())
      const response = await callService(token, '/admin/datasets/v1/?type=medication')
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
      await visit.page.getByRole('switch', { name: 'Show inactive records too' }).click()
      await said(visit, `${ACTIVE} active medications`)
      expect(queryOf(visit)).toBe('')
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

  describe.each([
    ['at a desk', DESKTOP],
    ['on a phone', PHONE],
  ])('a record in full, %s', (where, options) => {
    let visit: Visit
    beforeAll(async () => {
      await filledWorkspace(
        `Records ${where}`,
        'medication',
        `[{"medication_id":"FULL","name":"Full tablet","display_name":"Fuller","aliases":["One","Two"],
          "strength":"5 mg","generic_name":"Generic","generic_id":"G1","generic_list":["A","B"],
          "generic_list_ids":["GA","GB"],"form_name":"Tablet","sku":"S-1","schedule_code":"H1","custom_type":"own",
          "therapy_class":"Class","therapy_class_id":"T1","action_class":"Action","action_class_id":"A1",
          "manufacturer":"Maker","otc":false,"refid":{"number":12345678901234567890}},
         {"medication_id":"BARE","name":"Bare tablet","is_active":false},
         {"medication_id":"a/b","name":"Slash"},{"medication_id":"50%","name":"Per cent"},
         {"medication_id":"%2F","name":"Escaped"},{"medication_id":"ü ?#","name":"Marks"},
         {"medication_id":"edit","name":"Word of the address"}]`,
      )
      visit = await visitAt(browser(), `Records ${where}`, 'Catalog', options)
    })
    afterAll(() => visit.end())

    it('shows every field', async () => {
      await link(visit, 'Full tablet').click()
      await heading(visit, 'Full tablet')
      for (const [label, text] of [
        ['State', 'Active'],
        ['Medication id', 'FULL'],
        ['Name', 'Full tablet'],
        ['Display name', 'Fuller'],
        ['Strength', '5 mg'],
        ['Generic name', 'Generic'],
        ['Generic id', 'G1'],
        ['SKU', 'S-1'],
        ['Schedule code', 'H1'],
        ['Custom type', 'own'],
        ['Therapy class', 'Class'],
        ['Therapy class id', 'T1'],
        ['Action class', 'Action'],
        ['Action class id', 'A1'],
        ['Manufacturer', 'Maker'],
        ['OTC', 'No'],
      ] as const) {
        expect(await valueBeside(visit, label).innerText(), label).toBe(text)
      }
      for (const [label, items] of [
        ['Aliases', ['One', 'Two']],
        ['Generic list', ['A', 'B']],
        ['Generic list ids', ['GA', 'GB']],
      ] as const) {
        expect(await valueBeside(visit, label).getByRole('listitem').allInnerTexts(), label).toEqual(items)
      }
      expect(await valueBeside(visit, 'Form name').innerText()).toMatch(
        /^Tablet\s+Linked to the accepted dosage form/,
      )
      expect(JSON.parse(await valueBeside(visit, 'Reference id').innerText())).toHaveProperty('number')
      expect(await valueBeside(visit, 'Reference id').innerText()).toContain('12345678901234567890')
      await valueBeside(visit, 'Updated').getByRole('time').waitFor()
      await visit.expectGood()
    })

    it('says which fields are not given', async () => {
      await visit.page.goto('/console/medication/catalog/BARE')
      await heading(visit, 'Bare tablet')
      expect(await valueBeside(visit, 'State').innerText()).toBe('Inactive')
      for (const label of ['Aliases', 'Strength', 'Generic list', 'Form name', 'OTC', 'Reference id']) {
        await valueBeside(visit, label).getByText('Not given').waitFor()
      }
      await visit.expectGood()
    })

    it.each([
      ['a/b', 'Slash'],
      ['50%', 'Per cent'],
      ['%2F', 'Escaped'],
      ['ü ?#', 'Marks'],
      ['edit', 'Word of the address'],
    ])('has an address of its own, though its id is %s', async (id, name) => {
      await visit.page.goto('/console/medication/catalog')
      await link(visit, name).click()
      await heading(visit, name)
      expect(await valueBeside(visit, 'Medication id').innerText()).toBe(id)
      await visit.page.reload()
      await heading(visit, name)
      await link(visit, 'Edit').click()
      await heading(visit, 'Edit medication')
      expect(await input(visit, 'Medication id').inputValue()).toBe(id)
      await visit.page.reload()
      expect(await input(visit, 'Medication id').inputValue()).toBe(id)
      await link(visit, 'Back to the medication').click()
      await heading(visit, name)
    })

    it('that is not there is said to be missing', async () => {
      await visit.page.goto('/console/medication/catalog/nobody')
      await visit.page.getByRole('alert').getByText('There is no such medication').waitFor()
      await visit.expectGood()
      await link(visit, 'All medications').click()
      await heading(visit, 'Catalog')
    })
  })

  describe.each([
    ['at a desk', DESKTOP],
    ['on a phone', PHONE],
  ])('the form for a record, %s', (where, options) => {
    let visit: Visit
    let token: string
    const stored = () => storedRecord(token, 'medication', 'A1')

    beforeAll(async () => {
      token = await filledWorkspace(
        `Editing ${where}`,
        'medication',
        `[{"medication_id":"A1","name":"Aspirin","aliases":["Old"],"strength":"100 mg","generic_list":["Acid"],
          "manufacturer":"Maker","otc":true,"refid":12345678901234567890},
         {"medication_id":"B2","name":"Ibuprofen"}]`,
      )
      visit = await visitAt(browser(), `Editing ${where}`, 'Catalog', options)
    })
    afterAll(() => visit.end())

    it('writes what was changed, and leaves the rest as it is, numbers to the digit', async () => {
      const before = await stored()
      await editForm(visit, 'Aspirin')
      await visit.expectGood()
      await input(visit, 'Strength').fill('300 mg')
      await input(visit, 'Aliases').fill('Acetylsalicylic acid\n\n ASS ')
      await visit.page.getByRole('combobox', { name: 'OTC' }).selectOption('Not given')
      await save(visit)
      await heading(visit, 'Aspirin')
      expect(await valueBeside(visit, 'Strength').innerText()).toBe('300 mg')
      await visit.expectGood()
      expect(await stored()).toEqual({
        ...before,
        strength: '300 mg',
        aliases: ['Acetylsalicylic acid', 'ASS'],
        otc: null,
        updated_at: expect.any(String),
      })
      expect(await rawRecord(token, 'medication', 'A1')).toContain('"refid":12345678901234567890')
    })

    it('names every value that is not acceptable at its input, leads to the first, and saves nothing', async () => {
      const before = await stored()
      await link(visit, 'Edit').click()
      await input(visit, 'Strength').fill('x'.repeat(40))
      await input(visit, 'Name').fill('')
      await button(visit, 'Save').click()
      await visit.page.getByRole('alert').getByText('2 fields are not as they should be.').waitFor()
      await visit.page.getByText('Name is required', { exact: true }).waitFor()
      await visit.page.getByText('Strength must be at most 32 characters').waitFor()
      for (const name of ['Name', 'Strength']) {
        expect(await input(visit, name).getAttribute('aria-invalid'), name).toBe('true')
      }
      expect(await input(visit, 'Name').evaluate((element) => element === document.activeElement)).toBe(true)
      await visit.expectGood()
      expect(await stored()).toEqual(before)
    })

    it('takes the complaint back as soon as the value is mended', async () => {
      await input(visit, 'Name').fill('Aspirin')
      await visit.page.getByText('Name is required', { exact: true }).waitFor({ state: 'detached' })
      await visit.page.getByRole('alert').getByText('One field is not as it should be.').waitFor()
    })

    it('asks before it loses what is not saved, whichever way somebody leaves', async () => {
      const dialog = visit.page.getByRole('dialog', { name: 'Leave without saving?' })
      const stay = async () => {
        await dialog.waitFor()
        await dialog.getByRole('button', { name: 'Stay' }).click()
        await dialog.waitFor({ state: 'hidden' })
        expect(await input(visit, 'Strength').inputValue()).toBe('x'.repeat(40))
      }
      await link(visit, 'Cancel').click()
      await dialog.waitFor()
      await visit.expectGood()
      await stay()
      await visit.page.goBack()
      await stay()
      await visit.page.getByRole('combobox', { name: 'Workspace' }).selectOption({ index: 0 })
      await stay()
      const asked = visit.page.waitForEvent('dialog')
      await visit.page.close({ runBeforeUnload: true })
      const question = await asked
      expect(question.type()).toBe('beforeunload')
      await question.dismiss()
      expect(await input(visit, 'Strength').inputValue()).toBe('x'.repeat(40))
      await visit.page.goBack()
      await dialog.getByRole('button', { name: 'Leave without saving' }).click()
      await heading(visit, 'Aspirin')
      expect(await valueBeside(visit, 'Strength').innerText()).toBe('300 mg')
    })

    it('does not write over what somebody else has changed in the meantime', async () => {
      await link(visit, 'Edit').click()
      await input(visit, 'Generic name').fill('Typed here')
      await writeRecords(token, 'medication', [{ ...(await stored()), strength: '75 mg', refid: 'R1' }])
      await button(visit, 'Save').click()
      const alert = visit.page.getByRole('alert').filter({ hasText: 'Somebody else has changed this record' })
      await alert.getByText('Changed by somebody else: Strength, Reference id.').waitFor()
      expect(await input(visit, 'Strength').inputValue()).toBe('75 mg')
      expect(await input(visit, 'Generic name').inputValue()).toBe('Typed here')
      expect(await stored()).toMatchObject({ strength: '75 mg', generic_name: null })
      await visit.expectGood()
      await save(visit)
      expect(await stored()).toMatchObject({ strength: '75 mg', generic_name: 'Typed here', refid: 'R1' })
    })

    it('switches a record off', async () => {
      await link(visit, 'Edit').click()
      await visit.page.getByRole('switch', { name: 'Active' }).click()
      await save(visit)
      expect(await valueBeside(visit, 'State').innerText()).toBe('Inactive')
      expect(await stored()).toMatchObject({ is_active: false, generic_name: 'Typed here' })
    })

    it('refuses the id of another record for a new one', async () => {
      const before = await storedRecord(token, 'medication', 'B2')
      await link(visit, 'All medications').click()
      await link(visit, 'New medication').click()
      await heading(visit, 'New medication')
      await input(visit, 'Medication id').fill('B2')
      await input(visit, 'Name').fill('Paracetamol')
      await visit.expectGood()
      await button(visit, 'Save').click()
      await visit.page.getByText('Medication id exists already').waitFor()
      const id = input(visit, 'Medication id')
      expect(await id.evaluate((element) => element === document.activeElement)).toBe(true)
      await visit.expectGood()
      expect(await storedRecord(token, 'medication', 'B2')).toEqual(before)
    })

    it('makes a new record, which the list has as well', async () => {
      await input(visit, 'Medication id').fill(' P/3 ')
      await save(visit)
      await heading(visit, 'Paracetamol')
      expect(await storedRecord(token, 'medication', 'P/3')).toMatchObject({
        medication_id: 'P/3',
        name: 'Paracetamol',
        display_name: 'Paracetamol',
        aliases: [],
        is_active: true,
        refid: null,
      })
      await link(visit, 'All medications').click()
      await said(visit, '2 active medications')
      await link(visit, 'Paracetamol').waitFor()
      await visit.expectGood()
    })

    it('asks for what the kind of a lab test needs', async () => {
      await visit.chooseCatalog('Lab tests')
      await visit.page.getByText('There are no active lab tests').waitFor()
      await link(visit, 'New lab test').click()
      await input(visit, 'Lab test id').fill('HB')
      await input(visit, 'Name').fill('Hemoglobin')
      await visit.page.getByRole('combobox', { name: 'Kind' }).selectOption('Laboratory')
      await visit.page.getByRole('combobox', { name: 'Result type' }).selectOption('Numerical')
      await button(visit, 'Save').click()
      await visit.page.getByRole('alert').getByText('2 fields are not as they should be.').waitFor()
      await visit.expectGood()
      await input(visit, 'Specimen').fill('Blood')
      await input(visit, 'Unit').fill('g/dL')
      await save(visit)
      expect(await storedRecord(token, 'lab_test', 'HB')).toMatchObject({
        kind: 'laboratory',
        result_type: 'numerical',
        specimen: 'Blood',
      })
    })
  })

  describe('the download of a catalog', () => {
    it('is the file that the API exports, of all records or of those that were found', async () => {
      const token = await filledWorkspace('Download', 'medication', catalog())
      const visit = await visitAt(browser(), 'Download', 'Catalog')
      const expectFile = async (choice: string, query: string, rows: number) => {
        await button(visit, 'Download as CSV').click()
        await visit.page.getByRole('menuitem', { name: choice, exact: true }).waitFor()
        await visit.expectGood()
        const { name, bytes } = await visit.download(() =>
          visit.page.getByRole('menuitem', { name: choice, exact: true }).click(),
        )
        expect(name).toBe('medication.csv')
        const path = `/admin/datasets/v1/?type=medication&format=csv${query}`
        const exported = Buffer.from(await (await callService(token, path)).arrayBuffer())
        expect(bytes.equals(exported)).toBe(true)
        expect(exported.toString('utf8').trimEnd().split('\n')).toHaveLength(rows + 1)
        await said(visit, 'The file is ready.')
      }
      await expectFile('All active medications', '', ACTIVE)
      await expectFile('All medications, inactive ones too', '&show_inactive=1', ACTIVE + 1)
      await search(visit).fill('withdrawn')
      await said(visit, '0 medications found')
      await expectFile('Active records that were found', '&q=withdrawn', 0)
      await expectFile('All records found, inactive ones too', '&q=withdrawn&show_inactive=1', 1)
      await visit.end()
    })
  })

  describe('somebody who may only read', () => {
    let visit: Visit
    beforeAll(async () => {
      await filledWorkspace('Reading', 'medication', [{ medication_id: 'A', name: 'Aspirin' }])
      visit = await visitAt(browser(), 'Reading', 'Catalog', { ...DESKTOP, account: VIEWER })
    })
    afterAll(() => visit.end())

    it('sees the list and the records, and no way to write', async () => {
      await said(visit, '1 active medication')
      await button(visit, 'Download as CSV').waitFor()
      expect(await link(visit, 'New medication').count()).toBe(0)
      const pages = visit.page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
      expect(await pages.allInnerTexts()).toEqual(['Catalog', 'Batches', 'Partner search'])
      await visit.expectGood()
      await link(visit, 'Aspirin').click()
      await heading(visit, 'Aspirin')
      expect(await link(visit, 'Edit').count()).toBe(0)
      await visit.expectGood()
    })

    it.each([
      ['the form of a record', '/console/medication/catalog/A/edit', 'Aspirin'],
      ['the form for a new record', '/console/medication/catalog?new=1', 'Catalog'],
      ['the upload', '/console/medication/upload', 'Catalog'],
    ])('is shown something to read at the address of %s', async (_, address, title) => {
      await visit.page.goto(address)
      await heading(visit, title)
      expect(await button(visit, 'Save').count()).toBe(0)
      await visit.expectGood()
    })
  })
})
