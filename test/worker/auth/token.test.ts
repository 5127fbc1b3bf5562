import { env } from 'cloudflare:workers'
import * as oauth from 'oauth4webapi'
import { describe, expect, it } from 'vitest'
import type { FieldError } from '#shared/errors/errors'
import { verifyAccessToken } from '#worker/auth/access-token'
import { tokenResponseSchema } from '#worker/auth/schemas'
import { signingKeysOf } from '#worker/auth/signing-keys'
import {
  callOperator,
  createApiKey,
  createClient,
  createWorkspace,
  newWorkspace,
  requestToken,
  workspaceOfEachTest,
} from '../../support/credentials'
import { bodyFrom, callService, jsonBody } from '../../support/service'

const PATH = '/api/v1/auth/token'
const GRANT = { grant_type: 'client_credentials' }

const workspace = workspaceOfEachTest()

const basic = (id: string, secret: string) => ({ Authorization: `Basic ${btoa(`${id}:${secret}`)}` })
const ownBasic = () => basic(workspace.clientId, workspace.clientSecret)
const key = () => ({ 'X-API-KEY': workspace.apiKey })
const client = () => ({ client_id: workspace.clientId, client_secret: workspace.clientSecret })
const credentials = () => ({ ...GRANT, ...client() })

const send = (init: RequestInit, path = PATH): Promise<Response> => callService(path, { method: 'POST', ...init })

const sendForm = (parameters: Record<string, string> | [string, string][], headers: Record<string, string> = {}) =>
  send({ headers, body: new URLSearchParams(parameters) })

const sendJson = (body: object, headers: Record<string, string> = key()) => send(jsonBody(body, headers))

interface Sent {
  method: string
  headers: Record<string, string>
  body?: URLSearchParams | null | undefined
}

interface Refusal {
  message: string
  errors: FieldError[]
}

/** Expects an error of OAuth, which no cache keeps and which names no secret. */
async function refusal(response: Response, status: number, error: string): Promise<Refusal> {
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  const body = await bodyFrom<Refusal>(response, status)
  expect(body).toMatchObject({ success: false, message: expect.any(String), error })
  for (const secret of [workspace.clientSecret, workspace.apiKey]) expect(JSON.stringify(body)).not.toContain(secret)
  return body
}

describe('the library oauth4webapi', () => {
  const issuer = new URL(env.ISSUER)
  /** Its calls reach the service, over its own address. */
  const options = {
    [oauth.customFetch]: (url: string, { method, headers, body }: Sent) =>
      callService(new URL(url).pathname, { method, headers, body: body ?? null }),
    [oauth.allowInsecureRequests]: true,
  } as const

  it.each([
    ['the header Authorization', oauth.ClientSecretBasic],
    ['the body', oauth.ClientSecretPost],
  ])('gets a token with the client in %s, by the metadata alone', async (_, authentication) => {
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options })
    const server = await oauth.processDiscoveryResponse(issuer, found)
    const own = { client_id: workspace.clientId }
    const parameters = { api_key: workspace.apiKey, scope: 'search' }
    const credential = authentication(workspace.clientSecret)
    const response = await oauth.clientCredentialsGrantRequest(server, own, credential, parameters, options)
    const token = await oauth.processClientCredentialsResponse(server, own, response)
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'search' })
  })
})

describe('a token request', () => {
  it('exchanges client credentials for an access token of the API key’s workspace', async () => {
    const other = await newWorkspace()
    const { api_key } = await createApiKey(other.workspaceId, workspace.clientId)
    for (const [apiKey, workspaceId] of [
      [workspace.apiKey, workspace.workspaceId],
      [api_key, other.workspaceId],
    ] as const) {
      const response = await requestToken({ ...workspace, apiKey })
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(response.headers.get('Pragma')).toBe('no-cache')
      const { access_token: token, ...rest } = tokenResponseSchema.parse(await bodyFrom(response))
      const scope = 'catalog:read catalog:write search documents registration'
      expect(rest).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope })
      const granted = await verifyAccessToken(token, await signingKeysOf(env), env.ISSUER, new Date())
      expect(granted).toMatchObject({ workspace_id: workspaceId, client_id: workspace.clientId })
    }
  })

  it.each([
    ['search catalog:read', 'catalog:read search'],
    ['search  search', 'search'],
  ])('gets only the scopes that it asks for: %j', async (scope, granted) => {
    expect(await bodyFrom(sendJson({ ...credentials(), scope }))).toMatchObject({ scope: granted })
  })

  it.each<[string, () => Promise<Response>]>([
    ['a form, with the API key in the header', () => sendForm(credentials(), key())],
    ['a form, with the API key in it', () => sendForm({ ...credentials(), api_key: workspace.apiKey })],
    ['a form and Basic', () => sendForm(GRANT, { ...ownBasic(), ...key() })],
    ['JSON, with the API key in it', () => sendJson({ ...credentials(), api_key: workspace.apiKey }, {})],
    ['JSON and Basic', () => sendJson(GRANT, { ...ownBasic(), ...key() })],
    [
      'JSON with a charset',
      () => sendJson(credentials(), { ...key(), 'Content-Type': 'application/json; charset=utf-8' }),
    ],
    ['sent to a path with a slash at its end', () => send(jsonBody(credentials(), key()), `${PATH}/`)],
    [
      'the same values twice, in a header and in the body',
      () => sendForm({ ...credentials(), api_key: workspace.apiKey }, { ...ownBasic(), ...key() }),
    ],
    [
      'parameters that are not known, or have no value',
      () => sendForm([...Object.entries({ ...credentials(), scope: '', x: '' }), ['x', '1']], key()),
    ],
    [
      'a token of another scheme, which a client still sends',
      () => sendForm(credentials(), { Authorization: 'Bearer old', ...key() }),
    ],
    ...[
      'application/x-www-form-urlencoded;charset="UTF-8"',
      'Application/X-WWW-Form-URLEncoded',
      'application/x-www-form-urlencoded ; charset=ISO-8859-1',
    ].map((type): [string, () => Promise<Response>] => [
      `a form of the type ${type}`,
      () => sendForm(credentials(), { ...key(), 'Content-Type': type }),
    ]),
    [
      'a client that is form-encoded in Basic, with a scheme in any case',
      () => {
        const encoded = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')
        const { Authorization } = basic(encoded(workspace.clientId), encoded(workspace.clientSecret))
        return sendForm(GRANT, { Authorization: Authorization.replace('Basic', 'bAsIc '), ...key() })
      },
    ],
  ])('can be %s', async (_, request) => {
    expect(await bodyFrom(request())).toMatchObject({ token_type: 'Bearer' })
  })

  it('may come in pieces, without a length', async () => {
    const body = new Blob([String(new URLSearchParams(credentials()))]).stream()
    const headers = { ...key(), 'Content-Type': 'application/x-www-form-urlencoded' }
    expect((await send({ headers, body })).status).toBe(200)
  })

  it('leaves neither secret nor API key in the database, only hashes', async () => {
    const { client_id, client_secret } = await createClient()
    const { api_key } = await createApiKey(await createWorkspace(), client_id)
    const rows = await env.DB.batch(['clients', 'api_keys'].map((table) => env.DB.prepare(`select * from ${table}`)))
    const stored = JSON.stringify(rows.map(({ results }) => results))
    expect(stored).toContain(client_id)
    expect(stored).not.toContain(client_secret)
    expect(stored).not.toContain(api_key)
  })
})

describe('a token request is refused', () => {
  it('for a scope that the key does not have', async () => {
    const { api_key } = await createApiKey(workspace.workspaceId, workspace.clientId, ['catalog:read', 'search'])
    for (const scope of ['', ' ', 'everything', 'search workspace:admin', 'documents', 'SEARCH']) {
      const response = await sendJson({ ...credentials(), scope }, { 'X-API-KEY': api_key })
      const { errors } = await refusal(response, 400, 'invalid_scope')
      expect(errors).toMatchObject([{ field: 'scope', code: 'not_allowed', value: scope }])
    }
  })

  const UNKNOWN =
    'The client, its secret or the API key is wrong or revoked. Check client_id, client_secret and the API key (header X-API-KEY, or api_key in the body).'

  it('with one body whichever credential is wrong, revoked or foreign, and a challenge for Bearer', async () => {
    const [other, lostClient, lostKey] = [await newWorkspace(), await newWorkspace(), await newWorkspace()]
    await callOperator(`/clients/${lostClient.clientId}`, undefined, 'DELETE')
    await callOperator(`/workspaces/${lostKey.workspaceId}/api-keys/${lostKey.apiKeyId}`, undefined, 'DELETE')
    const refused = [
      ...[{ clientId: 'nobody' }, { clientSecret: 'wrong' }, { clientSecret: other.clientSecret }],
      ...[{ apiKey: 'wrong' }, { apiKey: workspace.apiKeyId }, { apiKey: other.apiKey }, lostClient, lostKey],
    ].map((changes) => requestToken({ ...workspace, ...changes }))
    const withoutKey = [sendJson(credentials(), {}), sendForm({ ...credentials(), api_key: 'wrong' })]
    for (const response of await Promise.all([...refused, ...withoutKey])) {
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
      expect(await refusal(response, 401, 'invalid_client')).toMatchObject({ message: UNKNOWN })
    }
  })

  it('with the same body and a challenge for Basic, whatever is wrong with Basic', async () => {
    for (const headers of [
      { ...basic(workspace.clientId, 'wrong'), ...key() },
      { ...basic('nobody', workspace.clientSecret), ...key() },
      { ...ownBasic(), 'X-API-KEY': 'wrong' },
      ownBasic(),
      { ...basic(workspace.clientId, ''), ...key() },
      { ...basic('%zz', 'x'), ...key() },
      ...[btoa('nobody'), '/zov', '~~~~', ''].map((sent) => ({ Authorization: `Basic ${sent}`, ...key() })),
    ]) {
      const response = await sendForm(GRANT, headers)
      expect(response.headers.get('WWW-Authenticate')).toBe('Basic realm="Dataset Catalog Service"')
      expect(await refusal(response, 401, 'invalid_client')).toMatchObject({ message: UNKNOWN })
    }
  })

  it('with two different values of one thing, or one twice in the body', async () => {
    const whole = { ...credentials(), api_key: workspace.apiKey, scope: 'search' }
    const cases: [string, Promise<Response>][] = [
      ['client_id', sendForm({ ...GRANT, client_id: 'x' }, { ...ownBasic(), ...key() })],
      ['client_secret', sendJson({ ...GRANT, client_secret: 'x' }, { ...ownBasic(), ...key() })],
      ['api_key', sendForm({ ...credentials(), api_key: 'x' }, key())],
      ['api_key', sendJson({ ...credentials(), api_key: 'x' })],
      ...Object.entries(whole).map(([name, value]): [string, Promise<Response>] => [
        name,
        sendForm([...Object.entries(whole), [name, value]]),
      ]),
      [
        'client_id',
        send({ ...jsonBody({}, key()), body: JSON.stringify(credentials()).replace('{', '{"client_id":"x",') }),
      ],
    ]
    for (const [field, response] of cases) {
      const { errors } = await refusal(await response, 400, 'invalid_request')
      expect(errors).toMatchObject([{ field, code: 'repeated_parameter', value: null }])
    }
  })

  it.each<[string, unknown]>([
    ...['client_id', 'client_secret', 'grant_type'].flatMap((field): [string, unknown][] => [
      [field, undefined],
      [field, ''],
    ]),
    ['client_id', 7],
    ['client_id', 'x'.repeat(513)],
    ['client_secret', null],
    ['grant_type', ['client_credentials']],
  ])('for a %s of %j', async (field, value) => {
    const { message, errors } = await refusal(
      await sendJson({ ...credentials(), [field]: value }),
      400,
      'invalid_request',
    )
    expect(errors).toMatchObject([{ index: null, field }])
    if (value === undefined) expect(message).toBe(`${field} is required`)
  })

  it('for all that a form lacks, and for another grant type', async () => {
    const { errors } = await refusal(await sendForm({ client_secret: '' }), 400, 'invalid_request')
    expect(errors.map(({ field }) => field)).toEqual(['client_id', 'client_secret', 'grant_type'])
    for (const grant_type of ['password', 'CLIENT_CREDENTIALS']) {
      const response = await sendJson({ ...credentials(), grant_type })
      const { message } = await refusal(response, 400, 'unsupported_grant_type')
      expect(message).toBe('grant_type must be client_credentials')
    }
  })

  it('without a value that may be a secret', async () => {
    const secret = ['hush-hush']
    for (const body of [{ ...GRANT, client_secret: secret }, { ...credentials(), api_key: secret }, secret])
      expect(await (await sendJson(body)).text()).not.toContain('hush-hush')
  })

  const JSON_TYPE = { 'Content-Type': 'application/json' }

  it.each<[number, string, RequestInit, string?]>([
    ...['{', '', '[]', 'null', '"text"', 'grant_type=client_credentials'].map((body): [number, string, RequestInit] => [
      400,
      `the body ${body}`,
      { headers: JSON_TYPE, body },
    ]),
    ...['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded-not'].map(
      (type): [number, string, RequestInit] => [415, type, { headers: { 'Content-Type': type }, body: '{}' }],
    ),
    [413, 'more than 16 KB', { body: new URLSearchParams({ x: 'x'.repeat(16_384) }) }],
    [400, 'an encrypted body', jsonBody({}, { 'X-Encryption': 'JWE' })],
    [400, 'a query parameter', jsonBody({}), '?scope=search'],
  ])('with %i for %s', async (status, _, init, query = '') => {
    await refusal(await send(init, PATH + query), status, 'invalid_request')
  })

  it('over the rate of a client from an address, before its credentials are checked', async () => {
    const attempt = (apiKey: string, address: string) =>
      sendJson(credentials(), { 'X-API-KEY': apiKey, 'CF-Connecting-IP': address })
    // One more than the limit of 120, and the same again in case a window ends in between.
    let refused: Response | undefined
    let right: Response | undefined
    for (let bursts = 0; bursts < 3 && right?.status !== 429; bursts++) {
      const responses = await Promise.all(Array.from({ length: 121 }, () => attempt('wrong', '192.0.2.1')))
      refused = responses.find(({ status }) => status === 429) ?? refused
      right = await attempt(workspace.apiKey, '192.0.2.1')
    }
    expect(right?.status).toBe(429)
    expect(refused?.headers.get('Retry-After')).toBe('60')
    await refusal(refused!, 429, 'invalid_request')
    expect((await attempt(workspace.apiKey, '192.0.2.2')).status).toBe(200)
  })
})
