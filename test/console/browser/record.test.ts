import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { button, heading, input, link, said, valueBeside } from './steps'
import { describeInBrowser, visitAt } from './visit'
import { filledWorkspace, rawRecord, writeRecords } from './workspaces'

const MARKUP = `<img src="x" onerror="document.title='run'"><script>document.title='run'</script>`

/** Opens the catalog with a record that has every kind of field, one with few fields, and unusual ones. */
async function begin(browser: Browser) {
  const token = await filledWorkspace(
    'Records',
    'medication',
    `[{"medication_id":"FULL","name":"Full tablet","aliases":["One","Two"],"strength":"5 mg","generic_list":["A","B"],
        "form_name":"Tablet","manufacturer":"Maker","otc":false,"refid":{"number":12345678901234567890}},
       {"medication_id":"BARE","name":"Bare tablet","is_active":false},
       {"medication_id":"%2F","name":"Escaped"},
       {"medication_id":"m","name":${JSON.stringify(MARKUP)},"aliases":[${JSON.stringify(MARKUP)}]}]`,
  )
  const visit = await visitAt(browser, 'Records', 'Catalog')
  return { visit, token, inactive: visit.page.getByText('Inactive', { exact: true }) }
}

describeInBrowser('the page of a record', (browser) => {
  it('shows each field with a value as text', async () => {
    const { visit, inactive } = await begin(browser())
    await link(visit, 'Full tablet').click()
    await heading(visit, 'Full tablet')
    await visit.page.getByText('5 mg · Tablet · Maker', { exact: true }).waitFor()
    expect(await inactive.count()).toBe(0)
    for (const [label, text] of Object.entries({ 'Medication ID': 'FULL', Strength: '5 mg', OTC: 'No' }))
      expect(await valueBeside(visit, label).innerText(), label).toBe(text)
    expect(await valueBeside(visit, 'Aliases').locator('.item').allInnerTexts()).toEqual(['One', 'Two'])
    expect(await valueBeside(visit, 'Dosage form').innerText()).toMatch(/^Tablet\s+Linked to the accepted dosage form/)
    expect(await valueBeside(visit, 'Reference ID').innerText()).toMatch(/"number":\s*12345678901234567890/)
    await valueBeside(visit, 'Updated').getByRole('time').waitFor()
    await visit.expectGood()
  })

  it('names the fields without a value', async () => {
    const { visit, inactive } = await begin(browser())
    await visit.follow('/console/medication/catalog/BARE')
    await heading(visit, 'Bare tablet')
    await inactive.waitFor()
    await visit.page.getByText(/^Not given: display name, aliases, strength, .*OTC/).waitFor()
  })

  it('can be deactivated with a click, which can be undone', async () => {
    const { visit, token, inactive } = await begin(browser())
    const stored = async () => {
      const { updated_at, ...values } = JSON.parse(await rawRecord(token, 'medication', 'FULL')).data
      return values
    }
    const before = await stored()
    await visit.follow('/console/medication/catalog/FULL')
    await button(visit, 'Deactivate').click()
    await said(visit, '1 medication deactivated.')
    await inactive.waitFor()
    expect(await stored()).toEqual({ ...before, is_active: false })
    expect(await rawRecord(token, 'medication', 'FULL')).toContain('12345678901234567890')
    // The notice has the focus, so Undo is next in the tab order.
    await visit.page.keyboard.press('Tab')
    await visit.page.keyboard.press('Enter')
    await said(visit, '1 medication active again.')
    expect(await stored()).toEqual(before)
    expect(await button(visit, 'Undo').count()).toBe(0)
  })

  it('has a URL, whatever the ID', async () => {
    const { visit } = await begin(browser())
    await link(visit, 'Escaped').click()
    await heading(visit, 'Escaped')
    await link(visit, 'Edit').click()
    await heading(visit, 'Edit medication')
    await visit.page.reload()
    expect(await input(visit, 'Medication ID').inputValue()).toBe('%2F')
  })

  it('shows its earlier changes, and markup as text', async () => {
    const { visit, token } = await begin(browser())
    for (let n = 0; n < 11; n++)
      await writeRecords(token, 'medication', [{ medication_id: 'm', name: MARKUP, strength: `${n} mg` }])
    await visit.follow('/console/medication/catalog/m')
    await heading(visit, MARKUP)
    await button(visit, 'Show earlier changes').click()
    await expect.poll(() => visit.page.locator('[aria-labelledby=record-history] > li').count()).toBe(12)
    expect(await visit.page.locator('img[src="x"]').count()).toBe(0)
    expect(await visit.page.title()).not.toBe('run')
  })
})
