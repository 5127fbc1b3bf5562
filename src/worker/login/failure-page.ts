import { accepts } from 'hono/accepts'
import { createMiddleware } from 'hono/factory'
import { html } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ErrorBody } from '#shared/errors/errors'
import type { AppContext, AppEnv } from '#worker/http/context'
import { loginPage } from './page'

/** Where a person starts a new login after a failed one. */
const CONSOLE = '/console/'

/** Browsers of people name HTML first; programs do not. */
const comesFromBrowser = (c: AppContext): boolean =>
  accepts(c, {
    header: 'Accept',
    supports: ['application/json', 'text/html'],
    default: 'application/json',
  }) === 'text/html'

/** The page explains the 404. The error object has the same text as for any unknown path. */
const NO_PROVIDER_TEXT = 'Browser login is not configured on this service. Ask its operator.'

/**
 * Shows people the refusal of a login as a page, on the two endpoints to which browsers are sent. Status,
 * headers and log are the same as for the error object that other clients get.
 */
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
