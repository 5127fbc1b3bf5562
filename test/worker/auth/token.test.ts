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
import { bodyFrom, calling, callService, jsonBody } from '../../support/service'

const PATH = '/api/v1/auth/token'
const GRANT = { grant_type: 'client_credentials' }

const workspace = workspaceOfEachTest()

const basic = (id: string, secret: string) => ({ Authorization: `Basic ${btoa(`${id}:${secret}`)}` })
const ownBasic = () => basic(workspace.clientId, workspace.clientSecret)
const key = () => ({ 'X-API-KEY': workspace.apiKey })
const credentials = () => ({ ...GRANT, client_id: workspace.clientId, client_secret: workspace.clientSecret })

const send = (init: RequestInit, path = PATH): Promise<Response> => callService(path, { method: 'POST', ...init })

const sendForm = (parameters: Record<string, string> | [string, string][], headers: Record<string, string> = {}) =>
  send({ headers, body: new URLSearchParams(parameters) })

const sendJson = (body: object, headers: Record<string, string> = key()) => send(jsonBody(body, headers))

interface Refusal {
  message: string
  errors: FieldError[]
}

/** Expects an OAuth error that is not cached and contains no secret. */
async function refusal(response: Response, status: number, error: string): Promise<Refusal> {
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  const body = await bodyFrom<Refusal>(response, status)
  expect(body).toMatchObject({ success: false, message: expect.any(String), error })
  for (const secret of [workspace.clientSecret, workspace.apiKey]) expect(JSON.stringify(body)).not.toContain(secret)
  return body
}

it.each([
  ['the header Authorization', oauth.ClientSecretBasic],
  ['the body', oauth.ClientSecretPost],
])('the library oauth4webapi gets a token with the client in %s, by metadata alone', async (_, authentication) => {
  const issuer = new URL(env.ISSUER)
  // Its requests reach the service at its own address.
  const customFetch = (url: string, init: { body?: BodyInit | null | undefined; method: string; headers: object }) =>
    callService(new URL(url).pathname, init as RequestInit)
  const options = { [oauth.customFetch]: customFetch, [oauth.allowInsecureRequests]: true } as const
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options })
  const server = await oauth.processDiscoveryResponse(issuer, found)
  const own = { client_id: workspace.clientId }
  const parameters = { api_key: workspace.apiKey, scope: 'search' }
  const credential = authentication(workspace.clientSecret)
  const response = await oauth.clientCredentialsGrantRequest(server, own, credential, parameters, options)
  const token = await oauth.processClientCredentialsResponse(server, own, response)
  expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'search' })
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
    for (const [asked, granted] of [
      ['search catalog:read', 'catalog:read search'],
      ['search  search', 'search'],
    ])
      expect(await bodyFrom(sendJson({ ...credentials(), scope: asked }))).toMatchObject({ scope: granted })
  })

  it('can be a form or JSON, with the client and the API key in headers or in the body', async () => {
    const withKey = { ...credentials(), api_key: workspace.apiKey }
    const encoded = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')
    const { Authorization } = basic(encoded(workspace.clientId), encoded(workspace.clientSecret))
    const requests: Record<string, () => Promise<Response>> = {
      'a form, with the API key in the header': () => sendForm(credentials(), key()),
      'a form, with the API key in it': () => sendForm(withKey),
      'a form and Basic': () => sendForm(GRANT, { ...ownBasic(), ...key() }),
      'JSON, with the API key in it': () => sendJson(withKey, {}),
      'JSON and Basic': () => sendJson(GRANT, { ...ownBasic(), ...key() }),
      'the same values twice, in a header and in the body': () => sendForm(withKey, { ...ownBasic(), ...key() }),
      'parameters that are not known, or have no value': () =>
        sendForm([...Object.entries({ ...credentials(), scope: '', x: '' }), ['x', '1']], key()),
      'a token of another scheme, which a client still sends': () =>
        sendForm(credentials(), { Authorization: 'Bearer old', ...key() }),
      'a form with a charset': () =>
        sendForm(credentials(), {
          ...key(),
          'Content-Type': 'Application/X-WWW-Form-URLEncoded; charset="ISO-8859-1"',
        }),
      'a form-encoded client, with a scheme in any case': () =>
        sendForm(GRANT, { Authorization: Authorization.replace('Basic', 'bAsIc '), ...key() }),
    }
    for (const [what, request] of Object.entries(requests)) expect((await request()).status, what).toBe(200)
  })

  it('leaves neither secret nor API key in the database, only hashes', async () => {
    const { client_id, client_secret } = await createClient()
    const { api_key } = await createApiKey(await createWorkspace(), client_id)
    const rows = await env.DB.batch(['clients', 'api_keys'].map((table) => env.DB.prepare(`select * from ${table}`)))
    const stored = JSON.stringify(rows.map(({ results }) => results))
    expect(stored).toContain(client_id)
    for (const secret of [client_secret, api_key]) expect(stored).not.toContain(secret)
  })
})

describe('a token request is rejected', () => {
  it('for a scope that the key does not have', async () => {
    const { api_key } = await createApiKey(workspace.workspaceId, workspace.clientId, ['catalog:read', 'search'])
    for (const scope of ['', ' ', 'everything', 'search workspace:admin', 'documents', 'SEARCH']) {
      const response = await sendJson({ ...credentials(), scope }, { 'X-API-KEY': api_key })
      const { errors } = await refusal(response, 400, 'invalid_scope')
      expect(errors).toMatchObject([{ field: 'scope', code: 'not_allowed', value: scope }])
    }
  })

  it('with one body whichever credential is wrong', async () => {
    const [other, lostClient, lostKey] = [await newWorkspace(), await newWorkspace(), await newWorkspace()]
    await callOperator(`/clients/${lostClient.clientId}`, undefined, 'DELETE')
    await callOperator(`/workspaces/${lostKey.workspaceId}/api-keys/${lostKey.apiKeyId}`, undefined, 'DELETE')
    const changes = [
      ...[{ clientId: 'nobody' }, { clientSecret: 'wrong' }, { clientSecret: other.clientSecret }],
      ...[{ apiKey: 'wrong' }, { apiKey: workspace.apiKeyId }, { apiKey: other.apiKey }, lostClient, lostKey],
    ]
    const byBody = [
      ...changes.map((change) => requestToken({ ...workspace, ...change })),
      sendJson(credentials(), {}),
      sendForm({ ...credentials(), api_key: 'wrong' }),
    ]
    const byBasic = [
      { ...basic(workspace.clientId, 'wrong'), ...key() },
      { ...basic('nobody', workspace.clientSecret), ...key() },
      { ...ownBasic(), 'X-API-KEY': 'wrong' },
      ownBasic(),
      { ...basic(workspace.clientId, ''), ...key() },
      { ...basic('%zz', 'x'), ...key() },
      ...[btoa('nobody'), '/zov', '~~~~', ''].map((sent) => ({ Authorization: `Basic ${sent}`, ...key() })),
    ].map((headers) => sendForm(GRANT, headers))
    const messages = new Set<string>()
    for (const [responses, challenge] of [
      [byBody, 'Bearer'],
      [byBasic, 'Basic realm="Dataset Catalog Service"'],
    ] as const) {
      for (const response of await Promise.all(responses)) {
        expect(response.headers.get('WWW-Authenticate')).toBe(challenge)
        messages.add((await refusal(response, 401, 'invalid_client')).message)
      }
    }
    expect([...messages]).toEqual([expect.stringContaining('wrong or revoked')])
  })

  it('with two different values of one parameter, or a duplicate in the body', async () => {
    const whole = { ...credentials(), api_key: workspace.apiKey, scope: 'search' }
    const twiceInJson = JSON.stringify(credentials()).replace('{', '{"client_id":"x",')
    const cases: [string, Promise<Response>][] = [
      ['client_id', sendForm({ ...GRANT, client_id: 'x' }, { ...ownBasic(), ...key() })],
      ['client_secret', sendJson({ ...GRANT, client_secret: 'x' }, { ...ownBasic(), ...key() })],
      ['api_key', sendForm({ ...credentials(), api_key: 'x' }, key())],
      ['client_id', send({ ...jsonBody({}, key()), body: twiceInJson })],
      ...Object.entries(whole).map(([name, value]): [string, Promise<Response>] => [
        name,
        sendForm([...Object.entries(whole), [name, value]]),
      ]),
    ]
    for (const [field, response] of cases) {
      const { errors } = await refusal(await response, 400, 'invalid_request')
      expect(errors).toMatchObject([{ field, code: 'repeated_parameter', value: null }])
    }
  })

  it('for each missing value or value of the wrong type, without repeating it', async () => {
    for (const [field, value] of [
      ...['client_id', 'client_secret', 'grant_type'].map((name) => [name, undefined] as const),
      ['client_id', ''],
      ['client_id', 'x'.repeat(513)],
      ['client_secret', ['hush-hush']],
      ['api_key', ['hush-hush']],
    ] as const) {
      const response = await sendJson({ ...credentials(), [field]: value })
      const { message, errors } = await refusal(response, 400, 'invalid_request')
      expect(errors).toMatchObject([{ index: null, field }])
      expect(JSON.stringify(errors)).not.toContain('hush-hush')
      if (value === undefined) expect(message).toBe(`${field} is required`)
    }
    expect(await (await sendJson(['hush-hush'])).text()).not.toContain('hush-hush')
    const { errors } = await refusal(await sendForm({ client_secret: '' }), 400, 'invalid_request')
    expect(errors.map(({ field }) => field)).toEqual(['client_id', 'client_secret', 'grant_type'])
    const other = await sendJson({ ...credentials(), grant_type: 'password' })
    const { message } = await refusal(other, 400, 'unsupported_grant_type')
    expect(message).toBe('grant_type must be client_credentials')
  })

  const ofType = (type: string, body = '{}'): RequestInit => ({ headers: { 'Content-Type': type }, body })

  it.each<[number, string, RequestInit, string?]>([
    [400, 'no JSON', ofType('application/json', 'grant_type=client_credentials')],
    [400, 'JSON that is no object', ofType('application/json', 'null')],
    [415, 'another type', ofType('application/x-www-form-urlencoded-not')],
    [413, 'more than 16 KB', { body: new URLSearchParams({ x: 'x'.repeat(16_384) }) }],
    [400, 'an encrypted body', jsonBody({}, { 'X-Encryption': 'JWE' })],
    [400, 'a query parameter', jsonBody({}), '?scope=search'],
  ])('with %i for %s', async (status, _, init, query = '') => {
    await refusal(await send(init, PATH + query), status, 'invalid_request')
  })

  /** A service with this limit for each kind of request that it limits. */
  function serviceWithRate(most: number) {
    const counts = new Map<string, number>()
    const limit = async ({ key }: RateLimitOptions) => {
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { success: count <= most }
    }
    return calling(undefined, { ...env, TOKEN_RATE_LIMIT: { limit } })
  }

  it('over the rate limit of a client and address, before its credentials are checked', async () => {
    const limited = serviceWithRate(1)
    const attempt = (apiKey: string, address: string) => {
      const init = jsonBody(credentials(), { 'X-API-KEY': apiKey, 'CF-Connecting-IP': address })
      return limited(PATH, { method: 'POST', ...init })
    }
    expect((await attempt('wrong', '192.0.2.1')).status).toBe(401)
    const refused = await attempt(workspace.apiKey, '192.0.2.1')
    expect(refused.headers.get('Retry-After')).toBe('60')
    await refusal(refused, 429, 'invalid_request')
    expect((await attempt(workspace.apiKey, '192.0.2.2')).status).toBe(200)
  })

  it('only for the client with a wrong secret, and not for another one at the same address', async () => {
    const limited = serviceWithRate(3)
    const attempt = async (client: object) => {
      const init = jsonBody(client, { 'X-API-KEY': workspace.apiKey, 'CF-Connecting-IP': '192.0.2.3' })
      return (await limited(PATH, { method: 'POST', ...init })).status
    }
    const wrong = { ...credentials(), client_id: 'dcs_client_other', client_secret: 'wrong' }
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push(await attempt(wrong))
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect(await attempt(credentials())).toBe(200)
  })

  it('for an address that names many clients', async () => {
    const limited = serviceWithRate(3)
    const attempt = async (number: number) => {
      const client = { ...credentials(), client_id: `dcs_client_${number}` }
      const init = jsonBody(client, { 'X-API-KEY': workspace.apiKey, 'CF-Connecting-IP': '192.0.2.4' })
      return (await limited(PATH, { method: 'POST', ...init })).status
    }
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push(await attempt(n))
    expect(statuses).toEqual([401, 401, 401, 429, 429])
  })
})
