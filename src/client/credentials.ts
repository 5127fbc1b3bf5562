import { type CallOptions, ServiceClient } from '#client/client'
import { RenewedToken, type TokenSource } from '#client/token-source'

/** Timeout for getting a token, in milliseconds. */
const TIMEOUT_MS = 30_000

export interface ClientCredentials extends CallOptions {
  /** Base URL of the service: `https://catalog.example`. */
  baseUrl: string
  clientId: string
  clientSecret: string
  /** Selects the workspace. */
  apiKey: string
}

/** Access tokens for an integration (RFC 6749, section 4.4). For servers: the secret must not reach a browser. */
export function clientCredentials({ clientId, clientSecret, apiKey, ...options }: ClientCredentials): TokenSource {
  const client = new ServiceClient({ ...options, timeoutMs: options.timeoutMs ?? TIMEOUT_MS })
  return new RenewedToken(() =>
    client.post('/api/v1/auth/token', {
      headers: { 'X-API-KEY': apiKey },
      body: { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' },
    }),
  )
}
