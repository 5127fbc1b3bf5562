import { accepts } from 'hono/accepts'
import { createMiddleware } from 'hono/factory'
import { html } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { randomId } from '#crypto/random'
import type { ErrorBody } from '#errors'
import type { AppContext, AppEnv } from '#http/context'
import { pageHeaders } from '#http/page-headers'

/** Where a person starts a new login after a failed one. */
const CONSOLE = '/console/'

export const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center }
main { box-sizing: border-box; width: 100%; max-width: 28rem; padding: 1.5rem; overflow-wrap: anywhere }
h1 { margin: 1rem 0; font-size: 1.5rem; line-height: 1.25 }
a { color: light-dark(#0b7285, #53adb8) }
small { color: light-dark(#5c636a, #a9b0b7) }
`

/** Browsers of people name HTML first; programs do not. */
const comesFromBrowser = (c: AppContext): boolean =>
  accepts(c, {
    header: 'Accept',
    supports: ['application/json', 'text/html'],
    default: 'application/json',
  }) === 'text/html'

/** The page explains the 404. The error object has the same text as for any unknown path. */
const WITHOUT_PROVIDER = 'Browser login is not configured on this service. Ask its operator.'

const page = ({ message, requestId, nonce }: { message: string; requestId: string; nonce: string }) =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The login failed · Catalog console</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<img src="/console/icon.svg" alt="" width="40" height="40">
<h1>The login failed</h1>
<p>${message}</p>
<p><a href="${CONSOLE}">Try again</a></p>
<p><small>Request id: ${requestId}</small></p>
</main>
</body>
</html>
`

/**
 * Shows people the refusal of a login as a page, on the two endpoints to which browsers are sent. Status,
 * headers and log are the same as for the error object that other clients get.
 */
export const showFailures = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const status = c.res.status as ContentfulStatusCode
  if (status < 400 || !comesFromBrowser(c)) return
  const { message } = await c.res.json<ErrorBody>()
  const nonce = randomId('')
  const text = page({
    message: status === 404 ? WITHOUT_PROVIDER : message,
    requestId: c.var.requestId,
    nonce,
  })
  const headers = pageHeaders([`style-src 'nonce-${nonce}'`, "img-src 'self'"])
  c.res = await c.html(text, status, { ...headers, 'Cache-Control': 'no-store' })
})
