import { env } from 'cloudflare:workers'
import { calculatePKCECodeChallenge } from 'oauth4webapi'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { loginTokenResponseSchema } from '#worker/login/schemas'
import { rowsIn } from '../../support/databases'
import {
  ALLOW,
  beginLogin,
  callBack,
  callLogin,
  LOGIN,
  logIn,
  logInAtProvider,
  SAME_ORIGIN,
  TOKEN,
  workspaceOf,
} from '../../support/logins'
import { bodyFrom, jsonBody } from '../../support/service'

const ADMIN = 'admin@clinic.example'
const VERIFIER = 'a-verifier-of-at-least-forty-three-characters'
const RETURN_TO = 'http://127.0.0.1:4711/done?state=mine'

let challenge: string
let workspaceId: string

/** A login of a command-line client, up to its one-time code. */
async function codeOf(): Promise<string> {
  const { response, jar } = await logIn(ADMIN, { return_to: RETURN_TO, code_challenge: challenge })
  expect(response.status).toBe(302)
  expect(jar.has('session')).toBe(false)
  const location = new URL(response.headers.get('Location')!)
  expect(location.href.startsWith(`${RETURN_TO}&code=`)).toBe(true)
  return location.searchParams.get('code')!
}

const exchange = (body: Record<string, unknown>): Promise<Response> =>
  callLogin(TOKEN, { method: 'POST', ...jsonBody(body) })

beforeEach(async () => {
  workspaceId = await workspaceOf(ADMIN, 'editor')
  challenge = await calculatePKCECodeChallenge(VERIFIER)
})

describe('a command-line login', () => {
  it('exchanges a code from its loopback address for an access token', async () => {
    const code = await codeOf()
    const { results } = await env.DB.prepare('select * from login_codes').all()
    expect([results.length, JSON.stringify(results).includes(code)]).toEqual([1, false])
    const token = loginTokenResponseSchema.parse(await bodyFrom(exchange({ code, code_verifier: VERIFIER })))
    expect(token).toMatchObject({ workspace_id: workspaceId, role: 'editor', email: ADMIN, expires_in: 3600 })
    expect(await rowsIn('DB', 'sessions')).toBe(0)
  })

  it('is allowed once, by the page that names the user and the port', async () => {
    const { jar, authorization } = await beginLogin({ return_to: RETURN_TO, code_challenge: challenge })
    expect(authorization.searchParams.get('prompt')).toBe('select_account')
    const page = await callBack(await logInAtProvider(authorization, ADMIN), jar)
    jar.take(page)
    expect([page.status, page.headers.get('Location')]).toEqual([200, null])
    const policy = page.headers.get('Content-Security-Policy')
    for (const part of ["form-action 'self' http://127.0.0.1:4711;", "frame-ancestors 'none'"])
      expect(policy).toContain(part)
    const text = await page.text()
    for (const part of ['port 4711 of 127.0.0.1', ADMIN]) expect(text).toContain(part)
    expect(await rowsIn('DB', 'login_codes')).toBe(0)
    const post = async (headers: Record<string, string>) => (await callLogin(ALLOW, { method: 'POST', headers })).status
    expect(await post(jar.header)).toBe(403)
    expect(await post({ ...jar.header, Origin: 'https://evil.example' })).toBe(403)
    expect(await post(SAME_ORIGIN)).toBe(400)
    expect(await post({ ...SAME_ORIGIN, Cookie: `${jar.header.Cookie}x` })).toBe(400)
    const answers = await Promise.all([1, 2, 3].map(() => post({ ...SAME_ORIGIN, ...jar.header })))
    expect(answers.sort()).toEqual([302, 400, 400])
  })

  it('cannot start from a page of another site', async () => {
    const query = new URLSearchParams({ return_to: RETURN_TO, code_challenge: challenge })
    const begin = async (value: string) =>
      (await callLogin(`${LOGIN}?${query}`, { headers: { 'Sec-Fetch-Site': value } })).status
    expect([await begin('cross-site'), await begin('same-site'), await begin('none')]).toEqual([403, 403, 302])
  })

  it('can use its code once', async () => {
    const [code, other] = [await codeOf(), await codeOf()]
    const answers = await Promise.all([1, 2, 3].map(() => exchange({ code, code_verifier: VERIFIER })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    const again = await exchange({ code, code_verifier: VERIFIER })
    expect(await bodyFrom(again, 401)).toMatchObject({ success: false, error: 'invalid_grant' })
    for (const verifier of [VERIFIER.replace('a', 'b'), VERIFIER])
      expect((await exchange({ code: other, code_verifier: verifier })).status).toBe(401)
  })

  it('can use its code for a minute', async () => {
    const [early, late] = [await codeOf(), await codeOf()]
    const issued = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: issued + 50_000 })
    expect((await exchange({ code: early, code_verifier: VERIFIER })).status).toBe(200)
    vi.setSystemTime(issued + 60_000)
    expect((await exchange({ code: late, code_verifier: VERIFIER })).status).toBe(401)
  })

  it('keeps its code until a workspace is chosen', async () => {
    const other = await workspaceOf(ADMIN, 'viewer')
    const code = await codeOf()
    expect((await exchange({ code, code_verifier: VERIFIER })).status).toBe(400)
    const response = await exchange({ code, code_verifier: VERIFIER, workspace_id: other })
    expect(await response.json()).toMatchObject({ workspace_id: other, role: 'viewer' })
  })

  it('does not start without a challenge of its own form', async () => {
    const challenge = 'a'.repeat(43)
    for (const [query, field] of [
      [{ return_to: RETURN_TO }, 'code_challenge'],
      [{ return_to: RETURN_TO, code_challenge: 'short' }, 'code_challenge'],
      [{ return_to: '/docs', code_challenge: challenge }, 'code_challenge'],
      [{ return_to: RETURN_TO, code_challenge: challenge, code_challenge_method: 'plain' }, 'code_challenge_method'],
    ] as const) {
      const response = await callLogin(`${LOGIN}?${new URLSearchParams({ ...query })}`)
      expect(await bodyFrom(response, 400)).toMatchObject({ errors: [{ field }] })
    }
  })
})
