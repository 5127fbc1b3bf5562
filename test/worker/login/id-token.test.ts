import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { rowsIn } from '../../support/databases'
import { beginLogin, callBack, callLenient, lenientAnswer, workspaceOf } from '../../support/logins'
import { bodyFrom } from '../../support/service'

const now = () => Math.floor(Date.now() / 1000)

/** The response to a login in which the provider signs an ID token with these claims. */
const logInWith = async (claims: Record<string, unknown>, forged = false): Promise<Response> => {
  const { jar, authorization } = await beginLogin({ return_to: '/docs' }, callLenient)
  return callBack(lenientAnswer(authorization, claims, forged), jar, callLenient)
}

beforeEach(() => workspaceOf('admin@clinic.example'))

const NOT_CONFIRMED = 'The login provider did not confirm the login. Start it again.'
const NOT_VERIFIED = 'The account has no verified email address. Verify it at the login provider, then log in again.'

describe('an ID token', () => {
  it('that passes every check logs its owner in, with one user ID for each issuer and subject', async () => {
    for (const sub of ['one', 'one', 'two']) expect((await logInWith({ sub })).status).toBe(302)
    const users = await env.DB.prepare(
      'select count(*) as sessions, count(distinct user_id) as ids from sessions',
    ).first()
    expect(users).toEqual({ sessions: 3, ids: 2 })
  })

  it.each<[string, number, string, Record<string, unknown>, boolean?]>([
    ['another nonce', 401, NOT_CONFIRMED, { nonce: 'another' }],
    ['no nonce', 401, NOT_CONFIRMED, { nonce: null }],
    ['another issuer', 401, NOT_CONFIRMED, { iss: 'https://evil.example' }],
    ['another audience', 401, NOT_CONFIRMED, { aud: 'another-client' }],
    ['no subject', 401, NOT_CONFIRMED, { sub: null }],
    ['a time of issue in the future', 401, NOT_CONFIRMED, { iat: now() + 60 }],
    ['no expiry', 401, NOT_CONFIRMED, { exp: null }],
    ['an expiry that has passed', 401, NOT_CONFIRMED, { iat: now() - 600, exp: now() - 31 }],
    ['a foreign signature', 401, NOT_CONFIRMED, {}, true],
    ['no email', 403, NOT_VERIFIED, { email: null }],
    ['an email that is not verified', 403, NOT_VERIFIED, { email_verified: false }],
    ['an email of which nothing is said', 403, NOT_VERIFIED, { email_verified: null }],
    ['a verification that is not a boolean', 403, NOT_VERIFIED, { email_verified: 'true' }],
  ])('with %s logs no one in', async (_, status, message, claims, forged) => {
    expect(await bodyFrom(logInWith(claims, forged), status)).toEqual({ success: false, message })
    expect(await rowsIn('DB', 'sessions')).toBe(0)
  })

  it('logs its owner in once, even if the provider accepts a code twice', async () => {
    const { jar, authorization } = await beginLogin({ return_to: '/docs' }, callLenient)
    const search = lenientAnswer(authorization)
    const answers = await Promise.all([1, 2, 3].map(() => callBack(search, jar, callLenient)))
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400])
    expect(await rowsIn('DB', 'sessions')).toBe(1)
  })
})
