import { type Caller, PERSON_PREFIX, ROLE_SCOPES } from '#shared/access/caller'
import { livePartnerCredential } from '#worker/auth/partner/credentials'
import { partnerCaller } from '#worker/auth/partner/verify-partner'
import { configOf } from '#worker/env'
import type { AppContext, Notes } from '#worker/http/context'
import { controlDatabaseOf } from '#worker/http/databases'
import { note } from '#worker/http/log'
import type { Database } from '#worker/storage/database'
import { type AccessToken, type ClientGrant, type MemberGrant, verifyAccessToken } from './access-token'
import { noteUse } from './last-use'
import { liveClient, liveMember } from './live-grants'
import { unauthenticated } from './refusals'
import { signingKeysOf } from './signing-keys'

/** The token of an `Authorization: Bearer` header (RFC 6750, section 2.1), whose scheme may be in any case. */
export function bearerToken(c: AppContext): string | undefined {
  return /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1]
}

/** Limits the scopes of a token to those of its API key. */
async function clientCaller(database: Database, token: ClientGrant & AccessToken, now: Date): Promise<Caller> {
  const client = await liveClient(database, token, now)
  if (client === null) throw unauthenticated('access token: client or API key revoked or unknown')
  const { workspaceId, clientId } = token
  const scopes = new Set(client.scopes.filter((scope) => token.scopes.has(scope)))
  return { workspaceId, databaseBinding: client.databaseBinding, actor: clientId, scopes }
}

/** Limits the scopes of a token to those of the member's role now, which may be a lesser one than at its issue. */
async function memberCaller(database: Database, token: MemberGrant & AccessToken, now: Date): Promise<Caller> {
  const member = await liveMember(database, token, now)
  if (member === null) throw unauthenticated('access token: membership revoked or unknown')
  const scopes = new Set(ROLE_SCOPES[member.role].filter((scope) => token.scopes.has(scope)))
  const { databaseBinding, email } = member
  const { workspaceId, memberId } = token
  return { workspaceId, databaseBinding, actor: `${PERSON_PREFIX}${email}`, scopes, memberId }
}

/** The ids of a token for the log, so that its refusal can be followed up too. Its signature is right. */
function loggedIds(token: AccessToken): Notes {
  if ('memberId' in token) return { member: token.memberId }
  return 'partnerKid' in token ? { partner: token.partnerKid } : { client: token.clientId, key: token.apiKeyId }
}

/** @throws ApiError 401 when there is no token, a check fails, or its credential has been revoked */
export async function verifyBearer(c: AppContext): Promise<Caller> {
  const token = bearerToken(c)
  if (token === undefined) throw unauthenticated('no bearer token')
  const now = new Date()
  const keys = await signingKeysOf(c.env)
  const accessToken = await verifyAccessToken(token, keys, configOf(c.env).issuer, now)
  note(c, loggedIds(accessToken))
  const database = controlDatabaseOf(c)
  if ('memberId' in accessToken) return memberCaller(database, accessToken, now)
  if (!('partnerKid' in accessToken)) return clientCaller(database, accessToken, now)
  const credential = await livePartnerCredential(c, accessToken.partnerKid, now)
  if (credential?.workspaceId !== accessToken.workspaceId) {
    throw unauthenticated('access token: partner credential revoked or unknown')
  }
  noteUse(c, 'partner_credentials', credential.kid, credential, now)
  return partnerCaller(credential, accessToken.subject, accessToken.scopes)
}
