/**
 * Changes that pages and their libraries make to nodes, with the platform alone. The displayed record must be the one
 * that is sent.
 */
import { expect, it } from 'vitest'
import { describeOnSite, KNOWN } from './site'

describeOnSite('the search element in a page that changes it', (at) => {
  it('adds nothing to its children, and is unchanged after it was rewritten, stripped and moved', async () => {
    const { box } = await at().load()
    const children = () => box.run('return box.childElementCount')
    expect(await children()).toBe(1)
    await box.find('metformin')
    await box.run('const copy = form.outerHTML; document.querySelector("main").innerHTML = copy')
    await expect.poll(children).toBe(1)
    await box.choose()
    await box.run('for (const { name } of [...input.attributes]) if (name !== "id") input.removeAttribute(name)')
    await expect.poll(() => box.input.getAttribute('role')).toBe('combobox')
    await box.run('form.append(box)')
    await box.says('Chosen: Metformin, 850 mg, Tablet')
    expect(await box.held()).toBe('drug_id=M850')
    await box.run('input.value = ""')
    await box.status.filter({ hasText: /^$/ }).waitFor({ state: 'attached' })
    expect(await box.held()).toBe('drug_id=')
  })

  it('leaves a copy without a choice, and the copy says so', async () => {
    const { box, visit } = await at().load()
    await box.choose()
    await box.run('const copy = box.cloneNode(true); copy.firstElementChild.id = "copy"; box.after(copy)')
    expect(await box.held()).toBe('drug_id=M850&drug_id=')
    await visit.page.getByRole('status').nth(1).filter({ hasText: 'Nothing is chosen yet.' }).waitFor()
    expect(await box.run('return form.checkValidity()')).toBe(false)
  })

  it('sends an ID that the page sets only if its text names the record', async () => {
    const { box, site, visit } = await at().load(KNOWN)
    expect(await box.held()).toBe('drug_id=M850')
    await box.says('Chosen: Metformin, 850 mg, Tablet, Metformin 850 mg, Maker 1')
    for (const [script, said, held] of [
      ['box.value = "SYR"; input.value = "Zinc syrup"', 'Chosen: Zinc syrup, 2 mg/ml, form not stated, Z', 'SYR'],
      ['input.value = "Aspirin"; box.setAttribute("value", "ASP-1")', 'Chosen: Aspirin, 100 mg', 'ASP-1'],
      ['box.value = "M85"; input.value = "Metformin"', 'No record has the id M85', ''],
      ['input.value = "Metformin 500"; box.value = "M850"', 'No record has the id M85', ''],
    ] as const) {
      await box.run(script)
      await box.says(said)
      expect(await box.held()).toBe(`drug_id=${held}`)
      expect(await box.run('return form.checkValidity()')).toBe(held !== '')
    }
    // Known IDs are not requested again.
    const { length } = site.proxy.searches
    await box.run(`form.innerHTML = ${JSON.stringify(KNOWN)}`)
    await box.says('Chosen: Metformin, 850 mg, Tablet')
    expect(site.proxy.searches).toHaveLength(length)
    await box.run('box.value = ""')
    expect(await box.held()).toBe('drug_id=')

    site.proxy.override = ({ q }) => (q === undefined ? undefined : { status: 503 })
    await box.run('box.value = "M500-1"; input.value = "Metformin"')
    await box.says('The id M500-1 is not checked yet.')
    site.proxy.forget()
    await box.run('dispatchEvent(new Event("online"))')
    await box.says('Chosen: Metformin, 500 mg')
    visit.forgive(/503/)
    await at().load(KNOWN.replace('value="Metformin"', ''))
    expect(await box.held()).toBe('drug_id=')
  })

  it('looks an ID up again a minute later, and clears the choice if the record has changed or is gone', async () => {
    const { box, site } = await at().load(KNOWN)
    await box.says('Chosen: Metformin, 850 mg')
    const setAgain = () => box.run('box.value = "M850"; input.value = "Metformin"')
    const passMinute = () => box.run('const now = Date.now; Date.now = () => now() + 61_000')
    const answers = (...items: object[]) => {
      const groups = [{ match: 'exact', count: items.length, query: null, left_out: [] }]
      site.proxy.override = ({ q }) => (q === 'M850' ? { answer: { source: 'workspace', items, groups } } : undefined)
    }
    const metformin = {
      medication_id: 'M850',
      name: 'Metformin 850 mg',
      display_name: 'Metformin',
      form_name: 'Tablet',
    }
    const shown = { ...metformin, strength: '850 mg', manufacturer: 'Maker 1' }
    answers(shown)
    await setAgain()
    expect(site.proxy.searches).toHaveLength(1)
    await passMinute()
    await setAgain()
    await expect.poll(() => site.proxy.searches.length).toBe(2)
    await box.says('Chosen: Metformin, 850 mg')

    answers({ ...shown, strength: '8.5 mg' })
    await passMinute()
    // A page that clears its choice on the event keeps the reason.
    await box.run('box.addEventListener("catalog-clear", () => { box.value = "" }, { once: true })')
    await setAgain()
    await box.says('Record M850 has changed. Choose again.')
    await box.run('return new Promise(requestAnimationFrame)')
    await box.says('Record M850 has changed. Choose again.')
    expect([await box.held(), (await box.events()).at(-1)?.name]).toEqual(['drug_id=', 'catalog-clear'])

    answers()
    await passMinute()
    await setAgain()
    await box.says('No record has the id M850')
    expect(await box.held()).toBe('drug_id=')
  })

  it.each([
    ['another dose', 'Metformin 85 mg', ''],
    ['its dose', 'Metformin 850 mg', 'M850'],
  ])("sends nothing for a text with another dose than the record's: %s", async (_, text, id) => {
    const { box } = await at().load(KNOWN.replace('value="Metformin"', `value="${text}"`))
    await box.says(id === '' ? 'No record has the id M850' : 'Chosen: Metformin, 850 mg')
    expect(await box.held()).toBe(`drug_id=${id}`)
  })

  it('contains no record that its box does not show', async () => {
    const { box, visit } = await at().load()
    await box.run('input.oninput = (e) => { e.stopPropagation(); input.value = input.value.toUpperCase() }')
    await box.find('metform')
    expect(await box.input.inputValue()).toBe('METFORM')
    await box.choose('METFORMIN 850')
    await visit.page.waitForTimeout(700)
    const state = [await box.input.inputValue(), await box.isOpen(), await box.held()]
    expect(state).toEqual(['METFORMIN', false, 'drug_id=M850'])
    for (const [text, id] of [
      ['Metformin', 'M850'],
      ['Metformin 1000', ''],
    ] as const) {
      await box.run(`input.value = "${text}"`)
      expect([await box.held(), await box.value()]).toEqual([`drug_id=${id}`, id])
      expect(await box.events()).toHaveLength(id === '' ? 2 : 1)
    }
  })

  it('sends no intermediate step of an input method', async () => {
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
