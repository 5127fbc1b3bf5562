import * as z from 'zod'
import type { MasterKeys } from '#crypto/master-keys'
import { seal, unseal } from '#crypto/seal'

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

/** The context: no other sealed value opens as a transaction. */
const CONTEXT = 'login transaction'

/** The value of the transaction's cookie. */
export const sealTransaction = (keys: MasterKeys, transaction: LoginTransaction): Promise<string> =>
  seal(keys, CONTEXT, JSON.stringify(transaction))

/** @returns undefined for a value that was altered, made elsewhere, or has expired */
export async function openTransaction(
  keys: MasterKeys,
  sealed: string,
  now: Date,
): Promise<LoginTransaction | undefined> {
  let text: string
  try {
    text = await unseal(keys, CONTEXT, sealed)
  } catch {
    // A bad cookie is not a fault of the service: the login starts again.
    return undefined
  }
  const transaction = transactionSchema.parse(JSON.parse(text))
  return transaction.expiresAt > now.getTime() ? transaction : undefined
}
