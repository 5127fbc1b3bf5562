import * as z from 'zod'
import { sealedCookie } from './sealed-cookie'

/** The data of a browser login between its start and its end. The browser keeps it, sealed. */
const transactionSchema = z.object({
  /** Ties the provider's answer to this browser (RFC 6749, section 10.12). */
  state: z.string(),
  /** Ties the id token to this login (OpenID Connect Core 1.0, section 3.1.2.1). */
  nonce: z.string(),
  /** Ties the authorization code to this login (RFC 7636). */
  codeVerifier: z.string(),
  /** As it was sent at the start of the login, and checked then. */
  returnTo: z.string(),
  /** Set for a command-line client; null for a login of the browser itself. */
  codeChallenge: z.string().nullable(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
})

export type LoginTransaction = z.output<typeof transactionSchema>

export const transactionCookie = sealedCookie('login', 'login transaction', transactionSchema)
