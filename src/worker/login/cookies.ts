import { getCookie, setCookie } from 'hono/cookie'
import { LOGIN_TRANSACTION_SECONDS, SESSION_SECONDS } from '#shared/limits'
import { configOf } from '#worker/env'
import type { AppContext } from '#worker/http/context'

/** The cookies of a browser login. No other endpoint reads them. */
const MAX_AGE_SECONDS = {
  session: SESSION_SECONDS,
  login: LOGIN_TRANSACTION_SECONDS,
  pending: LOGIN_TRANSACTION_SECONDS,
} as const

export type CookieName = keyof typeof MAX_AGE_SECONDS

/**
 * `__Host-` keeps other hosts of the domain from setting the cookie (RFC 6265bis, section 4.1.3.2). Browsers accept
 * the prefix over https only, so a service without https leaves it off. For localhost browsers still accept `Secure`.
 */
const fullName = (c: AppContext, name: CookieName): string =>
  configOf(c.env).issuer.startsWith('https:') ? `__Host-${name}` : name

// `Lax`: the provider's redirect to the callback comes from another site and needs the cookie; posts do not get it.
const FLAGS = { path: '/', httpOnly: true, secure: true, sameSite: 'Lax' } as const

export const readCookie = (c: AppContext, name: CookieName): string | undefined => getCookie(c, fullName(c, name))

export const writeCookie = (c: AppContext, name: CookieName, value: string): void =>
  setCookie(c, fullName(c, name), value, { ...FLAGS, maxAge: MAX_AGE_SECONDS[name] })

export const clearCookie = (c: AppContext, name: CookieName): void =>
  setCookie(c, fullName(c, name), '', { ...FLAGS, maxAge: 0 })
