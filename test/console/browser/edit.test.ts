import { expect, it } from 'vitest'
import { button, heading, input, isFocused, link, said, valueBeside } from './steps'
import { describeInBrowser, PHONE, type Visit, visitAt } from './visit'
import { filledWorkspace, rawRecord, storedRecord, writeRecords } from './workspaces'

async function save(visit: Visit): Promise<void> {
  await button(visit, 'Save').click()
  await visit.page.getByRole('status').getByText('Saved.', { exact: true }).waitFor()
}

describeInBrowser('the form for a record, on a phone', (browser) => {
  it('writes what was changed and nothing else, loses nothing without a question, and writes over nobody else', async () => {
    const token = await filledWorkspace(
      'Editing',
      'medication',
      `[{"medication_id":"A1","name":"Aspirin","aliases":["Old"],"strength":"100 mg","generic_list":["Acid"],
        "manufacturer":"Maker","otc":true,"refid":12345678901234567890},
       {"medication_id":"B2","name":"Ibuprofen"}]`,
    )
    const visit = await visitAt(browser(), 'Editing', 'Catalog', PHONE)
    const stored = () => storedRecord(token, 'medication', 'A1')
    const openForm = async () => {
      await visit.follow('/console/medication/catalog/A1/edit')
      await button(visit, 'Save').waitFor()
    }
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

    // Names every value that is not acceptable at its input, leads to the first, and saves nothing.
    const beforeFault = await stored()
    await openForm()
    await input(visit, 'Strength').fill('x'.repeat(40))
    await input(visit, 'Name').fill('')
    await button(visit, 'Save').click()
    await visit.page.getByRole('alert').getByText('2 fields need a correction.').waitFor()
    await visit.page.getByText('Name is required', { exact: true }).waitFor()
    await visit.page.getByText('Strength must be at most 32 characters').waitFor()
    expect(await input(visit, 'Name').getAttribute('aria-invalid')).toBe('true')
    expect(await isFocused(input(visit, 'Name'))).toBe(true)
    expect(await stored()).toEqual(beforeFault)
    // The complaint is taken back as soon as the value is mended.
    await input(visit, 'Name').fill('Aspirin')
    await visit.page.getByText('Name is required', { exact: true }).waitFor({ state: 'detached' })
    await visit.page.getByRole('alert').getByText('One field needs a correction.').waitFor()
    await visit.expectGood()

    // Asks before it loses what is not saved, whichever way somebody leaves.
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
    expect(await valueBeside(visit, 'Strength').innerText()).toBe('300 mg')

    // Does not write over what somebody else has changed in the meantime.
    await openForm()
    await input(visit, 'Generic name').fill('Typed here')
    await input(visit, 'Strength').fill('99 mg')
    await writeRecords(token, 'medication', [{ ...(await stored()), strength: '75 mg', refid: 'R1' }])
    await button(visit, 'Save').click()
    const alert = visit.page.getByRole('alert').filter({ hasText: 'Someone else has changed this record' })
    await alert.getByRole('button', { name: 'Use their value' }).waitFor()
    const rows = await alert.getByRole('row').allInnerTexts()
    expect(rows.map((text) => text.split(/\s*[\t\n]\s*/))).toEqual([
      ['Field', 'Was', 'Their value', 'Your value'],
      ['Strength', '300 mg', '75 mg', '99 mg', 'Use their value'],
      ['Reference ID', '12345678901234567890', 'R1', 'keep their value'],
    ])
    await alert.getByRole('button', { name: 'Use their value' }).click()
    expect(await input(visit, 'Strength').inputValue()).toBe('75 mg')
    expect(await stored()).toMatchObject({ strength: '75 mg', generic_name: null })
    await save(visit)
    expect(await stored()).toMatchObject({ strength: '75 mg', generic_name: 'Typed here', refid: 'R1' })

    // Says that it is not known whether a record is saved, and does nothing later by itself.
    await openForm()
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

    // Refuses the id of another record for a new one, and makes a new record, which the list has as well.
    const other = await storedRecord(token, 'medication', 'B2')
    await visit.follow('/console/medication/catalog')
    await link(visit, 'New medication').click()
    await heading(visit, 'New medication')
    await input(visit, 'Medication id').fill('B2')
    await input(visit, 'Name').fill('Paracetamol')
    await button(visit, 'Save').click()
    await visit.page.getByText('Medication id exists already').waitFor()
    expect(await isFocused(input(visit, 'Medication id'))).toBe(true)
    expect(await storedRecord(token, 'medication', 'B2')).toEqual(other)
    await input(visit, 'Medication id').fill(' P/3 ')
    await save(visit)
    await heading(visit, 'Paracetamol')
    const made = { medication_id: 'P/3', name: 'Paracetamol', display_name: 'Paracetamol', is_active: true }
    expect(await storedRecord(token, 'medication', 'P/3')).toMatchObject(made)
    await link(visit, 'All medications').click()
    await said(visit, '2 active medications')
    await link(visit, 'Paracetamol').waitFor()
    await visit.end()
  })
})
