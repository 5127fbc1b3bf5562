import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginLogin, callBack, callLenient, lenientAnswer, workspaceOf } from '../../support/logins'
import { bodyFrom } from '../../support/service'

const now = () => Math.floor(Date.now() / 1000)

/** The answer to a login in which the provider signs an id token with these claims. */
const logInWith = async (claims: Record<string, unknown>, forged = false): Promise<Response> => {
  const { jar, authorization } = await beginLogin({ return_to: '/docs' }, callLenient)
  return callBack(lenientAnswer(authorization, claims, forged), jar, callLenient)
}

const sessions = async (): Promise<number> => (await env.DB.prepare('select * from sessions').all()).results.length

beforeEach(() => workspaceOf('admin@clinic.example'))

describe('an id token', () => {
  it('that passes every check logs its owner in', async () => {
    expect((await logInWith({})).status).toBe(302)
    expect(await sessions()).toBe(1)
  })

  it.each([
    ['another nonce', () => ({ nonce: 'another' })],
    ['no nonce', () => ({ nonce: null })],
    ['another issuer', () => ({ iss: 'https://evil.example' })],
    ['another audience', () => ({ aud: 'another-client' })],
    ['several audiences and no authorized party', () => ({ aud: ['dataset-catalog-service', 'another'] })],
    ['no subject', () => ({ sub: null })],
    ['an empty subject', () => ({ sub: '' })],
    ['a time of issue in the future', () => ({ iat: now() + 60 })],
    ['no expiry', () => ({ exp: null })],
    ['an expiry that has passed', () => ({ iat: now() - 600, exp: now() - 31 })],
    ['a beginning in the future', () => ({ nbf: now() + 600 })],
  ])('with %s is refused', async (_, claims) => {
    expect(await bodyFrom(logInWith(claims()), 401)).toEqual({
      success: false,
      message: 'The login provider did not confirm the login. Start it again.',
    })
    expect(await sessions()).toBe(0)
  })

  it('that is signed with a foreign key is refused', async () => {
    expect((await logInWith({}, true)).status).toBe(401)
    expect(await sessions()).toBe(0)
  })

  it.each([
    ['no email', { email: null }],
    ['an empty email', { email: '' }],
    ['an email that is not verified', { email_verified: false }],
    ['an email of which nothing is said', { email_verified: null }],
    ['a verification that is not a boolean', { email_verified: 'true' }],
  ])('with %s logs nobody in', async (_, claims) => {
    expect(await bodyFrom(logInWith(claims), 403)).toMatchObject({
      message: 'The account has no verified email address. Verify it at the login provider, then log in again.',
    })
    expect(await sessions()).toBe(0)
  })

  it('logs its owner in once, even if the provider accepts a code twice', async () => {
    const { jar, authorization } = await beginLogin({ return_to: '/docs' }, callLenient)
    const search = lenientAnswer(authorization)
    const answers = await Promise.all([1, 2, 3].map(() => callBack(search, jar, callLenient)))
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400])
    expect(await sessions()).toBe(1)
  })

  it('gives the same user id for the same issuer and subject, and for no others', async () => {
    await logInWith({ sub: 'one' })
    await logInWith({ sub: 'one' })
    await logInWith({ sub: 'two' })
    const { results } = await env.DB.prepare('select distinct user_id from sessions').all()
    expect(results).toHaveLength(2)
  })
})
