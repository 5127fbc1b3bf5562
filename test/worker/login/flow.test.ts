import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { ROLE_SCOPES } from '#shared/access/caller'
import { MAX_SESSIONS } from '#shared/limits'
import { loginTokenResponseSchema, loginWorkspacesSchema } from '#worker/login/schemas'
import { beginSession, userOfSession } from '#worker/login/sessions'
import { runScheduled } from '#worker/scheduled'
import { callOperator } from '../../support/credentials'
import { openControl, rowsIn, single } from '../../support/databases'
import {
  beginLogin,
  CALLBACK,
  type CookieJar,
  callBack,
  callLogin,
  LOGIN,
  LOGOUT,
  logIn,
  logInAtProvider,
  loginBindings,
  postAsPage,
  SAME_ORIGIN,
  serviceWith,
  TOKEN,
  workspaceOf,
} from '../../support/logins'
import { bearer, bodyFrom, callService, dataFrom } from '../../support/service'

const ADMIN = 'admin@clinic.example'

const tokenOf = async (response: Response) => {
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  return loginTokenResponseSchema.parse(await bodyFrom(response))
}

/** The browser of an admin of a new workspace. */
async function loggedIn(): Promise<CookieJar> {
  await workspaceOf(ADMIN)
  return (await logIn(ADMIN)).jar
}

/** A login that the provider has confirmed, before the redirect back. */
async function confirmedLogin() {
  await workspaceOf(ADMIN)
  const { jar, authorization } = await beginLogin()
  return { jar, search: await logInAtProvider(authorization, ADMIN) }
}

const accessTokenOf = async (jar: CookieJar): Promise<string> =>
  (await tokenOf(await postAsPage(TOKEN, jar))).access_token

/** The status of a read with an access token. */
const readWith = async (token = ''): Promise<number> =>
  (await callService('/admin/datasets/v1/?type=symptom', { headers: bearer(token) })).status

const listFor = (headers: Record<string, string>) => callLogin('/api/v1/auth/session/workspaces', { headers })

const setCookie = (response: Response, name: string): string =>
  response.headers.getSetCookie().find((line) => line.startsWith(`${name}=`))!

describe('a browser login', () => {
  it('leads through the provider back to return_to, and to an access token of one hour', async () => {
    const workspaceId = await workspaceOf(ADMIN)
    const { response, jar } = await logIn(ADMIN, { return_to: '/docs?x=1' })
    expect(response.status).toBe(302)
    expect(response.headers.get('Location')).toBe(`${env.ISSUER}/docs?x=1`)

    const token = await tokenOf(await postAsPage(TOKEN, jar))
    expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 3600, workspace_id: workspaceId })
    expect(token).toMatchObject({ role: 'admin', email: ADMIN })
    expect(decodeJwt(token.access_token)).toMatchObject({
      sub: expect.stringMatching(/^user_[0-9a-f]{64}$/),
      client_id: 'browser-login',
      workspace_id: workspaceId,
    })
    expect(await readWith(token.access_token)).toBe(200)
  })

  it('asks the provider for a code with new PKCE, state and nonce each time', async () => {
    const [first, second] = [await beginLogin(), await beginLogin()]
    const query = Object.fromEntries(first.authorization.searchParams)
    expect(first.authorization.origin).toBe(loginBindings.OIDC_ISSUER)
    expect(query).toEqual({
      client_id: loginBindings.OIDC_CLIENT_ID,
      redirect_uri: `${env.ISSUER}/api/v1/auth/oidc/callback`,
      response_type: 'code',
      scope: 'openid email',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(second.authorization.searchParams.get(name)).not.toBe(query[name])
  })

  it('finds a member by an email address in any case, and grants the scopes of the role', async () => {
    await workspaceOf('MIXED.case@clinic.example', 'editor')
    const { jar, response } = await logIn('Mixed.Case@Clinic.Example', {})
    expect(response.headers.get('Location')).toBe(`${env.ISSUER}/console/`)
    const token = await tokenOf(await postAsPage(TOKEN, jar))
    expect(token).toMatchObject({ email: 'mixed.case@clinic.example', scope: ROLE_SCOPES.editor.join(' ') })
    expect(decodeJwt(token.access_token).scope).toBe(token.scope)
  })

  it.each([
    ['unverified@clinic.example', 403, 'The account has no verified email address.'],
    ['stranger@clinic.example', 403, 'The account is not a member of any workspace.'],
    ['nobody@clinic.example', 401, 'The login provider did not confirm the login.'],
  ])('rejects %s with %i', async (account, status, message) => {
    await workspaceOf('unverified@clinic.example')
    const { response, jar } = await logIn(account)
    expect((await bodyFrom<{ message: string }>(response, status)).message).toContain(message)
    expect(jar.has('session')).toBe(false)
  })

  it('returns 503 if the provider cannot be reached', async () => {
    const call = serviceWith({ ...loginBindings, OIDC_ISSUER: `${loginBindings.OIDC_ISSUER}/nothing` })
    expect((await call(LOGIN)).status).toBe(503)
  })
})

describe('state', () => {
  it('belongs to one login in the browser that began it', async () => {
    const { jar, search } = await confirmedLogin()
    const foreign = await callBack(search, (await beginLogin()).jar)
    expect(foreign.status).toBe(400)
    expect(setCookie(foreign, 'login')).toMatch(/^login=;.*Max-Age=0/)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    expect((await callBack(search, jar)).status).toBe(400)
    vi.useRealTimers()
    expect([(await callBack(search, jar)).status, (await callBack(search, jar)).status]).toEqual([302, 401])
    expect(await rowsIn('DB', 'sessions')).toBe(1)
  })

  it('is rejected if it is missing or duplicated, without its cookie, or with an altered one', async () => {
    const { jar, authorization } = await beginLogin()
    for (const search of ['', '?code=x', '?code=x&state=', '?code=x&state=y&state=y'])
      expect((await callBack(search, jar)).status, search).toBe(400)
    const search = `?code=x&state=${authorization.searchParams.get('state')}`
    const altered = jar.header.Cookie!.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
    for (const headers of [{}, { Cookie: altered }])
      expect((await callLogin(CALLBACK + search, { headers })).status).toBe(400)
  })
})

describe('the cookies', () => {
  it('cannot be read by scripts and other sites, and are stored as hashes', async () => {
    await workspaceOf(ADMIN)
    const { response: begun } = await beginLogin()
    expect(setCookie(begun, 'login')).toMatch(/; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const { response } = await logIn(ADMIN)
    const cookie = setCookie(response, 'session')
    expect(cookie).toMatch(/; Max-Age=28800; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect(setCookie(response, 'login')).toMatch(/^login=;.*Max-Age=0/)
    const secret = /^session=(dcs_session_[\w-]{43});/.exec(cookie)![1]!
    const { results } = await env.DB.prepare('select * from sessions').all()
    expect([results.length, JSON.stringify(results).includes(secret)]).toEqual([1, false])
    const call = serviceWith({ ...loginBindings, ISSUER: 'https://catalog.test' })
    expect((await call(LOGIN)).headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-login=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ])
  })
})

describe('a session', () => {
  it('expires after eight hours, and its access tokens after their hour', async () => {
    const jar = await loggedIn()
    const [ends, hour] = [Date.now() + 8 * 3600_000, 3600_000]
    vi.useFakeTimers({ toFake: ['Date'], now: ends - 60_000 })
    const token = await accessTokenOf(jar)
    vi.setSystemTime(ends + 60_000)
    expect((await postAsPage(TOKEN, jar)).status).toBe(401)
    for (const [now, sessions, status] of [
      [ends + hour - 61_000, 1, 200],
      [ends + hour + 60_000, 0, 401],
    ] as const) {
      vi.setSystemTime(now)
      await runScheduled(single, new Date())
      expect([await rowsIn('DB', 'sessions'), await readWith(token)]).toEqual([sessions, status])
    }
    expect(await rowsIn('DB', 'finished_logins')).toBe(0)
  })

  it('ends with the logout, like its access tokens: immediately in this isolate, elsewhere in 60 seconds', async () => {
    await workspaceOf(ADMIN)
    const [{ jar }, { jar: another }] = [await logIn(ADMIN), await logIn(ADMIN)]
    const [token, other] = [await accessTokenOf(jar), await accessTokenOf(another)]
    expect([await readWith(token), await readWith(other)]).toEqual([200, 200])
    const response = await postAsPage(LOGOUT, jar)
    expect(await response.json()).toMatchObject({ success: true, data: { logged_out: true } })
    expect(setCookie(response, 'session')).toMatch(/^session=;.*Max-Age=0/)
    expect((await postAsPage(TOKEN, jar)).status).toBe(401)
    expect([await readWith(token), await readWith(other)]).toEqual([401, 200])
    expect((await postAsPage(LOGOUT, jar)).status).toBe(200)
    // Like a logout in another isolate, which this one detects within 60 seconds.
    await env.DB.exec('delete from sessions')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect(await readWith(other)).toBe(401)
  })

  it('replaces the oldest session of a user who has too many', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const database = openControl()
    const person = { userId: 'user_a', email: ADMIN }
    const secrets: string[] = []
    await beginSession(database, { userId: 'user_b', email: 'b@clinic.example' }, new Date())
    for (let n = 0; n <= MAX_SESSIONS; n++) {
      vi.advanceTimersByTime(1)
      secrets.push(await beginSession(database, person, new Date()))
    }
    const alive = await Promise.allSettled(secrets.map((secret) => userOfSession(database, secret, new Date())))
    expect(alive.map(({ status }) => status)).toEqual(['rejected', ...Array(MAX_SESSIONS).fill('fulfilled')])
    expect(await rowsIn('DB', 'sessions')).toBe(MAX_SESSIONS + 1)
  })

  it('is not stored for a user who logs in too often', async () => {
    const limit = vi.fn(async (_: { key: string }) => ({ success: false }))
    const busy = serviceWith({ ...loginBindings, TOKEN_RATE_LIMIT: { limit } })
    const { jar, search } = await confirmedLogin()
    const response = await busy(`${CALLBACK}${search}`, { headers: jar.header, redirect: 'manual' })
    expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '60'])
    expect(limit.mock.calls).toEqual([[{ key: expect.stringMatching(/.+/) }]])
    for (const table of ['sessions', 'finished_logins', 'login_codes']) expect(await rowsIn('DB', table)).toBe(0)
  })

  it('issues no more tokens to a user who requests too many', async () => {
    const jar = await loggedIn()
    const busy = serviceWith({ ...loginBindings, TOKEN_RATE_LIMIT: { limit: async () => ({ success: false }) } })
    expect((await busy(TOKEN, { method: 'POST', headers: { ...SAME_ORIGIN, ...jar.header } })).status).toBe(429)
  })

  it("replaces the browser's previous session", async () => {
    const { jar, search } = await confirmedLogin()
    const { jar: before } = await logIn(ADMIN)
    const headers = { Cookie: `${before.header.Cookie}; ${jar.header.Cookie}` }
    expect((await callLogin(CALLBACK + search, { headers })).status).toBe(302)
    expect((await postAsPage(TOKEN, before)).status).toBe(401)
  })

  it('leaves neither email addresses nor secrets in the log', async () => {
    const log = vi.spyOn(console, 'log')
    await workspaceOf(ADMIN)
    const { jar, search } = await logIn(ADMIN)
    await postAsPage(TOKEN, jar)
    await logIn('stranger@clinic.example')
    const lines = log.mock.calls.join('\n')
    expect(lines).toContain('/api/v1/auth/oidc/callback')
    const code = new URLSearchParams(search).get('code')!
    for (const secret of ['@', 'dcs_session_', code]) expect(lines).not.toContain(secret)
  })

  it('has tokens only for the workspaces of its user', async () => {
    const ids = [await workspaceOf(ADMIN), await workspaceOf(ADMIN, 'viewer')]
    const other = await workspaceOf('viewer@clinic.example')
    const { jar } = await logIn(ADMIN)
    const response = await listFor({ 'Sec-Fetch-Site': 'same-origin', ...jar.header })
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const items = ids.map((workspace_id, n) => ({ workspace_id, name: 'a workspace', role: ['admin', 'viewer'][n] }))
    const sorted = items.sort((a, b) => (a.workspace_id < b.workspace_id ? -1 : 1))
    expect(loginWorkspacesSchema.parse(await dataFrom(response))).toEqual({ email: ADMIN, items: sorted })
    const names = ids.toSorted()
    const msg = `is required because you are a member of several workspaces; send one of: ${names.join(', ')}`
    expect(await bodyFrom(postAsPage(TOKEN, jar), 400)).toMatchObject({ errors: [{ field: 'workspace_id', msg }] })
    for (const id of ids) {
      const token = await tokenOf(await postAsPage(TOKEN, jar, { workspace_id: id }))
      expect(token.workspace_id).toBe(id)
      expect(token.workspaces.map((workspace) => workspace.workspace_id)).toEqual(names)
    }
    // No longer once the membership is revoked.
    for (const id of ids) await callOperator(`/workspaces/${id}/members/${ADMIN}`, undefined, 'DELETE')
    for (const id of [...ids, other]) expect((await postAsPage(TOKEN, jar, { workspace_id: id })).status).toBe(403)
  })
})

it('the workspaces of a session are hidden without a session, and from every other page', async () => {
  const jar = await loggedIn()
  for (const headers of [
    {},
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
  ])
    expect((await listFor({ ...headers, ...jar.header })).status, JSON.stringify(headers)).toBe(403)
  expect((await listFor({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(401)
})

it('a POST from another site gets neither a token nor a logout, with and without a session', async () => {
  const jar = await loggedIn()
  for (const from of [
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'http://localhost:9999', 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'null' },
    { Origin: env.ISSUER, 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-origin' },
    {},
  ]) {
    for (const path of [TOKEN, LOGOUT]) {
      const response = await callLogin(path, { method: 'POST', headers: { ...from, ...jar.header } })
      expect(response.status, JSON.stringify(from)).toBe(403)
      expect(response.headers.has('Access-Control-Allow-Origin')).toBe(false)
    }
  }
  expect((await callLogin(TOKEN, { method: 'POST' })).status).toBe(403)
  expect((await postAsPage(TOKEN, jar)).status).toBe(200)
})
