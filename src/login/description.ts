import type { Endpoint } from '#http/endpoint'
import { enveloped } from '#http/enveloped'
import { LOGIN_CODE_SECONDS, SESSION_SECONDS } from '#limits'
import {
  callbackQuerySchema,
  loggedOutSchema,
  loginQuerySchema,
  loginTokenRequestSchema,
  loginTokenResponseSchema,
  loginWorkspacesSchema,
} from './schemas'

const login = { tag: 'Browser login' } as const

const WITHOUT_PROVIDER = 'Answers 404 where no login provider is configured.'

export const loginEndpoints: readonly Endpoint[] = [
  {
    ...login,
    method: 'get',
    path: '/api/v1/auth/oidc/login',
    operationId: 'beginLogin',
    summary: 'Send the browser to the login provider',
    description:
      'OpenID Connect: authorization code with PKCE (S256), `state` and `nonce`. A command-line client opens this ' +
      `address in the user's browser with a loopback \`return_to\` and a \`code_challenge\`. ${WITHOUT_PROVIDER}`,
    access: 'none',
    query: loginQuerySchema,
    redirect: 'To the provider.',
    response: {},
    errors: ['invalid_request', 'not_found'],
  },
  {
    ...login,
    method: 'get',
    path: '/api/v1/auth/oidc/callback',
    operationId: 'finishLogin',
    summary: 'Take the browser back from the login provider',
    description:
      'Signs in whoever has a verified email address that is a member of a workspace. For a page of this service the ' +
      `browser gets a session cookie of ${SESSION_SECONDS / 3600} hours; a loopback address gets a one-time \`code\` of ` +
      `${LOGIN_CODE_SECONDS} seconds in its query. ${WITHOUT_PROVIDER}`,
    access: 'none',
    query: callbackQuerySchema,
    redirect: 'To `return_to`.',
    response: {},
    errors: ['invalid_request', 'unauthorized', 'forbidden', 'not_found'],
  },
  {
    ...login,
    method: 'post',
    path: '/api/v1/auth/session/token',
    operationId: 'exchangeLogin',
    summary: 'Exchange a login for an access token of one hour',
    description:
      'With the session cookie: for pages of this service only, which `Origin` and `Sec-Fetch-Site` must show; no body is ' +
      'needed. Without it: `code` and `code_verifier` of a command-line login. A member of several workspaces names one; ' +
      `otherwise the answer is 400 with the choices. ${WITHOUT_PROVIDER}`,
    access: 'session',
    body: { 'application/json': loginTokenRequestSchema },
    optionalBody: true,
    response: { 'application/json': loginTokenResponseSchema },
    errors: [
      'invalid_request',
      'unauthorized',
      'forbidden',
      'not_found',
      'unsupported_media_type',
      'rate_limited',
    ],
  },
  {
    ...login,
    method: 'get',
    path: '/api/v1/auth/session/workspaces',
    operationId: 'listOwnWorkspaces',
    summary: 'Who is logged in, and in which workspaces',
    description: `For pages of this service only, which \`Sec-Fetch-Site\` must show. ${WITHOUT_PROVIDER}`,
    access: 'session',
    response: enveloped(loginWorkspacesSchema),
    errors: ['unauthorized', 'forbidden', 'not_found'],
  },
  {
    ...login,
    method: 'post',
    path: '/api/v1/auth/session/logout',
    operationId: 'logOut',
    summary: 'End the session of the browser',
    description:
      'For pages of this service only. Clears the cookie; without a session it changes nothing. Access tokens that were ' +
      `given out last to their end. ${WITHOUT_PROVIDER}`,
    access: 'none',
    response: enveloped(loggedOutSchema),
    errors: ['forbidden', 'not_found'],
  },
]
