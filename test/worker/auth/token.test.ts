import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
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

const workspace = workspaceOfEachTest()

const send = (init: RequestInit): Promise<Response> => callService(PATH, { method: 'POST', ...init })

const credentials = () => ({
  client_id: workspace.clientId,
  client_secret: workspace.clientSecret,
  grant_type: 'client_credentials',
})

interface OAuthErrorBody {
  success: false
  message: string
  error: string
  errors?: FieldError[]
}

async function expectError(response: Response, status: number, code: string): Promise<OAuthErrorBody> {
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  const body = await bodyFrom<OAuthErrorBody>(response, status)
  expect(body).toMatchObject({ success: false, message: expect.any(String), error: code })
  return body
}

describe('POST /api/v1/auth/token', () => {
  it('exchanges client credentials for an access token of the API key’s workspace', async () => {
    const response = await requestToken(workspace)
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Pragma')).toBe('no-cache')
    expect(response.headers.get('Content-Type')).toBe('application/json')
    const body = tokenResponseSchema.parse(await response.json())
    expect(body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'catalog:read catalog:write search documents registration',
    })
    const token = await verifyAccessToken(body.access_token, await signingKeysOf(env), env.ISSUER, new Date())
    expect(token).toMatchObject({
      workspace_id: workspace.workspaceId,
      client_id: workspace.clientId,
      api_key_id: workspace.apiKeyId,
    })
  })

  it.each([
    ['search', 'search'],
    ['search catalog:read', 'catalog:read search'],
    ['search  search', 'search'],
  ])('gives only the scopes that the request asks for: %j', async (scope, granted) => {
    const response = await send(jsonBody({ ...credentials(), scope }, { 'X-API-KEY': workspace.apiKey }))
    expect(await response.json()).toMatchObject({ scope: granted })
  })

  it('answers 400 invalid_scope for a scope that the key does not have', async () => {
    const key = await createApiKey(workspace.workspaceId, workspace.clientId, ['catalog:read', 'search'])
    for (const scope of ['', ' ', 'everything', 'search workspace:admin', 'documents', 'SEARCH']) {
      const response = await send(jsonBody({ ...credentials(), scope }, { 'X-API-KEY': key.api_key }))
      const { errors } = await expectError(response, 400, 'invalid_scope')
      expect(errors).toMatchObject([{ field: 'scope', code: 'not_allowed', value: scope }])
    }
  })

  it('lets the API key select among the workspaces of one client', async () => {
    const first = await newWorkspace()
    const second = await newWorkspace()
    const key = await createApiKey(second.workspaceId, first.clientId)
    const response = await requestToken({ ...first, apiKey: key.api_key })
    const { access_token: token } = await response.json<{ access_token: string }>()
    expect(decodeJwt(token).workspace_id).toBe(second.workspaceId)
  })

  it('takes a Content-Type with a charset, and a path with a slash at its end', async () => {
    const headers = { 'X-API-KEY': workspace.apiKey, 'Content-Type': 'application/json; charset=utf-8' }
    const init = { method: 'POST', ...jsonBody(credentials(), headers) }
    for (const path of [PATH, `${PATH}/`]) expect((await callService(path, init)).status).toBe(200)
  })

  it('answers 401 with the same body whichever credential is wrong, revoked or foreign', async () => {
    const other = await newWorkspace()
    const revokedClient = await newWorkspace()
    await callOperator(`/clients/${revokedClient.clientId}`, undefined, 'DELETE')
    const revokedKey = await newWorkspace()
    const keyPath = `/workspaces/${revokedKey.workspaceId}/api-keys/${revokedKey.apiKeyId}`
    await callOperator(keyPath, undefined, 'DELETE')

    const refused = await Promise.all([
      requestToken({ ...workspace, clientId: 'nobody' }),
      requestToken({ ...workspace, clientSecret: 'wrong' }),
      requestToken({ ...workspace, clientSecret: other.clientSecret }),
      requestToken({ ...workspace, apiKey: 'wrong' }),
      requestToken({ ...workspace, apiKey: workspace.apiKeyId }),
      requestToken({ ...workspace, apiKey: other.apiKey }),
      requestToken(revokedClient),
      requestToken(revokedKey),
      send(jsonBody(credentials())),
    ])
    const bodies = new Set<string>()
    for (const response of refused) {
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
      bodies.add(JSON.stringify(await expectError(response, 401, 'invalid_client')))
    }
    expect([...bodies]).toEqual([
      JSON.stringify({
        success: false,
        message:
          'The client, its secret or the API key is wrong or revoked. Check client_id, client_secret and the API key (header X-API-KEY, or api_key in the body).',
        error: 'invalid_client',
      }),
    ])
  })

  it('stores neither secret nor API key, only hashes', async () => {
    const { client_id: clientId, client_secret: secret } = await createClient()
    const { api_key: apiKey } = await createApiKey(await createWorkspace(), clientId)
    const clients = await env.DB.prepare('select * from clients').all()
    const apiKeys = await env.DB.prepare('select * from api_keys').all()
    const stored = JSON.stringify([clients.results, apiKeys.results])
    expect(stored).toContain(clientId)
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(apiKey)
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
  ])('answers 400 for a %s of %j', async (field, value) => {
    const body = { ...credentials(), [field]: value }
    const response = await send(jsonBody(body, { 'X-API-KEY': workspace.apiKey }))
    const { message, errors } = await expectError(response, 400, 'invalid_request')
    expect(errors).toMatchObject([{ index: null, field }])
    if (value === undefined) expect(message).toBe(`${field} is required`)
  })

  it.each(['password', 'refresh_token', 'CLIENT_CREDENTIALS'])('answers 400 for the grant type %s', async (grant) => {
    const body = { ...credentials(), grant_type: grant }
    const response = await send(jsonBody(body, { 'X-API-KEY': workspace.apiKey }))
    const { message } = await expectError(response, 400, 'unsupported_grant_type')
    expect(message).toBe('grant_type must be client_credentials')
  })

  it('does not repeat the sent secret', async () => {
    const ofWrongType = [
      { client_id: 'a', client_secret: ['hush-hush'] },
      { ...credentials(), api_key: ['hush-hush'] },
    ]
    const wrong = [...ofWrongType, 'hush-hush', ['hush-hush']]
    for (const body of wrong) {
      const response = await send(jsonBody(body))
      expect(await response.text()).not.toContain('hush-hush')
    }
  })

  it.each(['{', '', '[]', 'null', '"text"', 'grant_type=client_credentials'])(
    'answers 400 for the body %j',
    async (body) => {
      const response = await send({ headers: { 'Content-Type': 'application/json' }, body })
      await expectError(response, 400, 'invalid_request')
    },
  )

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded-not'])(
    'answers 415 for the Content-Type %s',
    async (contentType) => {
      const body = JSON.stringify(credentials())
      const response = await send({ headers: { 'Content-Type': contentType }, body })
      await expectError(response, 415, 'invalid_request')
    },
  )

  it('answers 400 to a query parameter, because it has none', async () => {
    const body = jsonBody(credentials())
    const response = await callService(`${PATH}?scope=search`, { method: 'POST', ...body })
    const { errors } = await expectError(response, 400, 'invalid_request')
    expect(errors).toMatchObject([{ field: 'scope', code: 'unknown_parameter' }])
  })

  it('answers 429 to one client from one address before it checks the credentials', async () => {
    const attempt = (apiKey: string, address: string) =>
      send(jsonBody(credentials(), { 'X-API-KEY': apiKey, 'CF-Connecting-IP': address }))
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
    await expectError(refused!, 429, 'invalid_request')
    expect((await attempt(workspace.apiKey, '192.0.2.2')).status).toBe(200)
  })
})
