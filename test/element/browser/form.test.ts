import { expect, it } from 'vitest'
import { Box, KNOWN, ORDER } from './box'
import { describeOnSite } from './on-site'

/** The element in a page, with what its form holds. */
type Element = HTMLElement & { value: string; record: object | null }

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
  const order = () => at().visit.page.getByRole('button', { name: 'Order' }).click()

  it('is two boxes with one token, each with its own texts and its own choice', async () => {
    const { box, site, visit } = await at().load(TWO)
    const symptom = new Box(visit.page, 'Symptom')
    // A choice is required.
    await order()
    await box.says('Nothing is chosen yet.')
    expect(site.sent).toEqual([])
    await box.choose()
    await symptom.type('cough')
    await symptom.says('Treffer: 1')
    await symptom.option('R05').click()
    expect(site.tokens).toBe(1)
    await order()
    await expect.poll(() => site.sent).toEqual(['drug_id=M850&symptom_id=S1'])
  })

  it('begins with the record that the page names, and returns to it', async () => {
    const { box, site, visit } = await at().load(KNOWN)
    expect(await box.value()).toBe('M850')
    await box.type('x')
    expect(await box.value()).toBe('')
    await box.press('Escape')
    await box.press('Tab')
    await visit.page.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => box.value()).toBe('M850')
    await order()
    await expect.poll(() => site.sent).toEqual(['drug_id=M850'])
  })

  it('sends nothing of an input that is disabled', async () => {
    const { box, site } = await at().load(KNOWN)
    await box.input.evaluate((input) => {
      ;(input as HTMLInputElement).disabled = true
    })
    await order()
    await expect.poll(() => site.sent).toEqual([''])
  })

  it('works for an input that comes later than the element', async () => {
    const { visit } = await at().load(
      `<catalog-search type="medication" token-url="/catalog-token"></catalog-search>${ORDER}`,
    )
    await visit.page.evaluate(() => {
      const input = document.createElement('input')
      input.ariaLabel = 'Later'
      document.querySelector('catalog-search')?.append(input)
    })
    const later = new Box(visit.page, 'Later')
    await later.find('aspirin')
    expect(await later.isOpen()).toBe(true)
  })

  const held = () => at().box.held()
  const setText = (text: string) => at().box.input.evaluate((input, value) => Object.assign(input, { value }), text)

  it('keeps the other values of its name when it takes one back', async () => {
    await at().load(
      ORDER.replace('<button', '<input type="hidden" name="drug_id" value="M850"><input name="note" value="n"><button'),
    )
    await at().box.choose()
    await setText('Metformin 1000')
    expect(await held()).toBe('drug_id=&drug_id=M850&note=n')
  })

  it('is reset with a form in a shadow tree', async () => {
    const { box, site, visit } = await at().load(
      `<div id="host"><template shadowrootmode="open">${KNOWN}</template></div>`,
    )
    await box.input.fill('')
    await box.find('aspirin')
    await box.option('2 records').click()
    await box.option('ASP-2').click()
    expect(await held()).toBe('drug_id=ASP-2')
    await visit.page.locator('#host').evaluate((host) => {
      host.shadowRoot?.querySelector('form')?.reset()
      Object.assign(window, {
        atOnce: new FormData(host.shadowRoot?.querySelector('form') ?? undefined).get('drug_id'),
      })
    })
    expect(await visit.page.evaluate(() => (window as unknown as { atOnce: string }).atOnce)).toBe('M850')
    await order()
    await expect.poll(() => site.sent).toEqual(['drug_id=M850'])
  })

  it('sends no record that the page names without its text', async () => {
    await at().load(KNOWN.replace('value="Metformin"', ''))
    expect(await held()).toBe('drug_id=')
  })

  it('is empty after a reset', async () => {
    const { box, visit } = await at().load()
    await box.choose()
    await visit.page.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => box.value()).toBe('')
    expect(await box.status.innerText()).toBe('')
    expect((await box.events()).at(-1)?.name).toBe('catalog-clear')
  })

  it.each([
    ['another text', 'Metformin 1000', ''],
    ['no text', '', ''],
    ['the text that is there', 'Metformin', 'M850'],
  ])('holds no record that its box does not show, when the page sets %s', async (_, text, id) => {
    const { box } = await at().load()
    await at().box.choose()
    await setText(text)
    expect(await held()).toBe(`drug_id=${id}`)
    expect(await box.value()).toBe(id)
    const { length } = await box.events()
    expect(length).toBe(id === '' ? 2 : 1)
  })

  it('is told to be invalid only after somebody has left it', async () => {
    const { box } = await at().load()
    const isInvalid = async () => (await box.input.getAttribute('aria-invalid')) === 'true'
    await box.find('metformin')
    expect(await isInvalid()).toBe(false)
    await box.press('Tab')
    expect(await isInvalid()).toBe(true)
    await box.says('Nothing is chosen yet.')
    await box.type('x')
    expect(await isInvalid()).toBe(false)
  })

  it('sends nothing with a text that looks like a choice and is none', async () => {
    const { box, site } = await at().load()
    await box.find('metformin')
    await box.press('Escape')
    await order()
    await box.says('Nothing is chosen yet.')
    expect(await box.input.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(site.sent).toEqual([])
    await box.input.fill('')
    await order()
    await expect.poll(() => site.sent).toEqual(['drug_id='])
  })

  it.each([
    ['the property after the text', 'input.value = "Aspirin"; box.value = "ASP-1"'],
    ['the property before the text', 'box.value = "ASP-1"; input.value = "Aspirin"'],
    ['the attribute', 'input.value = "Aspirin"; box.setAttribute("value", "ASP-1")'],
  ])('takes a record from the page by %s', async (_, script) => {
    const { box, visit } = await at().load()
    await visit.page.evaluate(
      (code) =>
        new Function('box', 'input', code)(document.querySelector('catalog-search'), document.querySelector('#drug')),
      script,
    )
    expect(await held()).toBe('drug_id=ASP-1')
    await box.type('x')
    expect(await held()).toBe('drug_id=')
    await visit.page.evaluate(() => {
      const element = document.querySelector<Element>('catalog-search')
      if (element !== null) element.value = ''
    })
    expect(await box.value()).toBe('')
  })
})
