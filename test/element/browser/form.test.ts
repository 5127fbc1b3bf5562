import { expect, it } from 'vitest'
import { Box, describeOnSite, KNOWN, ORDER } from './site'

const TWO = `
<form method="post" action="/order">
  <label for="drug">Drug</label>
  <catalog-search type="medication" token-url="/catalog-token" name="drug_id" required><input id="drug"></catalog-search>
  <label for="symptom">Symptom</label>
  <catalog-search type="symptom" token-url="/catalog-token" name="symptom_id" text-matches="Treffer: {n}">
    <input id="symptom" name="symptom_text">
  </catalog-search>
  <button type="submit">Order</button>
</form>`

describeOnSite('the search element in a form', (at) => {
  it('can be two boxes with one token, each with its own texts and its own choice', async () => {
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
    // The input's name is for pages without the script.
    await expectSent('drug_id=M850&symptom_id=S1')
  })

  it('starts with the record that the page names, and returns to it', async () => {
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

  it('sends no text without a choice, and says so only after the user has left it', async () => {
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

  it('after a reset of its form, shows the value that the page has set last, if the box also shows it', async () => {
    const { box, click } = await at().load()
    await box.choose()
    // Like a framework that stores text and ID: the text is back after a reset.
    await box.run('box.value = "M850"; input.setAttribute("value", "Metformin")')
    const { length } = await box.events()
    await click('Reset')
    await box.says('Chosen: Metformin, 850 mg')
    expect([await box.held(), (await box.events()).length]).toEqual(['drug_id=M850', length])
    await box.run('input.removeAttribute("value")')
    await click('Reset')
    await expect.poll(() => box.held()).toBe('drug_id=')
    expect([await box.status.innerText(), (await box.events()).slice(length)]).toEqual([
      '',
      [{ name: 'catalog-clear', detail: null }],
    ])
  })

  it('keeps boxes and values with the same name apart', async () => {
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

  it('reports the catalog of a choice, and clears a choice if another catalog responds', async () => {
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
    await box.says('The search now uses a different catalog. Choose again.')
    expect(await box.held()).toBe('drug_id=&drug_source=')
  })
})
