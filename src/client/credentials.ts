import { ServiceClient } from './client'
import { RenewedToken, type TokenSource } from './token-source'
import type { Fetch } from './transport'

export interface ClientCredentials {
  /** Where the service is: `https://catalog.example`. */
  baseUrl: string
  clientId: string
  clientSecret: string
  /** Selects the workspace. */
  apiKey: string
  /** Used instead of `globalThis.fetch`. */
  fetch?: Fetch
}

/** Access tokens for a program (RFC 6749, section 4.4). For servers: the secret must not reach a browser. */
export function clientCredentials({
  baseUrl,
  clientId,
  clientSecret,
  apiKey,
  fetch,
}: ClientCredentials): TokenSource {
  const client = new ServiceClient({ baseUrl, ...(fetch === undefined ? {} : { fetch }) })
  return new RenewedToken(() =>
    client.post('/api/v1/auth/token', {
      headers: { 'X-API-KEY': apiKey },
      body: { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' },
    }),
  )
}
