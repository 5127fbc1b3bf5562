import { expect, it } from 'vitest'
import { describeOnSite } from './on-site'

describeOnSite('a choice in the search element', (at) => {
  it('shows name, strength, form and manufacturer of each record, and says what is not stated', async () => {
    const { box } = await at().load()
    await box.find('metformin 850')
    expect(await box.option('850').innerText()).toMatch(/^Metformin, 850 mg, Tablet\s+Metformin 850 mg\s+Maker 1\s*$/)
    await box.input.fill('')
    await box.find('zinc')
    expect(await box.option('Zinc').innerText()).toMatch(/^Zinc syrup, 2 mg\/ml, form not stated\s+Maker 3\s*$/)
    await box.input.fill('')
    await box.find('zincum')
    expect(await box.option('Zinc syrup').innerText()).toMatch(/found by Zincum Sulfuricum$/)
  })

  it('shows what looks like HTML in a record as text', async () => {
    const { box, visit } = await at().load()
    await box.find('onerror')
    expect(await box.option('onerror').innerText()).toContain('<img src=x onerror=alert(1)>, 1 <b>mg</b>, Tablet')
    await box.option('onerror').click()
    expect(await box.value()).toBe('<i>&amp;')
    await box.says('Chosen: <img src=x onerror=alert(1)>')
    expect(await visit.page.locator('catalog-search img').count()).toBe(0)
  })

  it('puts records that are equal in name, strength and form under one row that opens', async () => {
    const { box, visit } = await at().load()
    await box.find('metformin')
    expect(await box.list.getByRole('option').count()).toBe(2)
    const row = box.option('7 manufacturers')
    await row.click()
    await box.says(/^7 manufacturers, open$/)
    expect(await box.value()).toBe('')
    expect(await box.list.getByRole('option').count()).toBe(9)
    await visit.expectGood()
    await box.option('Maker 4').click()
    expect(await box.value()).toBe('M500-4')
    await box.says(/^Chosen: Metformin, 500 mg, Tablet, Metformin 500 mg, Maker 4$/)
    expect(await box.input.inputValue()).toBe('Metformin')
    const [select] = await box.events()
    expect(select).toMatchObject({
      name: 'catalog-select',
      detail: { medication_id: 'M500-4', strength: '500 mg', manufacturer: 'Maker 4' },
    })
  })

  it('opens such a row with a double click, whose second click chooses nothing', async () => {
    const { box } = await at().load()
    await box.find('metformin')
    const countAfterDoubleClick = async () => {
      await box.option('7 manufacturers').dblclick()
      return box.list.getByRole('option').count()
    }
    // On a slow machine the second click may come too late and close the row again.
    await expect.poll(countAfterDoubleClick, { timeout: 10_000 }).toBe(9)
    expect(await box.value()).toBe('')
    expect(await box.events()).toEqual([])
  })

  it('tells records apart by their ids that are equal in all that is shown', async () => {
    const { box } = await at().load()
    await box.find('aspirin')
    await box.option('2 records').click()
    await box.option('ASP-2').click()
    expect(await box.value()).toBe('ASP-2')
  })

  it('reaches every record with the keyboard alone, also those of the next pages', async () => {
    const { box, site } = await at().load()
    await box.find('ibuprofen')
    await box.says('Matches: 50+')
    await box.option('Show more, or type more').waitFor()
    await box.reach('Show more', 'ArrowUp')
    await box.press('Enter')
    await box.says('Matches: 100+')
    // The first of the new ones is in a row that was there.
    await box.selected().filter({ hasText: '20+ manufacturers' }).waitFor()
    await box.reach('Show more')
    await box.press('Enter')
    await box.says('Matches: 110')
    await box.selected().filter({ hasText: 'Ibuprofen forte, 40 mg' }).waitFor()
    expect(await box.option('Show more').count()).toBe(0)
    // Of the whole word: whoever types slowly has searched for its beginning too.
    expect(site.proxy.searches.filter(({ q }) => q === 'ibuprofen')).toHaveLength(3)
    await box.reach('Ibuprofen forte, 49 mg')
    await box.takesChoices()
    await box.press('Enter')
    expect(await box.value()).toBe('FORTE-49')
  })

  it('is not made by Enter while the next page comes, or as soon as it has come', async () => {
    const { box, site } = await at().load()
    await box.find('ibuprofen')
    await box.reach('Show more', 'ArrowUp')
    site.proxy.override = () => ({ delayMs: 300 })
    const hasty = await box.pressWhenItSays('Matches: 100+', ['ArrowDown', 'Enter'])
    await box.press('Enter')
    await box.press('Enter')
    await hasty.done
    expect(await box.value()).toBe('')
    expect(site.sent).toEqual([])
    await box.takesChoices()
    await box.press('Enter')
    expect(await box.value()).toBe('FORTE-0')
  })

  it('puts what only nearly matches under “Similar names”', async () => {
    const { box } = await at().load()
    await box.type('asprin')
    await box.says('Nothing found for “asprin”. Similar names: aspirin (2)')
    const similar = box.list.getByRole('group', { name: 'Similar names: aspirin' })
    expect(await similar.getByRole('option').count()).toBe(1)
    await box.input.fill('')
    await box.type('ibuprofne')
    await box.says('Nothing found for “ibuprofne”. Similar names: ibuprofen (50+)')
    expect(await box.option('Show more').count()).toBe(0)
  })

  it('is never made by Tab', async () => {
    const { box, visit } = await at().load()
    await box.find('metformin 850')
    await box.press('ArrowDown')
    await box.press('Tab')
    expect(await box.value()).toBe('')
    expect(await box.isOpen()).toBe(false)
    await box.says('Nothing is chosen yet.')
    expect(await visit.page.evaluate(() => document.activeElement?.textContent)).toBe('Order')
  })

  it('is never made by Enter before the arrows have reached a row', async () => {
    const { box, site } = await at().load()
    await box.find('metformin 850')
    await box.press('Enter')
    expect(await box.value()).toBe('')
    expect(site.sent).toEqual([])
    await box.type('x')
    await box.press('Enter')
    await box.says('Nothing')
    await box.press('Enter')
    expect(await box.value()).toBe('')
    expect(site.sent).toEqual([])
  })

  it('is made once by a key that is held down, and the form is not sent with it', async () => {
    const { box, site, visit } = await at().load()
    await box.find('metformin 850')
    await box.press('ArrowDown')
    for (let times = 0; times < 3; times++) await visit.page.keyboard.down('Enter')
    await visit.page.keyboard.up('Enter')
    expect(await box.value()).toBe('M850')
    expect(await box.events()).toHaveLength(1)
    expect(site.sent).toEqual([])
  })

  it('is made and sent with the keyboard alone', async () => {
    const { box, site, visit } = await at().load()
    await box.find('metformin')
    await box.reach('7 manufacturers')
    await box.press('Enter')
    await box.reach('Maker 6')
    await box.takesChoices()
    await box.press('Enter')
    await box.says('Chosen: Metformin, 500 mg')
    await box.press('Enter')
    await expect.poll(() => site.sent).toEqual(['drug_id=M500-6'])
    // The next test loads a page of its own.
    await visit.page.waitForURL('**/order')
  })

  it('is taken back by clear(), and focus() goes to the input', async () => {
    const { box, visit } = await at().load()
    await box.choose()
    await visit.page.locator('h1').click()
    await visit.page.evaluate(() => {
      const element = document.querySelector('catalog-search') as HTMLElement & { clear(): void }
      element.clear()
      element.focus()
    })
    expect([await box.value(), await box.input.inputValue(), await box.status.innerText()]).toEqual(['', '', ''])
    expect(await box.input.evaluate((input) => input === document.activeElement)).toBe(true)
    expect((await box.events()).at(-1)).toEqual({ name: 'catalog-clear', detail: null })
  })

  it('closes with Escape, and opens again with an arrow', async () => {
    const { box, site } = await at().load()
    await box.find('metformin')
    const { length } = site.proxy.searches
    await box.press('Escape')
    expect(await box.isOpen()).toBe(false)
    await box.press('ArrowDown')
    expect(await box.isOpen()).toBe(true)
    expect(site.proxy.searches).toHaveLength(length)
  })
})
