import { describe, expect, it } from 'vitest'
import { forgive } from '../../console/browser/session-steps'
import { describeOnSite } from './on-site'

/** Milliseconds between two keys of somebody who types five a second. */
const KEY_MS = 200

/** Milliseconds to the service and back. */
const PROXY_DELAY_MS = 200

describeOnSite('the search element, while somebody types', (at) => {
  it('makes at most nine searches and one preflight of nine keys over a slow connection', async () => {
    const { box, site } = await at().load()
    site.proxy.delayMs = PROXY_DELAY_MS
    await box.type('metformin', KEY_MS)
    await box.says('Matches: 8')
    const { searches, preflights } = site.proxy
    expect(searches.length).toBeLessThanOrEqual(9)
    expect(searches.at(-1)?.q).toBe('metformin')
    expect(preflights.map(({ path }) => path)).toEqual(['/medical-db/v1/search/'])
    expect(site.tokens).toBe(1)
  })

  it('sends one search for a word that is typed at once', async () => {
    const { box, site } = await at().load()
    await box.typeAtOnce('aspirin')
    await box.says('Matches: 2')
    expect(site.proxy.searches.map(({ q }) => q)).toEqual(['aspirin'])
  })

  it('never shows the answer to an older text, whichever comes last', async () => {
    const { box, site, visit } = await at().load()
    await box.find('zinc')
    site.proxy.override = ({ q }) => (q === 'a' ? { delayMs: 1500 } : undefined)
    await box.input.fill('')
    await box.type('a')
    await expect.poll(() => site.proxy.searches.some(({ q }) => q === 'a')).toBe(true)
    await box.type('spirin')
    await box.says('Matches: 2')
    await visit.page.waitForTimeout(1700)
    expect(await box.list.getByRole('option').allInnerTexts()).toHaveLength(1)
    await box.says('Matches: 2')
  })

  it('shows a list that belongs to an older text, but lets nothing be chosen from it', async () => {
    const { box, site, visit } = await at().load()
    await box.find('metformin')
    site.proxy.override = () => ({ delayMs: 2000 })
    await box.type(' 850')
    expect(await box.isOpen()).toBe(false)
    await box.press('ArrowDown')
    await box.press('Enter')
    expect(await box.value()).toBe('')
    expect(await visit.page.locator('[data-part=popup]').evaluate((popup) => (popup as HTMLElement).inert)).toBe(true)
    // Those without 850 are no matches.
    await box.says('Matches: 1')
    expect(await box.isOpen()).toBe(true)
  })

  it('says that a search takes long, and then shows it', async () => {
    const { box, site } = await at().load()
    site.proxy.override = ({ q }) => (q === undefined ? undefined : { delayMs: 1600 })
    await box.type('aspirin')
    await box.says('Still searching')
    await box.says('Matches: 2')
  })

  it('asks again by itself when a connection breaks', async () => {
    const { box, site, visit } = await at().load()
    // All the while: the browser itself sends a request once more if the connection was an old one.
    site.proxy.override = () => ({ breaks: true })
    await box.type('aspirin')
    await box.says('No connection to the search.')
    site.proxy.forget()
    await box.says('Matches: 2')
    const [error] = await box.events()
    expect(error).toMatchObject({ name: 'catalog-error', detail: { status: 0, requestId: null } })
    forgive(visit, /ERR_EMPTY_RESPONSE|ERR_CONNECTION/)
  })

  it('says nothing of a connection that breaks for a moment', async () => {
    const { box, site, visit } = await at().load()
    let broken = 1
    site.proxy.override = ({ q }) => (q !== undefined && broken-- > 0 ? { breaks: true } : undefined)
    await box.type('aspirin')
    await box.says('Matches: 2')
    expect(await box.events()).toEqual([])
    forgive(visit, /ERR_EMPTY_RESPONSE|ERR_CONNECTION/)
  })

  it('asks again when the browser is online again', async () => {
    const { box, visit } = await at().load()
    await box.find('zinc')
    await visit.page.context().setOffline(true)
    await box.input.fill('aspirin')
    await box.says('No connection to the search.')
    await visit.page.context().setOffline(false)
    await box.says('Matches: 2')
    forgive(visit, /ERR_INTERNET_DISCONNECTED/)
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
    const [error] = await box.events()
    expect(error).toMatchObject({ detail: { status: 429, requestId: 'from-the-proxy' } })
  })

  describe.each([
    [403, 'This page may not search.'],
    [400, 'The search failed.'],
  ])('with the answer %i', (status, text) => {
    it('says so with the request id, and works on', async () => {
      const { box, site } = await at().load()
      let refused = 1
      site.proxy.override = ({ q }) => (q === 'asp' && refused-- > 0 ? { status } : undefined)
      await box.type('asp')
      await box.says(text)
      expect(await box.events()).toEqual([
        {
          name: 'catalog-error',
          detail: { status, message: 'Refused by the proxy.', requestId: 'from-the-proxy' },
        },
      ])
      await box.type('irin')
      await box.says('Matches: 2')
    })
  })
})
