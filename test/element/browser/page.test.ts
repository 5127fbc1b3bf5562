import { expect, it } from 'vitest'
import { PHONE } from '../../console/browser/visit'
import { describeOnSite, ORDER, visitSite } from './site'

/** Directives that a strict page adds to any policy. */
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types 'none'"

describeOnSite('the search element on pages of many kinds', (at, browser) => {
  const popup = () => at().visit.page.locator('[data-part=popup]')
  const look = (name: 'backgroundColor' | 'position') =>
    popup().evaluate((list, key) => getComputedStyle(list)[key], name)

  it('works under a strict policy that only allows the service, and loads with its integrity hash', async () => {
    const { site } = at()
    const { origin } = site.proxy
    const { versions } = (await (await fetch(`${origin}/embed/`)).json()) as {
      versions: { path: string; integrity: string }[]
    }
    const script = `src="${origin}${versions[0]?.path}" integrity="${versions[0]?.integrity}" crossorigin="anonymous"`
    const sources = `default-src 'self'; img-src data:; script-src ${origin}; connect-src ${origin}`
    const html = `<label for="drug">Drug</label>
      <catalog-search type="medication" auth-token="${await site.partnerToken()}"><input id="drug"></catalog-search>`
    const headers = { 'Content-Security-Policy': `${sources}; ${TRUSTED_TYPES}` }
    const { box } = await at().load(html, { script, headers })
    await box.choose()
    expect([await box.value(), await look('position')]).toEqual(['M850', 'fixed'])
  })

  it('is a combobox with a list for screen readers, and yields to the styles of the page', async () => {
    const style = '<style>[data-part=popup] { background: rgb(1, 2, 3); color: white }</style>'
    const { box, visit } = await at().load(style + ORDER)
    const element = visit.page.locator('catalog-search')
    const closed = await element.ariaSnapshot()
    expect(closed).toContain('combobox "Drug"')
    expect(closed).not.toContain('[expanded]')
    await box.find('metformin')
    await box.press('ArrowDown')
    const tree = await element.ariaSnapshot()
    expect(tree).toContain('combobox "Drug" [expanded]: metformin')
    expect(tree).toContain('status: "Matches: 8"')
    expect(tree).toContain('listbox "Matches: 8"')
    expect(tree).toMatch(/option "Metformin, 500 mg, Tablet .*7 manufacturers ?, closed"/)
    const active = await box.input.getAttribute('aria-activedescendant')
    expect(await visit.page.locator(`#${active}`).getAttribute('aria-selected')).toBe('true')
    expect(await look('backgroundColor')).toBe('rgb(1, 2, 3)')
  })

  it('protects the values of records and the choice from a browser that translates the page', async () => {
    const { box, visit } = await at().load()
    await box.find('metformin')
    const translated = await visit.page
      .locator('[data-part=name], [data-part=strength], [data-part=manufacturer]')
      .evaluateAll((values) => values.filter((value) => (value as HTMLElement).translate).length)
    expect(translated).toBe(0)
    await box.option('850').click()
    expect(await box.status.evaluate((status) => (status as HTMLElement).translate)).toBe(false)
    // Everything else may be translated, unless the page forbids it.
    expect(await visit.page.locator('catalog-search [translate=yes]').count()).toBe(0)
  })

  /** The position of an element in the window. */
  const frame = async (selector: string) => {
    const found = await at().visit.page.locator(selector).boundingBox()
    if (found === null) throw new Error(`${selector} is not shown`)
    return { top: found.y, bottom: found.y + found.height, left: found.x, width: found.width }
  }

  it('opens its list upwards if there is no room below', async () => {
    const { box } = await at().load(`<div style="height: 75vh"></div>${ORDER}`)
    await box.find('metformin')
    const list = await frame('[data-part=popup]')
    expect(list.bottom).toBeLessThanOrEqual((await frame('#drug')).top)
    expect(list.top).toBeGreaterThanOrEqual(0)
    await box.option('850').click()
    await box.says('Chosen: Metformin, 850 mg')
  })

  it('works from right to left at double size, on a phone in dark mode', async () => {
    const other = await visitSite(at().site, browser(), PHONE)
    const style = '<style>html { direction: rtl; font-size: 200%; color-scheme: dark }</style>'
    const { box, visit } = await other.load(`<meta name="viewport" content="width=device-width">${style}${ORDER}`)
    await box.find('metformin')
    await box.press('ArrowDown')
    await visit.expectGood()
    const selected = visit.page.locator('[aria-selected=true]')
    expect(await selected.evaluate((option) => getComputedStyle(option).outlineStyle)).toBe('solid')
    await box.option('850').click()
    await box.says('Chosen: Metformin, 850 mg')
  })
})
