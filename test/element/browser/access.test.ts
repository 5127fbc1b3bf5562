import { expect, it } from 'vitest'
import { NEW_PAGE } from '../../console/browser/visit'
import { describeOnSite } from './site'

const withToken = (attributes: string) => `
<label for="drug">Drug</label>
<catalog-search ${attributes.includes('type=') ? '' : 'type="medication"'} ${attributes}><input id="drug"></catalog-search>`

describeOnSite(
  'the token of the search element',
  (at) => {
    const exchanges = () =>
      at().site.proxy.passed.filter(({ method, path }) => method === 'POST' && path === '/api/v1/auth/session').length
    const firstAuthorization = () => at().site.proxy.searches[0]?.authorization ?? ''
    /** Makes the service reject the first token. */
    const endToken = () => {
      const ended = firstAuthorization()
      at().site.proxy.override = ({ q, authorization }) =>
        q !== undefined && authorization === ended ? { status: 401 } : undefined
    }
    /** Searches with a box that cannot search. @returns the console messages of the page */
    const refused = async () => {
      const { box, visit } = at()
      await box.input.fill('aspirin')
      await box.says('This search is not set up correctly.')
      return visit.faults.splice(0)
    }

    it('is renewed once if the service rejects it', async () => {
      const { box, site } = await at().load()
      await box.find('zinc')
      endToken()
      await box.find('aspirin')
      expect([site.tokens, await box.events()]).toEqual([2, []])
      let refusals = 2
      site.proxy.override = ({ q }) => (q === 'metformin' && refusals-- > 0 ? { status: 401 } : undefined)
      await box.input.fill('metformin')
      await box.says('Your search session has expired.')
      expect(site.proxy.searches.filter(({ q }) => q === 'metformin')).toHaveLength(2)
      expect(await box.events()).toMatchObject([{ name: 'catalog-error', detail: { status: 401 } }])
      await box.find('zinc')
      expect(await box.isOpen()).toBe(true)
    })

    it('is reported if the backend rejects the request, and is requested again with the next key', async () => {
      const { box, site } = await at().load()
      site.backend = { status: 403 }
      await box.type('asp')
      await box.says('This page may not search.')
      site.backend = {}
      await box.type('irin')
      await box.says('Matches: 2')
    })

    it('is exchanged once from the attribute auth-token', async () => {
      const { site } = at()
      const [token, next] = [await site.partnerToken(), await site.partnerToken()]
      const { box } = await at().load(withToken(`auth-token="${token}"`))
      await expect.poll(exchanges).toBe(1)
      await box.find('aspirin')
      const [, claims = ''] = firstAuthorization().split('.')
      expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ scope: 'search' })
      endToken()
      await box.input.fill('zinc')
      await box.says('Your search session has expired.')
      expect(exchanges()).toBe(1)
      await box.run(`box.authToken = "${next}"`)
      await box.says('Matches: 1')
      expect(exchanges()).toBe(2)
    })

    it('comes from a function of the page', async () => {
      const { site } = at()
      const token = await site.partnerToken()
      const { box } = await at().load(withToken(''))
      // Created in a document without a window, so that it is only upgraded in the page.
      await box.run(`const element = document.implementation.createHTMLDocument().createElement('catalog-search')
        element.setAttribute('type', 'medication')
        const give = () => { element.authToken = async () => '${token}' }
        give()
        element.append(input)
        box.replaceWith(element)
        element.addEventListener('input', give)`)
      await box.type('aspirin', 200)
      await box.says('Matches: 2')
      expect(exchanges()).toBe(1)
    })

    it.each([
      ['is missing', '', undefined, 'token-url or auth-token is missing'],
      [
        'has another form',
        'token-url="/catalog-token"',
        '{"token": "x"}',
        'the token is not {"access_token", "expires_in"}',
      ],
      ['comes for a type that there is not', 'token-url="/catalog-token" type="drug"', undefined, 'type="drug" is not'],
    ])('%s: the box says it is not set up; event and console say why', async (_, attributes, answer, reason) => {
      const { box, site } = await at().load(withToken(attributes))
      site.backend = answer === undefined ? {} : { text: answer }
      const said = await refused()
      expect(site.proxy.searches).toEqual([])
      expect((await box.events())[0]).toMatchObject({ detail: { message: expect.stringContaining(reason) } })
      expect(said).toEqual([expect.stringMatching(/^<catalog-search>: /)])
      expect(said[0]).toContain(reason)
    })

    it.each([
      ['x-model.lazy', 'x-model.lazy="drug"'],
      ['ngdefaultcontrol', 'ngDefaultControl'],
    ])('is not used by a box whose ID a framework would read from the text: %s', async (name, attribute) => {
      const { box } = await at().load(
        `<form>${withToken(`token-url="/catalog-token" name="drug_id" ${attribute}`)}</form>`,
      )
      // As such a binding does.
      await box.run('box.addEventListener("input", ({ target }) => { box.value = target.value })')
      expect(await refused()).toEqual([expect.stringContaining(`${name} binds the text, not the id`)])
      expect(await box.held()).toBe('drug_id=')
      expect(at().site.proxy.searches).toEqual([])
    })

    it('is not used by a box in a shadow tree if its form is outside and would receive nothing', async () => {
      const other = '<catalog-search type="symptom"><input aria-label="Other"></catalog-search>'
      await at().load(`${other}<form><div id="host"></div></form>`)
      const inTree = (name: string) => withToken(`token-url="/catalog-token" ${name}`).replaceAll(/\s+/g, ' ')
      const put = (html: string) =>
        at().visit.page.evaluate((content) => {
          const host = document.createElement('div')
          // Two trees. The form is outside of them.
          const inner = document.createElement('div')
          host.attachShadow({ mode: 'open' }).append(inner)
          inner.attachShadow({ mode: 'open' }).setHTMLUnsafe(content)
          document.querySelector('#host')?.replaceChildren(host)
        }, html)
      await put(inTree('name="drug_id"'))
      expect(await refused()).toEqual([expect.stringContaining('the form is outside of the shadow tree')])
      // A box without a name sends nothing anyway, and a form inside receives its value.
      for (const html of [inTree(''), `<form>${inTree('name="drug_id"')}</form>`]) {
        await put(html)
        await at().box.find('aspirin')
      }
    })

    const elsewhere = (more = '') => withToken(`token-url="${at().site.otherOrigin}/catalog-token" ${more}`)

    it('cannot be used by a page of an unregistered origin', async () => {
      const { site } = at()
      const frame = `<script type="module" src="${site.proxy.origin}/embed/v1/catalog-search.js"></script>${elsewhere()}`
      const inFrame = `<iframe title="Shop" sandbox="allow-scripts" srcdoc='${frame}'></iframe>`
      const { visit } = await at().load(withToken('token-url="/catalog-token"') + inFrame)
      const inner = visit.page.frameLocator('iframe')
      await inner.getByLabel('Drug').fill('aspirin')
      await inner.getByRole('status').filter({ hasText: 'This search is not set up correctly.' }).waitFor()
      expect(visit.faults.splice(0).at(-1)).toContain('allows no page of null (CORS)')
      await visit.page.goto(site.otherOrigin)
      expect((await refused()).at(-1)).toContain(`allows no page of ${site.otherOrigin} (CORS)`)
    })

    it("cannot be used if the page's content policy blocks the service, which is no lost connection", async () => {
      const { site } = at()
      const headers = { 'Content-Security-Policy': `connect-src ${site.origin}` }
      const { box } = await at().load(undefined, { headers })
      const said = await refused()
      const reason = `the content policy of the page blocks ${site.proxy.origin}/medical-db/v1/search/`
      expect((await box.events())[0]).toMatchObject({ detail: { message: reason } })
      expect(said.at(-1)).toBe(`<catalog-search>: ${reason}`)
    })

    it('comes from a backend on another origin, which gets its cookies only if the page requests it', async () => {
      for (const [attribute, cookies] of [
        ['', undefined],
        ['token-credentials="include"', 'login=user-1'],
      ] as const) {
        const { box, site, visit } = await at().load(elsewhere(attribute))
        const allowed = { 'Access-Control-Allow-Origin': site.origin, 'Access-Control-Allow-Credentials': 'true' }
        site.backend.headers = allowed
        await visit.page.context().addCookies([{ name: 'login', value: 'user-1', url: site.otherOrigin }])
        await box.find('aspirin')
        expect(site.cookies).toBe(cookies)
      }
    })

    // Last, because the page's clock is not reset.
    it('is renewed when a fifth of its lifetime is left', async () => {
      const { box, site, visit } = await at().load()
      site.backend.expiresIn = 100
      await visit.page.clock.install()
      await visit.page.clock.resume()
      await box.find('aspirin')
      await visit.page.clock.fastForward(78_000)
      await box.find('zinc')
      expect(site.tokens).toBe(1)
      await visit.page.clock.fastForward(3000)
      await box.find('aspirin')
      expect(site.tokens).toBe(2)
    })
  },
  NEW_PAGE,
)
