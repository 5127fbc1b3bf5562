import { Hono } from 'hono'
import type * as z from 'zod'
import { configOf } from '../env'
import { ApiError } from '../errors'
import type { AppContext, AppEnv } from '../http/context'
import { noStore } from '../http/no-store'
import { ACCESS_TOKEN_SECONDS, PARTNER_SESSION_SECONDS } from '../limits'
import { controlDatabase } from '../storage/database'
import { type Grant, issueAccessToken } from './access-token'
import { authenticateByPartnerToken } from './authenticate'
import { CLIENT_SCOPES, type Scope } from './caller'
import { exchangeClientCredentials } from './client-credentials'
import { serverMetadata } from './metadata'
import { PARTNER_SCOPES } from './partner'
import type { tokenResponseSchema } from './schemas'
import { signingKeysOf } from './signing-keys'
import { readTokenRequest } from './token-request'

/** Seconds for which others may keep the public keys and the metadata. */
const PUBLIC_CACHE = 'public, max-age=300'

export const wellKnownRoutes = new Hono<AppEnv>({ strict: false })

wellKnownRoutes.get('/jwks.json', async (c) => {
  const { jwks } = await signingKeysOf(c.env)
  return c.json(jwks, 200, { 'Cache-Control': PUBLIC_CACHE })
})

wellKnownRoutes.get('/oauth-authorization-server', (c) =>
  c.json(serverMetadata(configOf(c.env).issuer), 200, { 'Cache-Control': PUBLIC_CACHE }),
)

/** Slows down whoever tries secrets: counted per client and address, before any of them is looked at. */
async function limitTokenRequests(c: AppContext, clientId: string): Promise<void> {
  const address = c.req.header('CF-Connecting-IP') ?? ''
  const { success } = await c.env.TOKEN_RATE_LIMIT.limit({ key: `${clientId}:${address}` })
  if (success) return
  // OAuth 2.0 has no code of its own for this; the status says it.
  throw new ApiError('rate_limited', 'Too many token requests. Try again later.', {
    oauth: 'invalid_request',
  })
}

/** The answer of a token endpoint (RFC 6749, section 5.1). */
async function answerToken(
  c: AppContext,
  grant: Grant,
  scopes: readonly Scope[],
  expiresIn: number,
): Promise<Response> {
  const keys = await signingKeysOf(c.env)
  const token = await issueAccessToken(keys, configOf(c.env).issuer, { ...grant, scopes }, new Date())
  return c.json({
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresIn,
    scope: scopes.join(' '),
  } satisfies z.output<typeof tokenResponseSchema>)
}

export const authRoutes = new Hono<AppEnv>({ strict: false })

authRoutes.post('/token', noStore, async (c) => {
  const credentials = await readTokenRequest(c)
  await limitTokenRequests(c, credentials.clientId)
  const grant = await exchangeClientCredentials(controlDatabase(c.env, c.var.meter), credentials)
  return answerToken(c, grant, CLIENT_SCOPES, ACCESS_TOKEN_SECONDS)
})

authRoutes.post('/session', noStore, authenticateByPartnerToken, async (c) => {
  const { workspaceId, partner } = c.var.caller
  if (!partner) throw new Error('a partner token without a partner')
  const grant = { workspaceId, partnerKid: partner.kid, subject: partner.subject }
  return answerToken(c, grant, PARTNER_SCOPES, PARTNER_SESSION_SECONDS)
})
