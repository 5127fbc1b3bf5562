import { accepts } from 'hono/accepts'
import { createMiddleware } from 'hono/factory'
import { html } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ErrorBody } from '#shared/errors/errors'
import { randomId } from '#worker/crypto/random'
import type { AppContext, AppEnv } from '#worker/http/context'
import { pageHeaders } from '#worker/http/pages'
import type { PendingLogin } from './cookies'

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center }
main { box-sizing: border-box; width: 100%; max-width: 28rem; padding: 1.5rem; overflow-wrap: anywhere }
h1 { margin: 1rem 0; font-size: 1.5rem; line-height: 1.25 }
a { color: light-dark(#0b7285, #53adb8) }
small { color: light-dark(#5c636a, #a9b0b7) }
`

type Html = ReturnType<typeof html>

/** A login page with its headers. @param formAction see `pageHeaders` */
function loginPage(title: string, content: Html, formAction?: string) {
  const nonce = randomId('')
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Catalog console</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<img src="/console/icon.svg" alt="" width="40" height="40">
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  const headers = pageHeaders([`style-src 'nonce-${nonce}'`, "img-src 'self'"], formAction)
  return { text, headers: { ...headers, 'Cache-Control': 'no-store' } }
}

const CONSOLE = '/console/'

/** Browsers name HTML first; other clients do not. */
const comesFromBrowser = (c: AppContext): boolean =>
  accepts(c, {
    header: 'Accept',
    supports: ['application/json', 'text/html'],
    default: 'application/json',
  }) === 'text/html'

/** The page explains the 404. The JSON error has the same text as for any unknown path. */
const NO_PROVIDER_TEXT = 'Browser login is not configured on this service. Ask its operator.'

/** Shows a rejected login as a page in browsers. Status, headers and log are those of the JSON error. */
export const showFailures = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const status = c.res.status as ContentfulStatusCode
  if (status < 400 || !comesFromBrowser(c)) return
  const { message } = await c.res.json<ErrorBody>()
  const { text, headers } = loginPage(
    'The login failed',
    html`<p>${status === 404 ? NO_PROVIDER_TEXT : message}</p>
<p><a href="${CONSOLE}">Try again</a></p>
<p><small>Request id: ${c.var.requestId}</small></p>`,
  )
  c.res = await c.html(text, status, headers)
})

export const ALLOW_PATH = '/api/v1/auth/oidc/allow'

/** A CSP source for a loopback address. CSP cannot express IPv6 addresses, so they allow the scheme. */
const sourceOf = ({ origin, hostname }: URL): string => (hostname.startsWith('[') ? 'http:' : origin)

/** Asks before a local program gets a login. Otherwise a link could give one to any loopback port. */
export function confirmationPage(c: AppContext, { email, returnTo }: PendingLogin): Response | Promise<Response> {
  const target = new URL(returnTo)
  // Browsers also apply `form-action` to the redirect after the form.
  const { text, headers } = loginPage(
    'Allow a program to log in?',
    html`<p>A program on this computer, on port ${target.port || '80'} of ${target.hostname}, \
asks to act as <strong>${email}</strong>: to read and change everything in the catalogs that you may.</p>
<p>Allow it only if you started this login yourself a moment ago. If not, close this window.</p>
<form method="post" action="${ALLOW_PATH}"><button>Allow</button></form>`,
    `'self' ${sourceOf(target)}`,
  )
  // With `no-referrer`, browsers omit the form's origin, which the service checks.
  return c.html(text, 200, { ...headers, 'Referrer-Policy': 'same-origin' })
}
