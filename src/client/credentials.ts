import { type CallOptions, ServiceClient } from '#client/client'
import { RenewedToken, type TokenSource } from '#client/token-source'

/** Longest time in which a token is given, in milliseconds. */
const TIMEOUT_MS = 30_000

export interface ClientCredentials extends CallOptions {
  /** Where the service is: `https://catalog.example`. */
  baseUrl: string
  clientId: string
  clientSecret: string
  /** Selects the workspace. */
  apiKey: string
}

/** Access tokens for a program (RFC 6749, section 4.4). For servers: the secret must not reach a browser. */
export function clientCredentials({ clientId, clientSecret, apiKey, ...options }: ClientCredentials): TokenSource {
  const client = new ServiceClient({ ...options, timeoutMs: options.timeoutMs ?? TIMEOUT_MS })
  return new RenewedToken(() =>
    client.post('/api/v1/auth/token', {
      headers: { 'X-API-KEY': apiKey },
      body: { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' },
    }),
  )
}
