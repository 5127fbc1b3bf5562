import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from './pages'
import { button, filledWorkspace, heading, input, link, said, valueBeside } from './record-pages'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { rawRecord, storedRecord, writeRecords } from './workspaces'

/** The form of a record, reached from the list. */
async function editForm(visit: Visit, name: string): Promise<void> {
  await link(visit, name).click()
  await link(visit, 'Edit').click()
  await heading(visit, 'Edit medication')
  await button(visit, 'Save').waitFor()
}

async function save(visit: Visit): Promise<void> {
  await button(visit, 'Save').click()
  await visit.page.getByRole('status').getByText('Saved.', { exact: true }).waitFor()
}

describeInBrowser('editing a catalog', (browser) => {
  describe('the form for a record, on a phone', () => {
    let visit: Visit
    let token: string
    const stored = () => storedRecord(token, 'medication', 'A1')

    beforeAll(async () => {
      token = await filledWorkspace(
        'Editing',
        'medication',
        `[{"medication_id":"A1","name":"Aspirin","aliases":["Old"],"strength":"100 mg","generic_list":["Acid"],
          "manufacturer":"Maker","otc":true,"refid":12345678901234567890},
         {"medication_id":"B2","name":"Ibuprofen"}]`,
      )
      visit = await visitAt(browser(), 'Editing', 'Catalog', PHONE)
    })
    afterAll(() => visit.end())

    it('writes what was changed, and leaves the rest as it is, numbers to the digit', async () => {
      const before = await stored()
      await editForm(visit, 'Aspirin')
      const groups = await visit.page.getByRole('form').getByRole('group').allInnerTexts()
      expect(groups.map((text) => text.split('\n')[0])).toEqual([
        'Names',
        'What it contains',
        'Who makes it',
        'Class and schedule',
        'Ids',
        'State',
      ])
      await input(visit, 'Strength').fill('300 mg')
      await input(visit, 'Aliases').fill('Acetylsalicylic acid\n\n ASS ')
      await visit.page.getByRole('combobox', { name: 'OTC' }).selectOption('Not given')
      await save(visit)
      await heading(visit, 'Aspirin')
      expect(await valueBeside(visit, 'Strength').innerText()).toBe('300 mg')
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
      await visit.page.getByRole('alert').getByText('2 fields need a correction.').waitFor()
      await visit.page.getByText('Name is required', { exact: true }).waitFor()
      await visit.page.getByText('Strength must be at most 32 characters').waitFor()
      for (const name of ['Name', 'Strength']) {
        expect(await input(visit, name).getAttribute('aria-invalid'), name).toBe('true')
      }
      expect(await input(visit, 'Name').evaluate((element) => element === document.activeElement)).toBe(true)
      expect(await stored()).toEqual(before)
    })

    it('takes the complaint back as soon as the value is mended', async () => {
      await input(visit, 'Name').fill('Aspirin')
      await visit.page.getByText('Name is required', { exact: true }).waitFor({ state: 'detached' })
      await visit.page.getByRole('alert').getByText('One field needs a correction.').waitFor()
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
      await input(visit, 'Strength').fill('99 mg')
      await writeRecords(token, 'medication', [{ ...(await stored()), strength: '75 mg', refid: 'R1' }])
      await button(visit, 'Save').click()
      const alert = visit.page.getByRole('alert').filter({ hasText: 'Somebody else has changed this record' })
      await alert.getByRole('button', { name: 'Use their value' }).waitFor()
      const rows = alert.getByRole('row')
      expect((await rows.allInnerTexts()).map((text) => text.split(/\s*[\t\n]\s*/))).toEqual([
        ['Field', 'Was', 'Their value', 'Your value'],
        ['Strength', '300 mg', '75 mg', '99 mg', 'Use their value'],
        ['Reference id', '12345678901234567890', 'R1', 'keep their value'],
      ])
      // On a phone, too, a word stays in one line.
      const lines = await alert.getByRole('rowheader', { name: 'Strength' }).evaluate((cell) => {
        const text = document.createRange()
        text.selectNodeContents(cell)
        return text.getClientRects().length
      })
      expect(lines).toBe(1)
      expect(await input(visit, 'Strength').inputValue()).toBe('99 mg')
      await alert.getByRole('button', { name: 'Use their value' }).click()
      expect(await input(visit, 'Strength').inputValue()).toBe('75 mg')
      expect(await input(visit, 'Generic name').inputValue()).toBe('Typed here')
      expect(await stored()).toMatchObject({ strength: '75 mg', generic_name: null })
      await visit.expectGood()
      await save(visit)
      expect(await stored()).toMatchObject({ strength: '75 mg', generic_name: 'Typed here', refid: 'R1' })
    })

    it('says that it is not known whether a record is saved, and saves it again without a reproach', async () => {
      await link(visit, 'Edit').click()
      await input(visit, 'Strength').fill('7 mg')
      let isLost = false
      await visit.page.route('**/admin/datasets/v1/?*', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        if (!isLost) await route.fetch()
        isLost = true
        await route.abort()
      })
      await button(visit, 'Save').click()
      await visit.page.getByText(/did not answer whether the record is saved/).waitFor({ timeout: 60_000 })
      expect(await stored()).toMatchObject({ strength: '7 mg' })
      await visit.page.unroute('**/admin/datasets/v1/?*')
      await button(visit, 'Save').click()
      await visit.page.getByText('Nothing had to be changed.').first().waitFor()
      visit.faults.length = 0
    })

    it('switches a record off', async () => {
      await link(visit, 'Edit').click()
      await visit.page.getByRole('switch', { name: 'Active' }).click()
      await save(visit)
      await visit.page.getByText('Inactive', { exact: true }).waitFor()
      expect(await stored()).toMatchObject({ is_active: false, generic_name: 'Typed here' })
    })

    it('refuses the id of another record for a new one', async () => {
      const before = await storedRecord(token, 'medication', 'B2')
      await link(visit, 'All medications').click()
      await link(visit, 'New medication').click()
      await heading(visit, 'New medication')
      await input(visit, 'Medication id').fill('B2')
      await input(visit, 'Name').fill('Paracetamol')
      await button(visit, 'Save').click()
      await visit.page.getByText('Medication id exists already').waitFor()
      const id = input(visit, 'Medication id')
      expect(await id.evaluate((element) => element === document.activeElement)).toBe(true)
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
    })
  })
})
