import { describe, expect, it } from 'vitest'
import releases from '../../../src/worker/pages/releases/releases.json'
import { bodyFrom, callService } from '../../support/service'

const newest = releases.at(-1)!
const fixed = `/embed/${newest.version}/catalog-search.js`

/** As a subresource integrity value. */
async function integrityOf(response: Response): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-384', await response.arrayBuffer())
  return `sha384-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
}

describe('the file of the search element', () => {
  const MAJOR = '/embed/v1/catalog-search.js'

  it('has the digest of its release', async () => {
    for (const [path, kept] of [
      [fixed, 'public, max-age=31536000, immutable'],
      [MAJOR, 'public, max-age=300'],
    ] as const) {
      const response = await callService(path)
      expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, kept])
      expect(await integrityOf(response)).toBe(newest.integrity)
    }
  })

  it('can be loaded by pages of every origin, and is not sent again to a browser that has cached it', async () => {
    for (const path of [fixed, MAJOR, '/embed/']) {
      const response = await callService(path, { headers: { Origin: 'https://anybody.example' } })
      expect(response.status).toBe(200)
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(response.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin')
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(response.headers.get('Content-Type')).toMatch(/^(?:text\/javascript|application\/json)/)
      await response.arrayBuffer()
      if (path !== fixed) continue
      const again = await callService(fixed, { headers: { 'If-None-Match': response.headers.get('ETag')! } })
      expect([again.status, again.headers.get('Access-Control-Allow-Origin')]).toEqual([304, '*'])
    }
  })

  it('is listed with the digests of all versions', async () => {
    const versions = releases.toReversed().map(({ version, integrity }) => {
      return { version, path: `/embed/${version}/catalog-search.js`, integrity }
    })
    expect(await bodyFrom(callService('/embed/'))).toEqual({ versions })
    for (const version of ['v0', 'v2', '0.0.1', 'v1.0', 'releases.json', '..%2f..%2fdocs', 'v'])
      expect((await callService(`/embed/${version}/catalog-search.js`)).status, version).toBe(404)
  })
})

it('the demo of the search element is a page without inline scripts and styles, under a strict policy', async () => {
  const response = await callService('/embed/demo/')
  const html = await response.text()
  expect(response.status).toBe(200)
  const policy = response.headers.get('Content-Security-Policy')
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).toContain("style-src 'self';")
  expect(html).toContain('src="/embed/v1/catalog-search.js"')
  expect(html).not.toMatch(/<style|style="|<script(?![^>]* src="\/embed\/)/)
})
