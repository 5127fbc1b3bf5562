/** What pages and their libraries do to nodes, with the platform alone. The record that is shown is the one that is sent. */
import { expect, it } from 'vitest'
import { forgive } from '../../console/browser/session-steps'
import { KNOWN, ORDER } from './box'
import { describeOnSite } from './on-site'

describeOnSite('the search element in a page that changes its nodes', (at) => {
  const held = () => at().box.held()
  const run = (script: string) =>
    at().visit.page.evaluate((code) => {
      const element = document.querySelector('catalog-search')
      return new Function('box', 'input', 'form', code)(
        element,
        element?.querySelector('input'),
        element?.closest('form'),
      )
    }, script)
  const choose = async () => {
    await at().box.choose()
    expect(await held()).toBe('drug_id=M850')
  }

  it('adds nothing to its children, and takes away what a copy has brought', async () => {
    const { box } = await at().load()
    const children = () => run('return box.childElementCount')
    expect(await children()).toBe(1)
    await box.find('metformin')
    await run('const copy = form.outerHTML; document.querySelector("main").innerHTML = copy')
    await expect.poll(children).toBe(1)
    await choose()
  })

  it.each([
    ['cloneNode', 'const copy = box.cloneNode(true); copy.firstElementChild.id = "copy"; box.after(copy)'],
    [
      'innerHTML',
      'const div = document.createElement("div"); div.innerHTML = box.outerHTML.replace("id=\\"drug\\"", ""); ' +
        'box.after(div); div.querySelector("input").value = input.value',
    ],
  ])('leaves a copy by %s without a choice, which says so', async (_, script) => {
    const { visit } = await at().load()
    await choose()
    await run(script)
    expect(await held()).toBe('drug_id=M850&drug_id=')
    await visit.page.getByRole('status').nth(1).filter({ hasText: 'Nothing is chosen yet.' }).waitFor()
    expect(await run('return form.checkValidity()')).toBe(false)
  })

  it('is the search box that it was after its attributes were taken away', async () => {
    const { box } = await at().load()
    await choose()
    await run('for (const { name } of [...input.attributes]) if (name !== "id") input.removeAttribute(name)')
    await expect.poll(() => box.input.getAttribute('role')).toBe('combobox')
    await box.says('Chosen: Metformin, 850 mg')
    await run('input.value = ""')
    await box.status.filter({ hasText: /^$/ }).waitFor({ state: 'attached' })
    expect(await held()).toBe('drug_id=')
  })

  it('keeps its choice when it is moved', async () => {
    const { box } = await at().load()
    await choose()
    await run('form.append(box)')
    await box.says('Chosen: Metformin, 850 mg, Tablet')
    expect(await held()).toBe('drug_id=M850')
  })

  it('looks up an id that the page sets, and says what it is, at once when it is known', async () => {
    const { box, site } = await at().load(KNOWN)
    expect(await held()).toBe('drug_id=M850')
    await box.says('Chosen: Metformin, 850 mg, Tablet, Metformin 850 mg, Maker 1')
    await run('box.value = "SYR"; input.value = "Zinc syrup"')
    await box.says('Chosen: Zinc syrup, 2 mg/ml, form not stated, Maker 3')
    const { length } = site.proxy.searches
    await run(`form.innerHTML = ${JSON.stringify(KNOWN)}`)
    await box.says('Chosen: Metformin, 850 mg, Tablet')
    expect(site.proxy.searches).toHaveLength(length)
  })

  it.each([
    ['of no record', 'box.value = "M85"; input.value = "Metformin"'],
    ['of a record that its text does not name', 'box.value = "M850"; input.value = "Metformin 500"'],
  ])('sends no id %s, and says so', async (_, script) => {
    const { box } = await at().load()
    await run(script)
    await box.says('No record has the id M85')
    expect(await held()).toBe('drug_id=')
    expect(await run('return form.checkValidity()')).toBe(false)
  })

  it('says that it cannot look an id up, and does so when it can', async () => {
    const { box, site, visit } = await at().load()
    site.proxy.override = ({ q }) => (q === undefined ? undefined : { status: 503 })
    await run('box.value = "M850"; input.value = "Metformin"')
    await box.says('The id M850 is not checked yet.')
    site.proxy.forget()
    await box.says('Chosen: Metformin, 850 mg')
    forgive(visit, /503/)
  })

  it('does not open again over a choice whose text the page writes in another way', async () => {
    const { box, visit } = await at().load()
    await run('input.addEventListener("input", () => { input.value = input.value.toUpperCase() })')
    await box.choose()
    await visit.page.waitForTimeout(700)
    expect([await box.input.inputValue(), await box.isOpen(), await held()]).toEqual([
      'METFORMIN',
      false,
      'drug_id=M850',
    ])
  })

  it('keeps boxes of one name apart', async () => {
    const other =
      '<catalog-search type="medication" token-url="/catalog-token" name="drug_id"><input id="two"></catalog-search>'
    const { box } = await at().load(ORDER.replace('<button', `${other}<button`))
    await box.choose()
    await run('box.nextElementSibling.value = "M850"; document.querySelector("#two").value = "Metformin"')
    expect(await held()).toBe('drug_id=M850&drug_id=M850')
    await run('input.value = "Other"')
    expect(await held()).toBe('drug_id=&drug_id=M850')
    expect(await run('return [...form.elements.drug_id].map(({ value }) => value)')).toEqual(['', 'M850'])
  })

  it('takes the name of the input, which is there for pages without the script', async () => {
    await at().load(ORDER.replace('id="drug"', 'id="drug" name="drug_text"'))
    await choose()
  })

  it('takes a label around it as the one of its input', async () => {
    const { visit } = await at().load(
      '<label>Drug <catalog-search type="medication" token-url="/catalog-token" name="drug_id"><input></catalog-search></label>',
    )
    const input = visit.page.getByRole('combobox', { name: 'Drug', exact: true })
    await visit.page.locator('label').click({ position: { x: 3, y: 3 } })
    await visit.page.keyboard.type('metformin 850')
    await visit.page.getByRole('option').first().waitFor()
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('tells the catalog of a choice, and takes a choice back when another catalog answers', async () => {
    const { box, site, visit } = await at().load(
      ORDER.replace('name="drug_id"', 'name="drug_id" source-name="drug_source"') +
        ORDER.replaceAll('drug"', 'two"').replace('>Drug<', '>Other<'),
    )
    await box.choose()
    expect(await held()).toBe('drug_id=M850&drug_source=workspace')
    expect((await box.events())[0]?.detail).toMatchObject({ medication_id: 'M850', source: 'workspace' })
    site.proxy.override = ({ q }) =>
      q === undefined ? undefined : { answer: { source: 'provider', items: [], groups: [] } }
    await visit.page.locator('#two').pressSequentially('zinc')
    await box.says('Another catalog is searched now. Choose again.')
    expect(await held()).toBe('drug_id=&drug_source=')
  })

  it('sends no step of an input method', async () => {
    const { box, site, visit } = await at().load()
    await box.input.focus()
    const session = await visit.page.context().newCDPSession(visit.page)
    for (const text of ['あ', 'あす', 'あすぴ'])
      await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
    await visit.page.waitForTimeout(500)
    expect(site.proxy.searches).toEqual([])
    await session.send('Input.insertText', { text: 'aspirin' })
    await box.says('Matches: 2')
    expect(site.proxy.searches.map(({ q }) => q)).toEqual(['aspirin'])
  })
})
