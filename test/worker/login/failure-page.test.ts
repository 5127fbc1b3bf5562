import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { ApiError } from '#shared/errors/errors'
import type { AppEnv } from '#worker/http/context'
import { answerError } from '#worker/http/errors'
import { identifyRequest } from '#worker/http/middleware'
import { showFailures } from '#worker/login/pages'
import { throughGateway } from '../../support/gateway'
import { CALLBACK, callLogin, LOGIN } from '../../support/logins'
import { bodyFrom } from '../../support/service'

/** The Accept header of browsers that open a URL. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

const BAD_RETURN_TO = `${LOGIN}?return_to=//evil.example`

const open = (path: string, headers: Record<string, string> = {}) =>
  callLogin(path, { headers: { Accept: BROWSER, ...headers } })

describe('a failed login', () => {
  it('is shown to a browser as a page, with the content of the error object', async () => {
    for (const path of [BAD_RETURN_TO, `${CALLBACK}?code=x&state=y`]) {
      const { message } = await bodyFrom<{ message: string }>(callLogin(path), 400)
      const response = await open(path, { 'X-Request-Id': 'request-4711' })
      expect(response.status).toBe(400)
      expect(response.headers.get('Content-Type')).toMatch(/^text\/html; charset=utf-8$/i)
      const page = await response.text()
      for (const part of [`<p>${message}</p>`, '<a href="/console/">Try again</a>', 'Request id: request-4711'])
        expect(page).toContain(part)
    }
  })

  it('is described as a page and as an error object', async () => {
    const gateway = throughGateway(callLogin)
    for (const headers of [{ Accept: BROWSER }, { Accept: 'application/json' }]) {
      expect((await gateway(`${CALLBACK}?state=y`, { headers })).status).toBe(400)
      expect((await gateway(`${LOGIN}?return_to=//evil.example`, { headers })).status).toBe(400)
      expect((await gateway('/api/v1/auth/oidc/allow', { method: 'POST', headers })).status).toBe(403)
    }
  })

  it('is an error object for clients that do not prefer a page', async () => {
    for (const accept of ['', '*/*', 'application/json', 'application/json, text/html', 'text/html;q=0, */*']) {
      const response = await callLogin(BAD_RETURN_TO, { headers: accept === '' ? {} : { Accept: accept } })
      expect(response.headers.get('Content-Type')).toBe('application/json')
      expect(response.headers.has('Content-Security-Policy')).toBe(false)
      expect(await response.json()).toMatchObject({ success: false, errors: [{ field: 'return_to' }] })
    }
  })
})

it('the page of a failed login has no script and loads only from this service', async () => {
  const response = await open(BAD_RETURN_TO)
  const page = await response.text()
  const policy = response.headers.get('Content-Security-Policy')
  const nonce = /<style nonce="([^"]+)">/.exec(page)![1]
  for (const part of ["default-src 'none'", `style-src 'nonce-${nonce}';`, "frame-ancestors 'none'"])
    expect(policy).toContain(part)
  expect(policy).not.toMatch(/script-src|connect-src/)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect((await open(BAD_RETURN_TO)).headers.get('Content-Security-Policy')).not.toBe(policy)
  expect(page).not.toMatch(/<script| on\w+=| style=/)
  for (const [, url] of page.matchAll(/(?:src|href)="([^"]*)"/g)) expect(url).toMatch(/^\/console\//)
})

it('the page of a failed login shows messages as text', async () => {
  const app = new Hono<AppEnv>().use(identifyRequest).get('/', showFailures, () => {
    throw new ApiError('forbidden', '<script>"&\'')
  })
  app.onError(answerError)
  const response = await app.request('/', { headers: { Accept: BROWSER } })
  expect(response.status).toBe(403)
  expect(await response.text()).toContain('<p>&lt;script&gt;&quot;&amp;&#39;</p>')
})
