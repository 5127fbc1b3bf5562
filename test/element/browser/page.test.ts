import { describe, expect, it } from 'vitest'
import { DESKTOP, PHONE } from '../../console/browser/pages'
import { ORDER } from './box'
import { describeOnSite, visitSite } from './on-site'

/** What a strict page adds to any policy. */
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types 'none'"

describeOnSite('the search element on pages of many kinds', (at, browser) => {
  const policy = (more: string) => ({
    'Content-Security-Policy': `default-src 'self'; img-src data:; script-src ${at().site.proxy.origin}; connect-src ${more} ${at().site.proxy.origin}; ${TRUSTED_TYPES}`,
  })
  const chooses = async () => {
    const { box } = at()
    await box.choose()
    expect(await box.value()).toBe('M850')
  }

  it('has its look and works under a policy without inline styles, with Trusted Types', async () => {
    const { visit } = await at().load(ORDER, { headers: policy("'self'") })
    await chooses()
    const position = await visit.page.locator('[data-part=popup]').evaluate((popup) => getComputedStyle(popup).position)
    expect(position).toBe('fixed')
  })

  it('needs no other address than the service if it is given a partner token', async () => {
    const html = `<label for="drug">Drug</label>
      <catalog-search type="medication" auth-token="${await at().site.partnerToken()}"><input id="drug"></catalog-search>`
    await at().load(html, { headers: policy('') })
    await chooses()
  })

  it('is loaded with its integrity from its fixed address', async () => {
    const { site } = at()
    const response = await fetch(`${site.proxy.origin}/embed/`)
    const { versions } = (await response.json()) as { versions: { path: string; integrity: string }[] }
    const [newest] = versions
    if (newest === undefined) throw new Error('no version is released')
    const { path, integrity } = newest
    const script = `src="${site.proxy.origin}${path}" integrity="${integrity}" crossorigin="anonymous"`
    await at().load(ORDER, { script })
    await chooses()
  })

  it('gives way to the styles of the page', async () => {
    const style = '<style>[data-part=popup] { background: rgb(1, 2, 3); color: white }</style>'
    const { box, visit } = await at().load(style + ORDER)
    await box.find('aspirin')
    const background = await visit.page
      .locator('[data-part=popup]')
      .evaluate((popup) => getComputedStyle(popup).backgroundColor)
    expect(background).toBe('rgb(1, 2, 3)')
  })

  it('is a combobox with a list for programs that read aloud', async () => {
    const { box, visit } = await at().load()
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
    const field = await frame('#drug')
    expect(list.bottom).toBeLessThanOrEqual(field.top)
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
    expect(list).toMatchObject({
      left: (await frame('catalog-search')).left,
      width: (await frame('catalog-search')).width,
    })
    await visit.page.locator('#scrolls').evaluate((parent) => parent.scrollBy(0, 10))
    await expect.poll(async () => (await frame('[data-part=popup]')).top).toBeCloseTo(list.top - 10, 0)
    await box.option('850').click()
    await box.says('Chosen: Metformin, 850 mg')
  })

  it('is dark on a dark page that does not say so, is not printed, and is as high as a small frame allows', async () => {
    const { box, visit } = await at().load(`<style>body { background: #111; color: #eee }</style>${ORDER}`)
    await box.find('metformin')
    const look = (name: 'backgroundColor' | 'display') =>
      visit.page.locator('[data-part=popup]').evaluate((list, key) => getComputedStyle(list)[key], name)
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
    await box.option('850').click()
    await box.says('Chosen: Metformin, 850 mg')
  })

  describe.each([
    ['from right to left', DESKTOP, '<style>html { direction: rtl }</style>'],
    ['at twice the size', { viewport: { width: 320, height: 640 } }, '<style>html { font-size: 200% }</style>'],
    [
      'on a phone in the dark',
      PHONE,
      '<meta name="viewport" content="width=device-width"><style>:root { color-scheme: dark }</style>',
    ],
    ['with forced colours', { ...DESKTOP, forcedColors: 'active' as const }, ''],
  ])('%s', (_where, options, style) => {
    it('is read, reached and chosen from', async () => {
      const other = await visitSite(at().site, browser(), options)
      const { box, visit } = await other.load(style + ORDER)
      await box.find('metformin')
      await box.press('ArrowDown')
      await visit.expectGood()
      const outline = await visit.page
        .locator('[aria-selected=true]')
        .evaluate((option) => getComputedStyle(option).outlineStyle)
      expect(outline).toBe('solid')
      await box.option('850').click()
      await box.says('Chosen: Metformin, 850 mg')
      await visit.end()
    })
  })
})
