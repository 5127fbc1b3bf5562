import { configOf } from '../env'
import type { AppContext } from '../http/context'
import { controlDatabase } from '../storage/database'
import { verifyAccessToken } from './access-token'
import type { Caller } from './caller'
import { databaseBindingOf } from './live-credentials'
import { unauthenticated } from './refusals'
import { signingKeysOf } from './signing-keys'

/**
 * The token of an `Authorization: Bearer` header (RFC 6750, section 2.1); the name of the scheme is read in any case.
 *
 * @returns undefined when there is no header, or one of another scheme or form
 */
export function bearerToken(c: AppContext): string | undefined {
  return /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1]
}

/**
 * The caller whom the access token of a request names.
 *
 * @throws ApiError 401 when there is none, it fails a check, or its client or API key has been revoked
 */
export async function verifyBearer(c: AppContext): Promise<Caller> {
  const token = bearerToken(c)
  if (token === undefined) throw unauthenticated('no bearer token')
  const now = new Date()
  const keys = await signingKeysOf(c.env)
  const grant = await verifyAccessToken(token, keys, configOf(c.env).issuer, now)
  const databaseBinding = await databaseBindingOf(controlDatabase(c.env, c.var.meter), grant, now)
  if (databaseBinding === null) throw unauthenticated('access token: client or API key revoked or unknown')
  return { workspaceId: grant.workspaceId, databaseBinding, actor: grant.clientId, scopes: grant.scopes }
}
