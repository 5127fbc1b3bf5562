import { expect, it } from 'vitest'
import { callService, idOfWorkspace, programToken } from '../../console/browser/workspaces'
import { describeOnSite } from './site'

describeOnSite('the search element, while a user types', (at) => {
  it('sends at most one search per key', async () => {
    const { box, site } = await at().load()
    site.proxy.delayMs = 200
    await box.type('metformin', 200)
    await box.says('Matches: 8')
    const { searches, preflights } = site.proxy
    expect(searches.length).toBeLessThanOrEqual(9)
    expect(searches.at(-1)?.q).toBe('metformin')
    // None if the browser has cached an earlier response.
    expect(preflights.length).toBeLessThanOrEqual(1)
    expect(site.tokens).toBe(1)
    site.proxy.forget()
    // Without time between the characters, however busy the machine is.
    await box.run(`input.value = ''
      for (const letter of 'aspirin') {
        input.value += letter
        input.dispatchEvent(new InputEvent('input', { bubbles: true, data: letter }))
      }`)
    await box.says('Matches: 2')
    expect(site.proxy.searches.map(({ q }) => q)).toEqual(['aspirin'])
  })

  it('never shows the response to an older text, and lets nothing be chosen from an older list', async () => {
    const { box, site, visit } = await at().load()
    await box.find('zinc')
    site.proxy.override = ({ q }) => (q === 'a' ? { delayMs: 1000 } : undefined)
    await box.input.fill('a')
    await expect.poll(() => site.proxy.searches.some(({ q }) => q === 'a')).toBe(true)
    await box.type('spirin')
    await box.says('Matches: 2')
    await visit.page.waitForTimeout(1100)
    expect(await box.list.getByRole('option').allInnerTexts()).toHaveLength(1)
    await box.says('Matches: 2')

    await box.find('metformin')
    site.proxy.override = () => ({ delayMs: 2000 })
    await box.type(' 850')
    expect(await box.isOpen()).toBe(false)
    await box.press('ArrowDown')
    await box.press('Enter')
    expect(await box.value()).toBe('')
    expect(await visit.page.locator('[data-part=popup]').evaluate((popup) => (popup as HTMLElement).inert)).toBe(true)
    await box.says('Still searching')
    // Those without 850 do not match.
    await box.says('Matches: 1')
    expect(await box.isOpen()).toBe(true)
  })

  it('searches again by itself after a lost connection', async () => {
    const { box, site, visit } = await at().load()
    let broken = 1
    site.proxy.override = ({ q }) => (q !== undefined && broken-- > 0 ? { breaks: true } : undefined)
    await box.find('aspirin')
    expect(await box.events()).toEqual([])
    // Permanently lost: the browser itself repeats a request if the connection was an old one.
    site.proxy.override = () => ({ breaks: true })
    await box.input.fill('zinc')
    await box.says('Can’t reach the search.')
    site.proxy.forget()
    await box.says('Matches: 1')
    expect(await box.events()).toMatchObject([{ name: 'catalog-error', detail: { status: 0, requestId: null } }])
    visit.forgive(/ERR_EMPTY_RESPONSE|ERR_CONNECTION/)
  })

  it('waits as long as the service requests after too many searches, and then continues', async () => {
    const { box, site } = await at().load()
    let busy = 1
    site.proxy.override = ({ q }) =>
      q !== undefined && busy-- > 0 ? { status: 429, headers: { 'Retry-After': '2' } } : undefined
    await box.type('asp')
    await box.says('Too many searches')
    await box.type('irin')
    await box.says('Too many searches')
    await box.says('Matches: 2')
    expect(site.proxy.searches.map(({ q }) => q)).toEqual(['asp', 'aspirin'])
    expect(await box.events()).toMatchObject([{ detail: { status: 429, requestId: 'from-the-proxy' } }])
  })

  it('waits longer after each failure', async () => {
    const { box, site, visit } = await at().load()
    // Every wait ends immediately, and is recorded.
    await box.run(`window.waits = []
      const wait = setTimeout
      window.setTimeout = (run, ms, ...more) => {
        if (ms > 1000) waits.push(ms)
        return wait(run, ms > 1000 ? 0 : ms, ...more)
      }`)
    const asked = ['-1', '1e-9', '0', 'soon', '500', '', '', 'Infinity']
    let answers = 0
    site.proxy.override = ({ q }) =>
      q === undefined || answers >= asked.length
        ? undefined
        : { status: 503, headers: { 'Retry-After': String(asked[answers++]) } }
    await box.input.fill('aspirin')
    await box.says('Matches: 2')
    const waits = (await visit.page.evaluate('waits')) as number[]
    expect(waits).toHaveLength(asked.length)
    for (const [n, ms] of waits.entries()) {
      const least = 2000 * 2 ** Math.min(n, 5)
      const [from, to] = n === 4 ? [500_000, 500_000] : n === 7 ? [1e9, 1e9] : [least, 2 * least]
      expect([ms >= from, ms <= to], `${asked[n]}: ${ms}`).toEqual([true, true])
    }
    visit.forgive(/503/)
  })

  it('reports a text without results once when the user gives it up, unless the page opts out', async () => {
    const { box, site, visit } = await at().load()
    const reported = () => site.proxy.misses.map(({ q }) => q)
    const leave = () => visit.page.locator('h1').click()
    await box.find('asprin xyzzy')
    expect(reported()).toEqual([])
    await leave()
    await expect.poll(reported).toEqual(['asprin xyzzy'])
    // Left before the response arrives.
    await box.input.fill('xyzzy')
    await box.press('Enter')
    await box.press('Tab')
    await expect.poll(reported).toEqual(['asprin xyzzy', 'xyzzy'])
    for (const text of ['asprin xyzzy', 'metformin']) {
      await box.find(text)
      await leave()
    }
    // The service stores them.
    const token = await programToken(idOfWorkspace('Partner'))
    const kept = await callService(token, '/admin/catalogs/v1/medication/search-misses')
    const { data } = (await kept.json()) as { data: { items: { text: string; reports: number }[] } }
    expect(data.items.map(({ text, reports }) => `${text} ${reports}`).sort()).toEqual(['asprin xyzzy 1', 'xyzzy 1'])
    await box.run('box.setAttribute("no-reports", "")')
    await box.find('plugh')
    await leave()
    await box.choose()
    await leave()
    expect(reported()).toEqual(['asprin xyzzy', 'xyzzy'])
  })

  it('shows why a search was rejected, with the request ID, and continues to work', async () => {
    const { box, site } = await at().load()
    site.proxy.override = ({ q }) => (q === 'asp' ? { status: 403 } : undefined)
    await box.input.fill('asp')
    await box.says('This page may not search.')
    const detail = { status: 403, message: 'Refused by the proxy.', requestId: 'from-the-proxy' }
    expect(await box.events()).toEqual([{ name: 'catalog-error', detail }])
    await box.type('irin')
    await box.says('Matches: 2')
  })
})
