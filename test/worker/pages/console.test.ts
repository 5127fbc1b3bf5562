import { describe, expect, it } from 'vitest'
import { bodyFrom, callService } from '../../support/service'

const pageAt = async (path: string) => {
  const response = await callService(path)
  return { response, html: await response.text() }
}

describe('the page of the console', () => {
  it('is served at each of its paths', async () => {
    for (const path of ['/console', '/console/', '/console/medication/catalog', '/console/symptom/catalog/a%2Fb']) {
      const { response, html } = await pageAt(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('Content-Type')).toMatch(/^text\/html/)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(html).toContain('<title>Catalog console</title>')
    }
  })

  it('allows scripts only from this service, and styles with the nonce of this response', async () => {
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

  it('has no other files, and accepts no POST', async () => {
    for (const file of ['none.js', '..%2f..%2fdocs%2fLICENSE', '%2e%2e%2findex.html'])
      expect(await bodyFrom(callService(`/console/assets/${file}`), 404)).toMatchObject({ success: false })
    const response = await callService('/console/', { method: 'POST' })
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
  })
})

it('the root path redirects a browser to the console, and is unknown to other clients', async () => {
  const open = (Accept: string, method = 'GET') => callService('/', { method, headers: { Accept }, redirect: 'manual' })
  const response = await open('text/html,application/xhtml+xml,*/*;q=0.8')
  expect([response.status, response.headers.get('Location')]).toEqual([302, '/console/'])
  expect(response.headers.get('Vary')).toContain('Accept')
  for (const other of [open('*/*'), open('application/json'), open('text/html', 'POST')])
    expect(await bodyFrom(other, 404)).toMatchObject({ success: false, message: expect.any(String) })
})
