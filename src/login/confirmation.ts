import { html } from 'hono/html'
import * as z from 'zod'
import type { MasterKeys } from '#crypto/master-keys'
import { randomId } from '#crypto/random'
import { seal, unseal } from '#crypto/seal'
import type { AppContext } from '#http/context'
import { pageHeaders } from '#http/page-headers'
import { STYLE } from './failure-page'

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

/** The context: no other sealed value opens as a pending login. */
const CONTEXT = 'pending login'

/** The value of the cookie. */
export const sealPending = (keys: MasterKeys, pending: PendingLogin): Promise<string> =>
  seal(keys, CONTEXT, JSON.stringify(pending))

/** @returns undefined for a value that was altered, made elsewhere, or has expired */
export async function openPending(
  keys: MasterKeys,
  sealed: string,
  now: Date,
): Promise<PendingLogin | undefined> {
  let text: string
  try {
    text = await unseal(keys, CONTEXT, sealed)
  } catch {
    // A bad cookie is not a fault of the service: the login starts again.
    return undefined
  }
  const pending = pendingSchema.parse(JSON.parse(text))
  return pending.expiresAt > now.getTime() ? pending : undefined
}

/** The path to which the page posts. */
export const ALLOW_PATH = '/api/v1/auth/oidc/allow'

/** A CSP source for a loopback address. CSP cannot name an IPv6 address, so that one allows the scheme. */
const sourceOf = ({ origin, hostname }: URL): string => (hostname.startsWith('[') ? 'http:' : origin)

/** Shows who logs in and which port gets the login, and asks for permission. */
export function confirmationPage(
  c: AppContext,
  { email, returnTo }: PendingLogin,
): Response | Promise<Response> {
  const target = new URL(returnTo)
  const nonce = randomId('')
  // Browsers apply `form-action` to the redirect that answers the form too.
  const headers = pageHeaders([`style-src 'nonce-${nonce}'`, "img-src 'self'"], `'self' ${sourceOf(target)}`)
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Allow a program to log in? · Catalog console</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<img src="/console/icon.svg" alt="" width="40" height="40">
<h1>Allow a program to log in?</h1>
<p>A program on this computer, on port ${target.port || '80'} of ${target.hostname}, asks to act as <strong>${email}</strong>: to read and change everything in the catalogs that you may.</p>
<p>Allow it only if you started this login yourself a moment ago. If not, close this window.</p>
<form method="post" action="${ALLOW_PATH}"><button>Allow</button></form>
</main>
</body>
</html>
`
  // With `no-referrer`, browsers would send the form without its origin, which the service checks.
  return c.html(text, 200, { ...headers, 'Referrer-Policy': 'same-origin', 'Cache-Control': 'no-store' })
}
