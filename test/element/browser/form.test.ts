import { expect, it } from 'vitest'
import { Box, describeOnSite, KNOWN, ORDER } from './site'

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

describeOnSite('the search element in a form', (at) => {
  it('is two boxes with one token, each with its own texts and its own choice', async () => {
    const { box, site, visit, click, expectSent } = await at().load(TWO)
    const symptom = new Box(visit.page, 'Symptom')
    // A choice is required.
    await click('Order')
    await box.says('Nothing is chosen yet.')
    expect(site.sent).toEqual([])
    await box.choose()
    await symptom.input.fill('cough')
    await symptom.says('Treffer: 1')
    await symptom.takesChoices()
    await symptom.option('R05').click()
    expect(site.tokens).toBe(1)
    await click('Order')
    await expectSent('drug_id=M850&symptom_id=S1')
  })

  it('begins with the record that the page names, and returns to it; a disabled input sends nothing', async () => {
    const { box, click, expectSent } = await at().load(KNOWN)
    expect(await box.value()).toBe('M850')
    await box.type('x')
    expect(await box.value()).toBe('')
    await box.press('Escape')
    await box.press('Tab')
    await click('Reset')
    await expect.poll(() => box.value()).toBe('M850')
    await box.run('input.disabled = true')
    expect(await box.held()).toBe('')
    await box.run('input.disabled = false')
    await click('Order')
    await expectSent('drug_id=M850')
  })

  it('works for an input that comes later than the element', async () => {
    const later = '<catalog-search type="medication" token-url="/catalog-token"></catalog-search>'
    const { box, visit } = await at().load(later + ORDER)
    await box.run('box.append(Object.assign(document.createElement("input"), { ariaLabel: "Later" }))')
    const other = new Box(visit.page, 'Later')
    await other.find('aspirin')
    expect(await other.isOpen()).toBe(true)
  })

  it('is reset with a form in a shadow tree', async () => {
    const { box, visit, click, expectSent } = await at().load(
      `<div id="host"><template shadowrootmode="open">${KNOWN}</template></div>`,
    )
    await box.find('aspirin')
    await box.option('2 records').click()
    await box.option('ASP-2').click()
    expect(await box.held()).toBe('drug_id=ASP-2')
    const atOnce = await visit.page.locator('#host').evaluate(({ shadowRoot }) => {
      const form = shadowRoot?.querySelector('form')
      form?.reset()
      return new FormData(form ?? undefined).get('drug_id')
    })
    expect(atOnce).toBe('M850')
    await click('Order')
    await expectSent('drug_id=M850')
  })

  it('sends no text that is no choice, which it says only after somebody has left it', async () => {
    const { box, site, click, expectSent } = await at().load()
    const isInvalid = async () => (await box.input.getAttribute('aria-invalid')) === 'true'
    await box.find('metformin')
    expect(await isInvalid()).toBe(false)
    await box.press('Tab')
    expect(await isInvalid()).toBe(true)
    await box.says('Nothing is chosen yet.')
    await click('Order')
    expect([await box.input.evaluate((input) => input === document.activeElement), site.sent]).toEqual([true, []])
    await box.type('x')
    expect(await isInvalid()).toBe(false)
    await box.choose()
    await click('Reset')
    await expect.poll(() => box.value()).toBe('')
    expect([await box.status.innerText(), (await box.events()).at(-1)?.name]).toEqual(['', 'catalog-clear'])
    await click('Order')
    await expectSent('drug_id=')
  })

  it('keeps boxes and values of one name apart', async () => {
    const other = ORDER.split('\n')[3]?.replace('id="drug"', 'id="two"')
    const values = '<input type="hidden" name="drug_id" value="M7"><input name="note" value="n">'
    const { box } = await at().load(ORDER.replace('<button', `${other}${values}<button`))
    await box.choose()
    await box.run('box.nextElementSibling.value = "M850"; document.querySelector("#two").value = "Metformin"')
    expect(await box.held()).toBe('drug_id=M850&drug_id=M850&drug_id=M7&note=n')
    await box.run('input.value = "Other"')
    expect(await box.held()).toBe('drug_id=&drug_id=M850&drug_id=M7&note=n')
    expect(await box.run('return [...form.elements.drug_id].map(({ value }) => value)')).toEqual(['', 'M850', 'M7'])
  })

  it('takes the label around it, and the name of the input, which is there for pages without the script', async () => {
    const around = ORDER.replace('<label for="drug">Drug</label>', '<label>Drug ')
      .replace('</catalog-search>', '</catalog-search></label>')
      .replace('id="drug"', 'name="drug_text"')
    const { box, visit } = await at().load(around)
    await visit.page.locator('label').click({ position: { x: 3, y: 3 } })
    await visit.page.keyboard.type('metformin 850')
    await visit.page.getByRole('option').first().click()
    expect(await box.run('return document.activeElement === input && input.getAttribute("role")')).toBe('combobox')
    expect(await box.run('return String(new URLSearchParams(new FormData(form)))')).toBe('drug_id=M850')
  })

  it('tells the catalog of a choice, and takes a choice back when another catalog answers', async () => {
    const { box, site, visit } = await at().load(
      ORDER.replace('name="drug_id"', 'name="drug_id" source-name="drug_source"') +
        ORDER.replaceAll('drug"', 'two"').replace('>Drug<', '>Other<'),
    )
    await box.choose()
    expect(await box.held()).toBe('drug_id=M850&drug_source=workspace')
    expect((await box.events())[0]?.detail).toMatchObject({ medication_id: 'M850', source: 'workspace' })
    site.proxy.override = ({ q }) =>
      q === undefined ? undefined : { answer: { source: 'provider', items: [], groups: [] } }
    await visit.page.locator('#two').fill('zinc')
    await box.says('Another catalog is searched now. Choose again.')
    expect(await box.held()).toBe('drug_id=&drug_source=')
  })
})
