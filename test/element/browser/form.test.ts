import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser, type Visit } from '../../console/browser/visit'
import { Box, newPartnerSite, newVisitor, ORDER, openSite } from './box'
import type { PartnerSite } from './partner-site'

const TWO = `
<form method="post" action="/order">
  <label for="drug">Drug</label>
  <catalog-search type="medication" token-url="/catalog-token" name="drug_id" required><input id="drug"></catalog-search>
  <label for="symptom">Symptom</label>
  <catalog-search type="symptom" token-url="/catalog-token" name="symptom_id" text-matches="Treffer: {n}">
    <input id="symptom">
  </catalog-search>
  <button type="submit">Order</button>
</form>`

const KNOWN = `
<form method="post" action="/order">
  <label for="drug">Drug</label>
  <catalog-search type="medication" token-url="/catalog-token" name="drug_id" value="M850">
    <input id="drug" value="Metformin">
  </catalog-search>
  <button type="submit">Order</button>
  <button type="reset">Reset</button>
</form>`

describeInBrowser('the search element in a form', (browser) => {
  let site: PartnerSite
  let visit: Visit
  let box: Box

  beforeAll(async () => {
    site = await newPartnerSite('Form')
    visit = await newVisitor(browser())
    box = new Box(visit.page)
  })
  afterAll(async () => {
    await visit.end()
    site.close()
  })

  const begin = async (html: string) => {
    site.show({ html })
    await openSite(visit, site)
  }
  const order = () => visit.page.getByRole('button', { name: 'Order' }).click()

  it('is two boxes with one token, each with its own texts and its own choice', async () => {
    await begin(TWO)
    const symptom = new Box(visit.page, 'Symptom')
    await box.find('metformin 850')
    await box.option('850').click()
    await symptom.type('cough')
    await symptom.says('Treffer: 1')
    await visit.expectGood()
    await symptom.option('R05').click()
    expect(site.tokens).toBe(1)
    await order()
    await expect.poll(() => site.sent).toEqual(['drug_id=M850&symptom_id=S1'])
  })

  it('sends nothing without a choice where one is required', async () => {
    await begin(TWO)
    await order()
    expect(await box.input.evaluate((input) => (input as HTMLInputElement).validity.valueMissing)).toBe(true)
    expect(site.sent).toEqual([])
  })

  it('sends nothing with a text that looks like a choice and is none', async () => {
    await begin(ORDER)
    await box.find('metformin')
    await box.press('Escape')
    await order()
    expect(await box.input.evaluate((input) => (input as HTMLInputElement).validationMessage)).toContain(
      'Nothing is chosen yet.',
    )
    expect(site.sent).toEqual([])
    await box.input.fill('')
    await order()
    await expect.poll(() => site.sent).toEqual(['drug_id='])
  })

  it('is empty after a reset', async () => {
    await begin(ORDER)
    await box.find('metformin 850')
    await box.option('850').click()
    await visit.page.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => box.value()).toBe('')
    expect(await box.status.innerText()).toBe('')
    expect((await box.events()).at(-1)?.name).toBe('catalog-clear')
  })

  it('begins with the record that the page names, and returns to it', async () => {
    await begin(KNOWN)
    expect(await box.value()).toBe('M850')
    await box.type('x')
    expect(await box.value()).toBe('')
    await visit.page.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => box.value()).toBe('M850')
    await order()
    await expect.poll(() => site.sent).toEqual(['drug_id=M850'])
  })

  it('sends nothing of an input that is disabled', async () => {
    await begin(KNOWN)
    await box.input.evaluate((input) => {
      ;(input as HTMLInputElement).disabled = true
    })
    await order()
    await expect.poll(() => site.sent).toEqual([''])
  })

  it('works for an input that comes later than the element', async () => {
    await begin(`<catalog-search type="medication" token-url="/catalog-token"></catalog-search>${ORDER}`)
    await visit.page.evaluate(() => {
      const input = document.createElement('input')
      input.ariaLabel = 'Later'
      document.querySelector('catalog-search')?.append(input)
    })
    const later = new Box(visit.page, 'Later')
    await later.find('aspirin')
    expect(await later.isOpen()).toBe(true)
  })
})
