import { getCookie, setCookie } from 'hono/cookie'
import * as z from 'zod'
import { LOGIN_TRANSACTION_SECONDS, SESSION_SECONDS } from '#shared/limits'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { seal, unseal } from '#worker/crypto/seal'
import { configOf } from '#worker/env'
import type { AppContext } from '#worker/http/context'

const MAX_AGE_SECONDS = {
  session: SESSION_SECONDS,
  login: LOGIN_TRANSACTION_SECONDS,
  pending: LOGIN_TRANSACTION_SECONDS,
} as const

type CookieName = keyof typeof MAX_AGE_SECONDS

/** `__Host-` keeps other hosts of the domain from setting the cookie (RFC 6265bis, section 4.1.3.2); https only. */
const fullName = (c: AppContext, name: CookieName): string =>
  configOf(c.env).issuer.startsWith('https:') ? `__Host-${name}` : name

// `Lax`: the provider's redirect to the callback comes from another site and needs the cookie; posts do not get it.
const FLAGS = { path: '/', httpOnly: true, secure: true, sameSite: 'Lax' } as const

export const readCookie = (c: AppContext, name: CookieName): string | undefined => getCookie(c, fullName(c, name))

export const writeCookie = (c: AppContext, name: CookieName, value: string): void =>
  setCookie(c, fullName(c, name), value, { ...FLAGS, maxAge: MAX_AGE_SECONDS[name] })

export const clearCookie = (c: AppContext, name: CookieName): void =>
  setCookie(c, fullName(c, name), '', { ...FLAGS, maxAge: 0 })

/** A cookie that only the service can read and create. @param context separates the values of different cookies */
const sealedCookie = <T extends { expiresAt: number }>(name: CookieName, context: string, schema: z.ZodType<T>) => ({
  write: async (c: AppContext, value: T): Promise<void> =>
    writeCookie(c, name, await seal(await masterKeysOf(c.env), context, JSON.stringify(value))),

  /** Clears the cookie. @returns undefined if it is missing, altered, from elsewhere or expired */
  async take(c: AppContext, now: Date): Promise<T | undefined> {
    const sealed = readCookie(c, name)
    clearCookie(c, name)
    if (sealed === undefined) return undefined
    const keys = await masterKeysOf(c.env)
    let text: string
    try {
      text = await unseal(keys, context, sealed)
    } catch {
      // A bad cookie is not a fault of the service: the login starts again.
      return undefined
    }
    const value = schema.parse(JSON.parse(text))
    return value.expiresAt > now.getTime() ? value : undefined
  },
})

/** The data of a browser login in progress. The browser stores it, encrypted. */
const transactionSchema = z.object({
  /** Ties the provider's response to this browser (RFC 6749, section 10.12). */
  state: z.string(),
  /** Ties the id token to this login (OpenID Connect Core 1.0, section 3.1.2.1). */
  nonce: z.string(),
  /** Ties the authorization code to this login (RFC 7636). */
  codeVerifier: z.string(),
  returnTo: z.string(),
  /** Set for a command-line client; null for a login of the browser itself. */
  codeChallenge: z.string().nullable(),
  expiresAt: z.number(),
})

export type LoginTransaction = z.output<typeof transactionSchema>

export const transactionCookie = sealedCookie('login', 'login transaction', transactionSchema)

const pendingSchema = z.object({
  state: z.string(),
  userId: z.string(),
  email: z.string(),
  returnTo: z.string(),
  codeChallenge: z.string(),
  expiresAt: z.number(),
})

/** A login confirmed by the provider but not yet allowed by the user. The browser stores it, encrypted. */
export type PendingLogin = z.output<typeof pendingSchema>

export const pendingCookie = sealedCookie('pending', 'pending login', pendingSchema)
