import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { button, filledWorkspace, heading, input, link, said, valueBeside } from './record-pages'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { rawRecord } from './workspaces'

const MARKUP = `<img src="x" onerror="document.title='run'"><script>document.title='run'</script>`

describeInBrowser('one record of a catalog', (browser) => {
  describe('a record in full', () => {
    let visit: Visit
    let token: string
    beforeAll(async () => {
      token = await filledWorkspace(
        'Records',
        'medication',
        `[{"medication_id":"FULL","name":"Full tablet","display_name":"Fuller","aliases":["One","Two"],
          "strength":"5 mg","generic_name":"Generic","generic_id":"G1","generic_list":["A","B"],
          "generic_list_ids":["GA","GB"],"form_name":"Tablet","sku":"S-1","schedule_code":"H1","custom_type":"own",
          "therapy_class":"Class","therapy_class_id":"T1","action_class":"Action","action_class_id":"A1",
          "manufacturer":"Maker","otc":false,"refid":{"number":12345678901234567890}},
         {"medication_id":"BARE","name":"Bare tablet","is_active":false},
         {"medication_id":"%2F","name":"Escaped"},
         {"medication_id":"edit","name":"Word of the address"},
         {"medication_id":"m","name":${JSON.stringify(MARKUP)},"aliases":[${JSON.stringify(MARKUP)}]}]`,
      )
      visit = await visitAt(browser(), 'Records', 'Catalog')
    })
    afterAll(() => visit.end())

    it('shows every field', async () => {
      await link(visit, 'Full tablet').click()
      await heading(visit, 'Full tablet')
      await visit.page.getByText('5 mg · Tablet · Maker', { exact: true }).waitFor()
      expect(await visit.page.getByText('Inactive', { exact: true }).count()).toBe(0)
      expect(await visit.page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
        'Names',
        'What it contains',
        'Who makes it',
        'Class and schedule',
        'Ids',
        'History',
      ])
      for (const [label, text] of [
        ['Medication id', 'FULL'],
        ['Name', 'Full tablet'],
        ['Display name', 'Fuller'],
        ['Strength', '5 mg'],
        ['Generic name', 'Generic'],
        ['Generic id', 'G1'],
        ['SKU', 'S-1'],
        ['Schedule', 'H1'],
        ['Custom type', 'own'],
        ['Therapeutic class', 'Class'],
        ['Therapeutic class id', 'T1'],
        ['Mode of action', 'Action'],
        ['Mode of action id', 'A1'],
        ['Manufacturer', 'Maker'],
        ['OTC', 'No'],
      ] as const) {
        expect(await valueBeside(visit, label).innerText(), label).toBe(text)
      }
      for (const [label, items] of [
        ['Aliases', ['One', 'Two']],
        ['Generic components', ['A', 'B']],
        ['Ids of the generic components', ['GA', 'GB']],
      ] as const) {
        expect(await valueBeside(visit, label).locator('.item').allInnerTexts(), label).toEqual(items)
      }
      expect(await valueBeside(visit, 'Dosage form').innerText()).toMatch(
        /^Tablet\s+Linked to the accepted dosage form/,
      )
      expect(JSON.parse(await valueBeside(visit, 'Reference id').innerText())).toHaveProperty('number')
      expect(await valueBeside(visit, 'Reference id').innerText()).toContain('12345678901234567890')
      await valueBeside(visit, 'Updated').getByRole('time').waitFor()
      await visit.expectGood()
    })

    it('says which fields are not given', async () => {
      await visit.follow('/console/medication/catalog/BARE')
      await heading(visit, 'Bare tablet')
      await visit.page.getByText('Inactive', { exact: true }).waitFor()
      await visit.page.getByText(/^Not given: display name, aliases, strength, .*OTC/).waitFor()
    })

    it('is deactivated by one click, and made active again by another, with all of its values', async () => {
      const stored = async () => {
        const { updated_at, ...values } = JSON.parse(await rawRecord(token, 'medication', 'FULL')).data
        return values
      }
      const before = await stored()
      await visit.follow('/console/medication/catalog/FULL')
      await button(visit, 'Deactivate').click()
      await said(visit, '1 medication deactivated.')
      await visit.page.getByText('Inactive', { exact: true }).waitFor()
      await button(visit, 'Reactivate').waitFor()
      await visit.expectGood()
      expect(await stored()).toEqual({ ...before, is_active: false })
      expect(await rawRecord(token, 'medication', 'FULL')).toContain('12345678901234567890')
      // The notice has the focus: the next stop is the way back.
      await visit.page.keyboard.press('Tab')
      await visit.page.keyboard.press('Enter')
      await said(visit, '1 medication active again.')
      expect(await stored()).toEqual(before)
      expect(await button(visit, 'Undo').count()).toBe(0)
      await button(visit, 'Deactivate').waitFor()
    })

    it.each([
      ['%2F', 'Escaped'],
      ['edit', 'Word of the address'],
    ])('has an address of its own, though its id is %s', async (id, name) => {
      await link(visit, 'All medications').click()
      await link(visit, name).click()
      await heading(visit, name)
      expect(await valueBeside(visit, 'Medication id').innerText()).toBe(id)
      await link(visit, 'Edit').click()
      await heading(visit, 'Edit medication')
      await visit.page.reload()
      expect(await input(visit, 'Medication id').inputValue()).toBe(id)
      await link(visit, 'Back to the medication').click()
      await heading(visit, name)
    })

    it('is shown as text, in the list too, also if its name is markup', async () => {
      await link(visit, 'All medications').click()
      await link(visit, MARKUP).click()
      await heading(visit, MARKUP)
      expect(await visit.page.locator('img[src="x"]').count()).toBe(0)
      expect(await visit.page.title()).not.toBe('run')
    })

    it('that is not there is said to be missing', async () => {
      await visit.follow('/console/medication/catalog/nobody')
      await visit.page.getByRole('alert').getByText('There is no such medication').waitFor()
      await link(visit, 'All medications').click()
      await heading(visit, 'Catalog')
    })
  })
})
