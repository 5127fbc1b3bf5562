import type * as z from 'zod'
import type { Scope } from '#shared/access/caller'
import { configOf } from '#worker/env'
import type { AppContext } from '#worker/http/context'
import { type Grant, issueAccessToken, lifetimeOf } from './access-token'
import type { tokenResponseSchema } from './schemas'
import { signingKeysOf } from './signing-keys'

/** In the form of a token endpoint's answer (RFC 6749, section 5.1). Does not check the grant. */
export async function tokenAnswer(
  c: AppContext,
  grant: Grant,
  scopes: readonly Scope[],
): Promise<z.output<typeof tokenResponseSchema>> {
  const keys = await signingKeysOf(c.env)
  const token = await issueAccessToken(keys, configOf(c.env).issuer, { ...grant, scopes }, new Date())
  // RFC 6749, section 5.1. `Cache-Control: no-store` comes with every answer.
  c.header('Pragma', 'no-cache')
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: lifetimeOf(grant),
    scope: scopes.join(' '),
  }
}
