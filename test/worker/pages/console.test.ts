import { describe, expect, it } from 'vitest'
import { bodyFrom, callService } from '../../support/service'

const pageAt = async (path: string) => {
  const response = await callService(path)
  return { response, html: await response.text() }
}

describe('the page of the console', () => {
  it.each(['/console', '/console/', '/console/medication/catalog', '/console/symptom/catalog/a%2Fb'])(
    'is served at %s',
    async (path) => {
      const { response, html } = await pageAt(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('Content-Type')).toMatch(/^text\/html/)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(html).toContain('<title>Catalog console</title>')
    },
  )

  it('runs scripts from this service alone, and styles that carry the nonce of this answer', async () => {
    const { response, html } = await pageAt('/console/')
    const policy = response.headers.get('Content-Security-Policy')!
    const nonce = /'nonce-([^']{20,})'/.exec(policy)?.[1]
    expect(nonce).toBeDefined()
    const directives = Object.fromEntries(policy.split('; ').map((directive) => directive.split(/ (.*)/s).slice(0, 2)))
    expect(directives).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'style-src': `'self' 'nonce-${nonce}'`,
      'img-src': "'self' data:",
      'worker-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    })
    expect(html).toContain(`nonce="${nonce}"`)
    const again = await callService('/console/', {
      headers: { 'If-None-Match': response.headers.get('ETag') ?? '"x"' },
    })
    expect(again.status).toBe(200)
    expect(await again.text()).not.toContain(`nonce="${nonce}"`)
    expect(html).not.toContain('nonce-of-this-answer')
    expect(html).not.toMatch(/<script(?![^>]* src="\/console\/)/)
    expect(html.match(/<style[^>]*>/g)).toEqual([`<style nonce="${nonce}">`])
    expect(html).not.toContain('style="')
  })

  it('shows its frame before its style sheet and its script are there', async () => {
    const { html } = await pageAt('/console/')
    const head = html.slice(0, html.indexOf('</head>'))
    expect(head).not.toContain('rel="stylesheet"')
    expect(head).toMatch(/<script type="module"/)
    const places = ['id="opening"', 'rel="stylesheet"', 'id="console"'].map((text) => html.indexOf(text))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('loads only files that are there, which a browser keeps for good', async () => {
    const { html } = await pageAt('/console/')
    const references = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url!)
    expect(references.length).toBeGreaterThanOrEqual(3)
    for (const url of references) {
      expect(url).toMatch(/^\/console\//)
      const file = await callService(url)
      expect(file.status).toBe(200)
      expect(file.headers.get('X-Content-Type-Options')).toBe('nosniff')
      if (url.includes('/assets/')) expect(file.headers.get('Cache-Control')).toContain('immutable')
      expect(file.headers.get('Content-Type')).toMatch(/javascript|css|svg/)
      await file.arrayBuffer()
    }
  })

  it.each([
    '/console/assets/none.js',
    '/console/assets/..%2f..%2fdocs%2fLICENSE',
    '/console/assets/%2e%2e%2findex.html',
  ])('has no file at %s', async (path) => {
    expect(await bodyFrom(callService(path), 404)).toMatchObject({ success: false, message: expect.any(String) })
  })

  it('takes no posts', async () => {
    const response = await callService('/console/', { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('GET, HEAD')
    await response.arrayBuffer()
  })
})

describe('the bare origin', () => {
  it('leads a browser to the console', async () => {
    const response = await callService('/', {
      headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
      redirect: 'manual',
    })
    expect(response.status).toBe(302)
    expect(response.headers.get('Location')).toBe('/console/')
    expect(response.headers.get('Vary')).toContain('Accept')
    await response.arrayBuffer()
  })

  it.each([
    ['GET', '*/*'],
    ['GET', 'application/json'],
    ['POST', 'text/html'],
  ])('is an unknown path for programs: %s with Accept: %s', async (method, accept) => {
    const response = await callService('/', { method, headers: { Accept: accept }, redirect: 'manual' })
    expect(await bodyFrom(response, 404)).toMatchObject({ success: false, message: expect.any(String) })
  })
})
