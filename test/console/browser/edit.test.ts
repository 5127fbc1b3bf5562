import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { button, heading, input, isFocused, link, said, valueBeside } from './steps'
import { describeInBrowser, PHONE, type Visit, visitAt } from './visit'
import { filledWorkspace, rawRecord, storedRecord, writeRecords } from './workspaces'

const ASPIRIN = `{"medication_id":"A1","name":"Aspirin","aliases":["Old"],"strength":"100 mg","generic_list":["Acid"],
  "manufacturer":"Maker","otc":true,"refid":12345678901234567890}`

/** Opens the form for Aspirin, or another page of the catalog. */
async function begin(browser: Browser, page = '/A1/edit') {
  const token = await filledWorkspace('Editing', 'medication', `[${ASPIRIN},{"medication_id":"B2","name":"Ibuprofen"}]`)
  const visit = await visitAt(browser, 'Editing', 'Catalog', PHONE)
  await visit.follow(`/console/medication/catalog${page}`)
  if (page.endsWith('edit')) await button(visit, 'Save').waitFor()
  return { visit, token, stored: (id = 'A1') => storedRecord(token, 'medication', id) }
}

async function save(visit: Visit): Promise<void> {
  await button(visit, 'Save').click()
  await visit.page.getByRole('status').getByText('Saved.', { exact: true }).waitFor()
}

describeInBrowser('the form for a record, on a phone', (browser) => {
  it('writes only the changed fields', async () => {
    const { visit, token, stored } = await begin(browser(), '')
    const before = await stored()
    await link(visit, 'Aspirin').click()
    await link(visit, 'Edit').click()
    await heading(visit, 'Edit medication')
    await input(visit, 'Strength').fill('300 mg')
    await input(visit, 'Aliases').fill('Acetylsalicylic acid\n\n ASS ')
    const otc = visit.page.getByRole('combobox', { name: 'OTC' })
    expect(await otc.inputValue()).toBe('true')
    await otc.selectOption('Not given')
    await visit.page.getByRole('switch', { name: 'Active' }).click()
    await save(visit)
    await heading(visit, 'Aspirin')
    expect(await valueBeside(visit, 'Strength').innerText()).toBe('300 mg')
    await visit.page.getByText('Inactive', { exact: true }).waitFor()
    const changed = { strength: '300 mg', aliases: ['Acetylsalicylic acid', 'ASS'], otc: null, is_active: false }
    expect(await stored()).toEqual({ ...before, ...changed, updated_at: expect.any(String) })
    expect(await rawRecord(token, 'medication', 'A1')).toContain('"refid":12345678901234567890')
  })

  it('shows each invalid value at its input until it is corrected', async () => {
    const { visit, stored } = await begin(browser())
    const before = await stored()
    await input(visit, 'Strength').fill('x'.repeat(40))
    await input(visit, 'Name').fill('')
    await button(visit, 'Save').click()
    await visit.page.getByRole('alert').getByText('2 fields need a correction.').waitFor()
    await visit.page.getByText('Name is required', { exact: true }).waitFor()
    await visit.page.getByText('Strength must be at most 32 characters').waitFor()
    expect(await input(visit, 'Name').getAttribute('aria-invalid')).toBe('true')
    expect(await isFocused(input(visit, 'Name'))).toBe(true)
    expect(await stored()).toEqual(before)
    await input(visit, 'Name').fill('Aspirin')
    await visit.page.getByText('Name is required', { exact: true }).waitFor({ state: 'detached' })
    await visit.page.getByRole('alert').getByText('One field needs a correction.').waitFor()
    await visit.expectGood()
  })

  it('asks before it discards unsaved changes, whichever way a user leaves', async () => {
    const { visit } = await begin(browser(), '/A1')
    await link(visit, 'Edit').click()
    await input(visit, 'Strength').fill('not saved')
    const dialog = visit.page.getByRole('dialog', { name: 'Leave without saving?' })
    const stay = async () => {
      await dialog.getByRole('button', { name: 'Stay' }).click()
      await dialog.waitFor({ state: 'hidden' })
      expect(await input(visit, 'Strength').inputValue()).toBe('not saved')
    }
    await link(visit, 'Cancel').click()
    await stay()
    await visit.page.goBack()
    await stay()
    const asked = visit.page.waitForEvent('dialog')
    await visit.page.close({ runBeforeUnload: true })
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    await visit.page.goBack()
    await dialog.getByRole('button', { name: 'Leave without saving' }).click()
    await heading(visit, 'Aspirin')
    expect(await valueBeside(visit, 'Strength').innerText()).toBe('100 mg')
  })

  it("does not overwrite another user's later changes", async () => {
    const { visit, token, stored } = await begin(browser())
    await input(visit, 'Generic name').fill('Typed here')
    await input(visit, 'Strength').fill('99 mg')
    await writeRecords(token, 'medication', [{ ...(await stored()), strength: '75 mg', refid: 'R1' }])
    await button(visit, 'Save').click()
    const alert = visit.page.getByRole('alert').filter({ hasText: 'Someone else has changed this record' })
    await alert.getByRole('button', { name: 'Use their value' }).waitFor()
    const rows = await alert.getByRole('row').allInnerTexts()
    expect(rows.map((text) => text.split(/\s*[\t\n]\s*/))).toEqual([
      ['Field', 'Was', 'Their value', 'Your value'],
      ['Strength', '100 mg', '75 mg', '99 mg', 'Use their value'],
      ['Reference ID', '12345678901234567890', 'R1', 'keep their value'],
    ])
    await alert.getByRole('button', { name: 'Use their value' }).click()
    expect(await input(visit, 'Strength').inputValue()).toBe('75 mg')
    expect(await stored()).toMatchObject({ strength: '75 mg', generic_name: null })
    await save(visit)
    expect(await stored()).toMatchObject({ strength: '75 mg', generic_name: 'Typed here', refid: 'R1' })
  })

  it('reports if it is unknown whether a record was saved', async () => {
    const { visit, stored } = await begin(browser())
    await input(visit, 'Strength').fill('7 mg')
    let isLost = false
    await visit.page.route('**/admin/datasets/v1/?*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      if (!isLost) await route.fetch()
      isLost = true
      await route.abort()
    })
    await button(visit, 'Save').click()
    await visit.page.getByText(/did not answer whether the record is saved/).waitFor()
    expect(await stored()).toMatchObject({ strength: '7 mg' })
    await visit.page.unroute('**/admin/datasets/v1/?*')
    await button(visit, 'Save').click()
    await visit.page.getByText('Nothing had to be changed.').first().waitFor()
    visit.forgive(/ERR_FAILED/)
  })

  it('rejects the ID of another record for a new one', async () => {
    const { visit, stored } = await begin(browser(), '')
    const other = await stored('B2')
    await link(visit, 'New medication').click()
    await heading(visit, 'New medication')
    await input(visit, 'Medication ID').fill('B2')
    await input(visit, 'Name').fill('Paracetamol')
    await button(visit, 'Save').click()
    await visit.page.getByText('Medication ID exists already').waitFor()
    expect(await isFocused(input(visit, 'Medication ID'))).toBe(true)
    expect(await stored('B2')).toEqual(other)
  })

  it('creates a record that the list shows', async () => {
    const { visit, stored } = await begin(browser(), '?new=1')
    await input(visit, 'Medication ID').fill(' P/3 ')
    await input(visit, 'Name').fill('Paracetamol')
    await save(visit)
    await heading(visit, 'Paracetamol')
    const made = { medication_id: 'P/3', name: 'Paracetamol', display_name: 'Paracetamol', is_active: true }
    expect(await stored('P/3')).toMatchObject(made)
    await link(visit, 'All medications').click()
    await said(visit, '3 active medications')
    await link(visit, 'Paracetamol').waitFor()
  })
})
