import { base64url, CompactEncrypt } from 'jose'
import { callOperator, createWorkspace } from './credentials'
import { bodyFrom, callService, dataFrom, type Fetch, jsonBody } from './service'

export interface TestPartner {
  workspaceId: string
  kid: string
  /** Base64url of 32 bytes. */
  secret: string
  issuer: string
  audience: string
}

const PARTNER_ISSUER = 'https://partner.test'

/** A partner credential, created by the service itself. In a new workspace if none is given. */
export async function newPartner({
  workspaceId,
  origins = [],
  call = callService,
}: {
  workspaceId?: string
  origins?: string[]
  call?: Fetch
} = {}): Promise<TestPartner> {
  const id = workspaceId ?? (await createWorkspace())
  const body = { issuer: PARTNER_ISSUER, allowed_origins: origins }
  const { kid, secret, issuer, audience } = await dataFrom<TestPartner>(
    callOperator(`/workspaces/${id}/partner-credentials`, body, 'POST', call),
  )
  return { workspaceId: id, kid, secret, issuer, audience }
}

/**
 * A valid partner token, without a `jti`, so that it can be reused.
 *
 * @param changes of its header and its claims. Undefined claims are omitted
 */
export function partnerTokenOf(
  partner: TestPartner,
  changes: { header?: object; claims?: object } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const payload = {
    iss: partner.issuer,
    aud: partner.audience,
    sub: '+910000000000',
    iat: now,
    exp: now + 300,
    ...changes.claims,
  }
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: partner.kid, ...changes.header })
    .encrypt(base64url.decode(partner.secret))
}

/** A path that accepts partner tokens. */
export const LIST = '/admin/datasets/v1/?type=medication'

export const callAsPartner = (token: string, path = LIST, init: RequestInit = {}): Promise<Response> =>
  callService(path, { ...init, headers: { 'X-Auth-Token': token, ...init.headers } })

/** Exchanges a partner token for an access token. */
export async function sessionToken(token: string, body?: { scope: string }): Promise<string> {
  const asked = body === undefined ? {} : jsonBody(body)
  const answer = callAsPartner(token, '/api/v1/auth/session', { method: 'POST', ...asked })
  return (await bodyFrom<{ access_token: string }>(answer)).access_token
}
