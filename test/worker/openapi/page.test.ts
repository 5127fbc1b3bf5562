import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createApp } from '#worker/app'
import { GUIDES, PAGE_HTML } from '#worker/openapi/endpoints'
import { newContext } from '../../support/background'
import { bodyFrom } from '../../support/service'

const get = async (path: string, headers: Record<string, string> = {}) =>
  createApp().request(path, { headers }, env, newContext())

describe('the page of the API description', () => {
  it('allows scripts from this service only and none in the page', async () => {
    const response = await get('/docs/')
    expect(response.headers.get('Content-Type')).toMatch(/^text\/html/)
    expect(await response.text()).toBe(PAGE_HTML)
    const policy = response.headers.get('Content-Security-Policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/script-src 'self'(;|$)/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(PAGE_HTML).not.toMatch(/<script(?![^>]* src=)/)
  })

  it('loads nothing from another host, and only files that exist', async () => {
    const references = [...PAGE_HTML.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url!)
    for (const url of references.filter((reference) => reference !== 'data:,')) {
      expect(url).toMatch(/^\/docs\//)
      expect((await get(url)).status).toBe(200)
    }
  })

  it('has its files with their own content types and nosniff', async () => {
    const types: Readonly<Record<string, string>> = {
      '.css': 'text/css',
      '.js': 'text/javascript',
      '.json': 'application/json',
      '.png': 'image/png',
    }
    const files = ['init.js', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE.txt', 'guide.css', 'search-box.png']
    for (const file of [...GUIDES, ...files, 'partner-tokens.json']) {
      const response = await get(`/docs/${file}`)
      expect(response.status, file).toBe(200)
      const extension = /\.\w+$/.exec(file)?.[0]
      const text = extension === undefined ? 'text/html' : 'text/plain'
      expect(response.headers.get('Content-Type'), file).toContain(types[extension ?? ''] ?? text)
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect((await response.text()).length).toBeGreaterThan(20)
    }
  })

  it('leads to the partner guide, whose examples have the address of this service', async () => {
    expect(PAGE_HTML).toContain('href="/docs/partners"')
    const html = await (await get('/docs/partners')).text()
    expect(html).toContain('src=&quot;http://localhost/embed/v1/catalog-search.js&quot;')
    expect(html).not.toContain('catalog.example')
    const links = new Set(Array.from(html.matchAll(/(?:src|href)="(\/docs[^"#]*)/g), ([, url]) => url!))
    expect([...links]).toContain('/docs/contract')
    for (const url of links) expect((await get(url)).status, url).toBe(200)
    const anchors = Array.from(html.matchAll(/href="#([^"]*)"/g), ([, anchor]) => anchor!)
    for (const anchor of anchors) expect(html).toContain(`id="${anchor}"`)
  })

  it('lets a browser keep the script while it is unchanged', async () => {
    const first = await get('/docs/swagger-ui.css')
    await first.arrayBuffer()
    const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' }
    expect((await get('/docs/swagger-ui.css', headers)).status).toBe(304)
  })

  it('has nothing else', async () => {
    for (const file of ['swagger-ui.js', 'swagger-ui-bundle.js.map', 'constructor', '..%2f'])
      expect(await bodyFrom(get(`/docs/${file}`), 404)).toMatchObject({ success: false, message: expect.any(String) })
  })
})
