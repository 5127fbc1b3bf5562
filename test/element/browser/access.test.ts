import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { NEW_PAGE } from '../../console/browser/pages'
import { describeOnSite } from './on-site'

const withToken = (attributes: string) => `
<label for="drug">Drug</label>
<catalog-search type="medication" ${attributes}><input id="drug"></catalog-search>`

const EXCHANGE = '/api/v1/auth/session'

describeOnSite(
  'the token of the search element',
  (at) => {
    const exchanges = () =>
      at().site.proxy.passed.filter(({ method, path }) => method === 'POST' && path === EXCHANGE).length
    const firstAuthorization = () => at().site.proxy.searches[0]?.authorization ?? ''
    const again = async (text: string) => {
      const { box } = at()
      await box.input.fill('')
      await box.find(text)
    }

    /** Searches with a box that cannot. @returns what the console of the page says */
    const refused = async () => {
      const { box, visit } = at()
      await box.type('aspirin')
      await box.says('This search is not set up correctly.')
      return visit.faults.splice(0)
    }

    it('is renewed once when the service refuses it in the middle, and the search goes on', async () => {
      const { box, site } = await at().load()
      await box.find('asp')
      const ended = firstAuthorization()
      site.proxy.override = ({ q, authorization }) =>
        q !== undefined && authorization === ended ? { status: 401 } : undefined
      await box.type('irin')
      await box.says('Matches: 2')
      expect(site.tokens).toBe(2)
      expect(await box.events()).toEqual([])
    })

    it('that is refused again is told, and the box works on', async () => {
      const { box, site } = await at().load()
      let refused = 2
      // On a busy machine a part of the word is searched before it is whole.
      site.proxy.override = ({ q }) => (q === 'aspirin' && refused-- > 0 ? { status: 401 } : undefined)
      await box.type('aspirin')
      await box.says('The access to the search has ended.')
      expect(site.proxy.searches.filter(({ q }) => q === 'aspirin')).toHaveLength(2)
      expect(await box.events()).toMatchObject([{ name: 'catalog-error', detail: { status: 401 } }])
      await again('zinc')
      expect(await box.isOpen()).toBe(true)
    })

    it('that the backend refuses is told, and asked for again with the next key', async () => {
      const { box, site } = await at().load()
      site.backend = { status: 403 }
      await box.type('asp')
      await box.says('This page may not search.')
      site.backend = {}
      await box.type('irin')
      await box.says('Matches: 2')
    })

    it('is exchanged once from the attribute auth-token, for a session that can only search', async () => {
      const token = await at().site.partnerToken()
      const { box } = await at().load(withToken(`auth-token="${token}"`))
      await expect.poll(exchanges).toBe(1)
      await box.find('aspirin')
      await again('zinc')
      expect(exchanges()).toBe(1)
      const [, claims] = firstAuthorization().split('.')
      expect(JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())).toMatchObject({ scope: 'search' })
    })

    it('that has ended and cannot be renewed is told; the page can give another one', async () => {
      const { site } = at()
      const token = await site.partnerToken()
      const { box, visit } = await at().load(withToken(`auth-token="${token}"`))
      await box.find('asp')
      const ended = firstAuthorization()
      site.proxy.override = ({ authorization }) => (authorization === ended ? { status: 401 } : undefined)
      await box.type('irin')
      await box.says('The access to the search has ended.')
      expect(exchanges()).toBe(1)
      const next = await site.partnerToken()
      await visit.page.evaluate((given) => {
        Object.assign(document.querySelector('catalog-search') ?? {}, { authToken: given })
      }, next)
      await box.says('Matches: 2')
      expect(exchanges()).toBe(2)
    })

    it('comes from a function of the page, which may be set before the element is there', async () => {
      const { site } = at()
      const tokens = [await site.partnerToken(), await site.partnerToken()]
      const { box, visit } = await at().load(withToken(''))
      await visit.page.evaluate((given) => {
        // Of a document without a window, so that it becomes what it is only in the page.
        const element = document.implementation.createHTMLDocument().createElement('catalog-search')
        element.setAttribute('type', 'medication')
        Object.assign(element, { authToken: async () => given.shift() })
        const old = document.querySelector('catalog-search')
        element.append(...(old?.querySelectorAll('input:not([type=hidden])') ?? []))
        old?.replaceWith(element)
      }, tokens)
      await box.find('aspirin')
      expect(exchanges()).toBe(1)
    })

    it.each([
      ['is missing', '', undefined, 'token-url or auth-token is missing'],
      ['is a page', 'token-url="/catalog-token"', '<title>Log in</title>', 'no JSON'],
      [
        'has another form',
        'token-url="/catalog-token"',
        '{"token": "x"}',
        'the token is not {"access_token", "expires_in"}',
      ],
      ['comes for a type that there is not', 'token-url="/catalog-token" type="drug"', undefined, 'type="drug" is not'],
    ])(
      '%s: the box says that it is not set up, and event and console say why',
      async (_, attributes, answer, reason) => {
        const { box, site, visit } = await at().load()
        site.backend = answer === undefined ? {} : { text: answer }
        await visit.page.evaluate(
          (html) => {
            const main = document.querySelector('main')
            if (main !== null) main.innerHTML = html
          },
          attributes.includes('type=') ? withToken(attributes).replace('type="medication"', '') : withToken(attributes),
        )
        const said = await refused()
        expect(site.proxy.searches).toEqual([])
        expect((await box.events())[0]).toMatchObject({ detail: { message: expect.stringContaining(reason) } })
        expect(said).toEqual([expect.stringMatching(/^<catalog-search>: /)])
        expect(said[0]).toContain(reason)
      },
    )

    it('goes on with the session when the page gives a new function with each letter', async () => {
      const { site } = at()
      const { box, visit } = await at().load(withToken(''))
      await visit.page.evaluate(
        (token) => {
          const element = document.querySelector('catalog-search')
          const give = () => Object.assign(element ?? {}, { authToken: async () => token })
          give()
          element?.addEventListener('input', give)
        },
        await site.partnerToken(),
      )
      await box.type('aspirin', 200)
      await box.says('Matches: 2')
      expect(exchanges()).toBe(1)
    })

    it('cannot be used by a page whose origin is not registered', async () => {
      const { site, visit } = await at().load()
      await visit.page.goto(site.otherOrigin)
      expect((await refused()).at(-1)).toContain(`allows no page of ${site.otherOrigin} (CORS)`)
    })

    it('cannot be used where the content policy of the page blocks the service: that is no lost connection', async () => {
      const { site } = at()
      const headers = { 'Content-Security-Policy': `connect-src ${site.origin}` }
      const { box } = await at().load(undefined, { headers })
      const said = await refused()
      const reason = `the content policy of the page blocks ${site.proxy.origin}/medical-db/v1/search/`
      expect((await box.events())[0]).toMatchObject({ detail: { message: reason } })
      expect(said.at(-1)).toBe(`<catalog-search>: ${reason}`)
    })

    it('cannot be used in a sandboxed frame, whose origin nobody can register', async () => {
      const { site } = at()
      const frame = `<script type="module" src="${site.proxy.origin}/embed/v1/catalog-search.js"></script>${elsewhere()}`
      const { visit } = await at().load(
        `${withToken('')}<iframe title="Shop" sandbox="allow-scripts" srcdoc='${frame}'></iframe>`,
      )
      const inner = visit.page.frameLocator('iframe')
      await inner.getByLabel('Drug').fill('aspirin')
      await inner.getByRole('status').filter({ hasText: 'This search is not set up correctly.' }).waitFor()
      expect(visit.faults.splice(0).at(-1)).toContain('allows no page of null (CORS)')
    })

    const elsewhere = (more = '') => withToken(`token-url="${at().site.otherOrigin}/catalog-token" ${more}`)

    it.each([
      ['only if the page says so', '', undefined],
      ['if the page says so', 'token-credentials="include"', 'login=user-1'],
    ])('comes from a backend on another origin, which gets its cookies %s', async (_, attribute, cookies) => {
      const { box, site, visit } = await at().load(elsewhere(attribute))
      site.backend.headers = {
        'Access-Control-Allow-Origin': site.origin,
        'Access-Control-Allow-Credentials': 'true',
      }
      await visit.page.context().addCookies([{ name: 'login', value: 'user-1', url: site.otherOrigin }])
      await box.find('aspirin')
      expect(site.cookies).toBe(cookies)
    })

    it('cannot come from a backend on another origin that does not allow it: the browser says what is missing', async () => {
      const { site } = await at().load(elsewhere('token-credentials="include"'))
      site.backend.headers = { 'Access-Control-Allow-Origin': site.origin }
      const [said = ''] = await refused()
      const guide = readFileSync(path.join(import.meta.dirname, '../../../docs/partners.md'), 'utf8')
      expect(said.slice(said.indexOf('blocked by CORS'))).toBe(
        /blocked by CORS policy: The value[^`]*/.exec(guide)?.[0],
      )
    })

    // Last, as the clock of the page stays as it is.
    it('is renewed when a fifth of its life is left', async () => {
      const { box, site, visit } = await at().load()
      site.backend.expiresIn = 100
      await visit.page.clock.install()
      await visit.page.clock.resume()
      await box.find('aspirin')
      await visit.page.clock.fastForward(78_000)
      await again('zinc')
      expect(site.tokens).toBe(1)
      await visit.page.clock.fastForward(3000)
      await again('aspirin')
      expect(site.tokens).toBe(2)
    })
  },
  NEW_PAGE,
)
