import { html } from 'hono/html'
import * as z from 'zod'
import type { AppContext } from '#worker/http/context'
import { loginPage } from './page'
import { sealedCookie } from './sealed-cookie'

/**
 * The question that a person answers before a program on the same computer gets a login. Without it, a link would be
 * enough to give a login to any program that listens on a loopback port.
 */

const pendingSchema = z.object({
  /** State of the login, which can be allowed once. */
  state: z.string(),
  userId: z.string(),
  email: z.string(),
  /** A loopback address, checked at the start of the login. */
  returnTo: z.string(),
  codeChallenge: z.string(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
})

/** A login that the provider has confirmed and the person has not yet allowed. The browser keeps it, sealed. */
export type PendingLogin = z.output<typeof pendingSchema>

export const pendingCookie = sealedCookie('pending', 'pending login', pendingSchema)

/** The path to which the page posts. */
export const ALLOW_PATH = '/api/v1/auth/oidc/allow'

/** A CSP source for a loopback address. CSP cannot name an IPv6 address, so that one allows the scheme. */
const sourceOf = ({ origin, hostname }: URL): string => (hostname.startsWith('[') ? 'http:' : origin)

/** Shows who logs in and which port gets the login, and asks for permission. */
export function confirmationPage(c: AppContext, { email, returnTo }: PendingLogin): Response | Promise<Response> {
  const target = new URL(returnTo)
  // Browsers apply `form-action` to the redirect that answers the form too.
  const { text, headers } = loginPage(
    'Allow a program to log in?',
    html`<p>A program on this computer, on port ${target.port || '80'} of ${target.hostname}, \
asks to act as <strong>${email}</strong>: to read and change everything in the catalogs that you may.</p>
<p>Allow it only if you started this login yourself a moment ago. If not, close this window.</p>
<form method="post" action="${ALLOW_PATH}"><button>Allow</button></form>`,
    `'self' ${sourceOf(target)}`,
  )
  // With `no-referrer`, browsers would send the form without its origin, which the service checks.
  return c.html(text, 200, { ...headers, 'Referrer-Policy': 'same-origin' })
}
