import { expect, it } from 'vitest'
import { DESKTOP, PHONE } from '../../console/browser/visit'
import { describeOnSite, ORDER, visitSite } from './site'

const SMALL = { viewport: { width: 320, height: 640 } }

/** What a strict page adds to any policy. */
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types 'none'"

describeOnSite('the search element on pages of many kinds', (at, browser) => {
  const policy = (more: string) => {
    const { origin } = at().site.proxy
    const sources = `default-src 'self'; img-src data:; script-src ${origin}; connect-src ${more} ${origin}`
    return { 'Content-Security-Policy': `${sources}; ${TRUSTED_TYPES}` }
  }
  const popup = () => at().visit.page.locator('[data-part=popup]')
  const look = (name: 'backgroundColor' | 'display' | 'position') =>
    popup().evaluate((list, key) => getComputedStyle(list)[key], name)

  it('has its look and works under a policy without inline styles, with Trusted Types', async () => {
    const { box } = await at().load(ORDER, { headers: policy("'self'") })
    await box.choose()
    expect([await box.value(), await look('position')]).toEqual(['M850', 'fixed'])
  })

  it('needs no other address than the service with a partner token, and loads with its integrity', async () => {
    const { site } = at()
    const response = await fetch(`${site.proxy.origin}/embed/`)
    const { versions } = (await response.json()) as { versions: { path: string; integrity: string }[] }
    const [newest] = versions
    const script = `src="${site.proxy.origin}${newest?.path}" integrity="${newest?.integrity}" crossorigin="anonymous"`
    const html = `<label for="drug">Drug</label>
      <catalog-search type="medication" auth-token="${await site.partnerToken()}"><input id="drug"></catalog-search>`
    const { box } = await at().load(html, { script, headers: policy('') })
    await box.choose()
    expect(await box.value()).toBe('M850')
  })

  it('is a combobox with a list for programs that read aloud, and gives way to the styles of the page', async () => {
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

  /** Where something is in the window. */
  const frame = async (selector: string) => {
    const found = await at().visit.page.locator(selector).boundingBox()
    if (found === null) throw new Error(`${selector} is not shown`)
    return { top: found.y, bottom: found.y + found.height, left: found.x, width: found.width }
  }

  it('opens its list upwards where there is no room below', async () => {
    const { box } = await at().load(`<div style="height: 75vh"></div>${ORDER}`)
    await box.find('metformin')
    const list = await frame('[data-part=popup]')
    expect(list.bottom).toBeLessThanOrEqual((await frame('#drug')).top)
    expect(list.top).toBeGreaterThanOrEqual(0)
    await box.option('850').click()
    await box.says('Chosen: Metformin, 850 mg')
  })

  it('shows its list over a parent that scrolls, and follows the field', async () => {
    const html = `<div id="scrolls" style="height: 8em; overflow: auto; position: relative">${ORDER}<div style="height: 50em"></div></div>`
    const { box, visit } = await at().load(html)
    await box.find('metformin')
    const list = await frame('[data-part=popup]')
    expect(list.bottom).toBeGreaterThan((await frame('#scrolls')).bottom)
    const { left, width } = await frame('catalog-search')
    expect(list).toMatchObject({ left, width })
    await visit.page.locator('#scrolls').evaluate((parent) => parent.scrollBy(0, 10))
    await expect.poll(async () => (await frame('[data-part=popup]')).top).toBeCloseTo(list.top - 10, 0)
    await box.option('850').click()
    await box.says('Chosen: Metformin, 850 mg')
  })

  it('is dark on a dark page that does not say so, is not printed, and is as high as a small frame allows', async () => {
    const { box, visit } = await at().load(`<style>body { background: #111; color: #eee }</style>${ORDER}`)
    await box.find('metformin')
    expect(Number(/oklch\(([\d.]+)/.exec(await look('backgroundColor'))?.[1])).toBeLessThan(0.3)
    await visit.page.emulateMedia({ media: 'print' })
    expect(await look('display')).toBe('none')
    await visit.page.emulateMedia({ media: 'screen' })
    await visit.page.setViewportSize({ width: 320, height: 200 })
    const list = await frame('[data-part=popup]')
    expect(list.top).toBeGreaterThanOrEqual(0)
    expect(list.bottom).toBeLessThanOrEqual(200)
    expect(list.bottom - list.top).toBeGreaterThan(40)
    await visit.page.setViewportSize({ width: 1280, height: 800 })
  })

  it.each([
    ['from right to left at twice the size', SMALL, 'html { direction: rtl; font-size: 200% }'],
    ['on a phone in the dark', PHONE, ':root { color-scheme: dark }'],
    ['with forced colours', { ...DESKTOP, forcedColors: 'active' as const }, ''],
  ])('is read, reached and chosen from %s', async (_where, options, style) => {
    const other = await visitSite(at().site, browser(), options)
    const { box, visit } = await other.load(
      `<meta name="viewport" content="width=device-width"><style>${style}</style>${ORDER}`,
    )
    await box.find('metformin')
    await box.press('ArrowDown')
    await visit.expectGood()
    const selected = visit.page.locator('[aria-selected=true]')
    expect(await selected.evaluate((option) => getComputedStyle(option).outlineStyle)).toBe('solid')
    await box.option('850').click()
    await box.says('Chosen: Metformin, 850 mg')
    await visit.end()
  })
})
