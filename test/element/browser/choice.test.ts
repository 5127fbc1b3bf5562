import { expect, it } from 'vitest'
import { type Box, describeOnSite } from './site'

/** Presses keys as soon as the box shows a status, before anything else can happen. @returns a promise of that */
async function pressWhenItSays(box: Box, text: string, keys: readonly string[]): Promise<() => Promise<void>> {
  const waiting = await box.status.evaluateHandle(
    (status, { text, keys }) => ({
      done: new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (status.textContent !== text) return
          observer.disconnect()
          for (const key of keys)
            document.activeElement?.dispatchEvent(
              new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
            )
          resolve()
        })
        observer.observe(status, { childList: true })
      }),
    }),
    { text, keys },
  )
  return () => waiting.evaluate(({ done }) => done)
}

describeOnSite('a choice in the search element', (at) => {
  it('shows the differences between records', async () => {
    const { box, visit } = await at().load()
    await box.find('metformin 850')
    expect(await box.option('850').innerText()).toMatch(/^Metformin, 850 mg, Tablet\s+Metformin 850 mg\s+Maker 1\s*$/)
    await box.find('zincum')
    const [name, maker, by] = (await box.option('Zinc').innerText()).split(/\s*\n\s*/)
    expect([name, maker, by]).toEqual(['Zinc syrup, 2 mg/ml, form not stated', 'Z', 'found by Zincum Sulfuricum'])
    await box.find('onerror')
    expect(await box.option('onerror').innerText()).toContain('<img src=x onerror=alert(1)>, 1 <b>mg</b>, Tablet')
    await box.option('onerror').click()
    expect(await box.value()).toBe('<i>&amp;')
    await box.says('Chosen: <img src=x onerror=alert(1)>')
    expect(await visit.page.locator('catalog-search img').count()).toBe(0)
  })

  it('is made in a row for records with equal name, strength and form', async () => {
    const { box, visit } = await at().load()
    await box.find('metformin')
    expect(await box.list.getByRole('option').count()).toBe(2)
    const countAfterDoubleClick = async () => {
      await box.option('7 manufacturers').dblclick()
      return box.list.getByRole('option').count()
    }
    // On a slow machine, the second click may come too late and close the row again.
    await expect.poll(countAfterDoubleClick, { timeout: 10_000 }).toBe(9)
    await box.says(/^7 manufacturers, open$/)
    expect([await box.value(), await box.events()]).toEqual(['', []])
    await visit.expectGood()
    await box.option('Maker 4').click()
    expect(await box.value()).toBe('M500-4')
    await box.says(/^Chosen: Metformin, 500 mg, Tablet, Metformin 500 mg, Maker 4$/)
    expect(await box.input.inputValue()).toBe('Metformin')
    const detail = { medication_id: 'M500-4', strength: '500 mg', manufacturer: 'Maker 4' }
    expect(await box.events()).toMatchObject([{ name: 'catalog-select', detail }])
    // Equal in all displayed values: their IDs distinguish them.
    await box.find('aspirin')
    await box.option('2 records').click()
    await box.option('ASP-2').click()
    expect(await box.value()).toBe('ASP-2')
  })

  it('reaches every record by keyboard, and is not made while or just when the next page arrives', async () => {
    const { box, site } = await at().load()
    await box.find('ibuprofen')
    await box.says('Matches: 50+')
    await box.reach('Show more', 'ArrowUp')
    site.proxy.override = () => ({ delayMs: 300 })
    const hasPressed = await pressWhenItSays(box, 'Matches: 100+', ['ArrowDown', 'Enter'])
    for (const key of ['Enter', 'Enter']) await box.press(key)
    await hasPressed()
    expect([await box.value(), site.sent]).toEqual(['', []])
    await box.reach('Show more')
    await box.takesChoices()
    await box.press('Enter')
    await box.says('Matches: 110')
    // The first of the new ones.
    await box.selected().filter({ hasText: 'Ibuprofen forte, 40 mg' }).waitFor()
    expect(await box.option('Show more').count()).toBe(0)
    expect(site.proxy.searches.map(({ q }) => q)).toEqual(['ibuprofen', 'ibuprofen', 'ibuprofen'])
    await box.reach('Ibuprofen forte, 49 mg')
    await box.takesChoices()
    await box.press('Enter')
    expect(await box.value()).toBe('FORTE-49')
  })

  it('is never made by a key that was not meant for it', async () => {
    const { box, site, visit, expectSent } = await at().load()
    await box.find('metformin 850')
    await box.press('Enter')
    expect([await box.value(), site.sent]).toEqual(['', []])
    await box.press('ArrowDown')
    await box.press('Tab')
    expect([await box.value(), await box.isOpen()]).toEqual(['', false])
    await box.says('Nothing is chosen yet.')
    expect(await visit.page.evaluate(() => document.activeElement?.textContent)).toBe('Order')
    await box.find('nothing at all')
    await box.press('Enter')
    expect([await box.value(), site.sent]).toEqual(['', []])

    await box.find('metformin')
    const { length } = site.proxy.searches
    await box.press('Escape')
    expect(await box.isOpen()).toBe(false)
    await box.press('ArrowDown')
    expect([await box.isOpen(), site.proxy.searches.length]).toEqual([true, length])
    await box.reach('7 manufacturers')
    await box.takesChoices()
    await box.press('Enter')
    await box.reach('Maker 6')
    await box.takesChoices()
    for (let times = 0; times < 3; times++) await visit.page.keyboard.down('Enter')
    await visit.page.keyboard.up('Enter')
    expect([await box.value(), (await box.events()).length, site.sent]).toEqual(['M500-6', 1, []])
    await box.press('Enter')
    await expectSent('drug_id=M500-6')
    // The next test loads its own page.
    await visit.page.waitForURL('**/order')
  })

  it('is reported with every digit of a number in its refid, so that the record can be sent on', async () => {
    const { box } = await at().load()
    await box.choose('zinc', 'Zinc')
    expect(await box.run('return JSON.stringify(box.record)')).toContain('"refid":450229981000132104,')
  })

  it('is cleared by clear(), and focus() focuses the input', async () => {
    const { box, visit } = await at().load()
    await box.choose()
    await visit.page.locator('h1').click()
    await box.run('box.clear(); box.focus()')
    expect([await box.value(), await box.input.inputValue(), await box.status.innerText()]).toEqual(['', '', ''])
    expect(await box.input.evaluate((input) => input === document.activeElement)).toBe(true)
    expect((await box.events()).at(-1)).toEqual({ name: 'catalog-clear', detail: null })
  })
})
