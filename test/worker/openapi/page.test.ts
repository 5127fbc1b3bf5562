import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createApp } from '#worker/app'
import { PAGE_HTML } from '#worker/openapi/endpoints'
import { newContext } from '../../support/background'

const get = async (path: string, headers: Record<string, string> = {}) =>
  createApp().request(path, { headers }, env, newContext())

describe('the page of the API description', () => {
  it('allows scripts only from this service and none in the page', async () => {
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

  it("links to the partner guide, whose examples contain this service's address", async () => {
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
})
