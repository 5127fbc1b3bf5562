import { expect, it } from 'vitest'
import { describeOnSite } from './site'

describeOnSite('the search element, while somebody types', (at) => {
  it('makes at most nine searches and one preflight of nine keys over a slow line, and one of a word at once', async () => {
    const { box, site } = await at().load()
    site.proxy.delayMs = 200
    await box.type('metformin', 200)
    await box.says('Matches: 8')
    const { searches, preflights } = site.proxy
    expect(searches.length).toBeLessThanOrEqual(9)
    expect(searches.at(-1)?.q).toBe('metformin')
    // None if the browser still knows the answer to an earlier one.
    expect(preflights.length).toBeLessThanOrEqual(1)
    expect(site.tokens).toBe(1)
    site.proxy.forget()
    // Without time between the letters, however busy the machine is.
    await box.run(`input.value = ''
      for (const letter of 'aspirin') {
        input.value += letter
        input.dispatchEvent(new InputEvent('input', { bubbles: true, data: letter }))
      }`)
    await box.says('Matches: 2')
    expect(site.proxy.searches.map(({ q }) => q)).toEqual(['aspirin'])
  })

  it('never shows the answer to an older text, and lets nothing be chosen from an older list', async () => {
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
    // Those without 850 are no matches.
    await box.says('Matches: 1')
    expect(await box.isOpen()).toBe(true)
  })

  it('says nothing of a connection that breaks for a moment, and asks again by itself after one that is gone', async () => {
    const { box, site, visit } = await at().load()
    let broken = 1
    site.proxy.override = ({ q }) => (q !== undefined && broken-- > 0 ? { breaks: true } : undefined)
    await box.find('aspirin')
    expect(await box.events()).toEqual([])
    // All the while: the browser itself sends a request once more if the connection was an old one.
    site.proxy.override = () => ({ breaks: true })
    await box.input.fill('zinc')
    await box.says('No connection to the search.')
    site.proxy.forget()
    await box.says('Matches: 1')
    expect(await box.events()).toMatchObject([{ name: 'catalog-error', detail: { status: 0, requestId: null } }])
    visit.forgive(/ERR_EMPTY_RESPONSE|ERR_CONNECTION/)
  })

  it('waits as long as the service says when there are too many searches, and then goes on', async () => {
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

  it('says with the request id why a search was refused, and works on', async () => {
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
