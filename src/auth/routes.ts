import { Hono } from 'hono'
import { CLIENT_SCOPES } from '#access/caller'
import { PARTNER_SCOPES } from '#auth/partner/caller'
import { configOf } from '#env'
import { ApiError } from '#errors'
import type { AppContext, AppEnv } from '#http/context'
import { noStore } from '#http/no-store'
import { controlDatabase } from '#storage/database'
import { authenticateByPartnerToken } from './authenticate'
import { exchangeClientCredentials } from './client-credentials'
import { serverMetadata } from './metadata'
import { signingKeysOf } from './signing-keys'
import { tokenAnswer } from './token-answer'
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

export const authRoutes = new Hono<AppEnv>({ strict: false })

authRoutes.post('/token', noStore, async (c) => {
  const credentials = await readTokenRequest(c)
  await limitTokenRequests(c, credentials.clientId)
  const grant = await exchangeClientCredentials(controlDatabase(c.env, c.var.meter), credentials)
  return c.json(await tokenAnswer(c, grant, CLIENT_SCOPES))
})

authRoutes.post('/session', noStore, authenticateByPartnerToken, async (c) => {
  const { workspaceId, partner } = c.var.caller
  if (!partner) throw new Error('a partner token without a partner')
  const grant = { workspaceId, partnerKid: partner.kid, subject: partner.subject }
  return c.json(await tokenAnswer(c, grant, PARTNER_SCOPES))
})
