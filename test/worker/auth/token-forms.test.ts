import { env } from 'cloudflare:workers'
import * as oauth from 'oauth4webapi'
import { describe, expect, it } from 'vitest'
import { workspaceOfEachTest } from '../../support/credentials'
import { bodyFrom, callService, jsonBody } from '../../support/service'

/** Token requests as OAuth clients send them; test/worker/auth/token.test.ts has those of the specification. */

const PATH = '/api/v1/auth/token'

const workspace = workspaceOfEachTest()

const basic = (id: string, secret: string) => ({ Authorization: `Basic ${btoa(`${id}:${secret}`)}` })

const ownBasic = () => basic(workspace.clientId, workspace.clientSecret)

const key = () => ({ 'X-API-KEY': workspace.apiKey })

const client = () => ({ client_id: workspace.clientId, client_secret: workspace.clientSecret })

const GRANT = { grant_type: 'client_credentials' }

type Parameters = Record<string, string> | [string, string][]

const sendForm = (parameters: Parameters, headers: Record<string, string> = {}) =>
  callService(PATH, { method: 'POST', headers, body: new URLSearchParams(parameters) })

const sendJson = (body: object | string, headers: Record<string, string> = {}) =>
  callService(PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

interface Refusal {
  message: string
  error: string
  errors?: { field: string; code: string; value: unknown }[]
}

async function refusal(response: Response, status: number, error: string): Promise<Refusal> {
  const body = await bodyFrom<Refusal>(response, status)
  expect(body.error).toBe(error)
  expect(JSON.stringify(body)).not.toContain(workspace.clientSecret)
  expect(JSON.stringify(body)).not.toContain(workspace.apiKey)
  return body
}

interface Sent {
  method: string
  headers: Record<string, string>
  body?: URLSearchParams | null | undefined
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
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      own,
      authentication(workspace.clientSecret),
      { api_key: workspace.apiKey, scope: 'search' },
      options,
    )
    const token = await oauth.processClientCredentialsResponse(server, own, response)
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'search' })
  })

  it('reads the challenge of a refusal', async () => {
    const server = { issuer: env.ISSUER, token_endpoint: `${env.ISSUER}${PATH}` }
    const own = { client_id: workspace.clientId }
    const wrong = oauth.ClientSecretBasic('wrong: +%&ü')
    const parameters = { api_key: workspace.apiKey }
    const response = await oauth.clientCredentialsGrantRequest(server, own, wrong, parameters, options)
    const refused = oauth.processClientCredentialsResponse(server, own, response)
    await expect(refused).rejects.toMatchObject({
      cause: [{ scheme: 'basic', parameters: { realm: 'Dataset Catalog Service' } }],
    })
  })
})

describe('a token request', () => {
  it.each<[string, () => Promise<Response>]>([
    ['a form, with the API key in the header', () => sendForm({ ...GRANT, ...client() }, key())],
    ['a form, with the API key in it', () => sendForm({ ...GRANT, ...client(), api_key: workspace.apiKey })],
    ['a form and Basic', () => sendForm(GRANT, { ...ownBasic(), ...key() })],
    ['JSON, with the API key in it', () => sendJson({ ...GRANT, ...client(), api_key: workspace.apiKey })],
    ['JSON and Basic', () => sendJson(GRANT, { ...ownBasic(), ...key() })],
    [
      'the same values twice, in a header and in the body',
      () => sendForm({ ...GRANT, ...client(), api_key: workspace.apiKey }, { ...ownBasic(), ...key() }),
    ],
    [
      'parameters that are not known, or have no value',
      () => sendForm([...Object.entries({ ...GRANT, ...client(), scope: '', x: '' }), ['x', '1']], key()),
    ],
    [
      'a token of another scheme, which a client still sends',
      () => sendForm({ ...GRANT, ...client() }, { Authorization: 'Bearer old', ...key() }),
    ],
  ])('can be %s', async (_, request) => {
    expect(await bodyFrom(request())).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
  })

  it.each([
    'application/x-www-form-urlencoded; charset=utf-8',
    'application/x-www-form-urlencoded;charset="UTF-8"',
    'Application/X-WWW-Form-URLEncoded',
    'application/x-www-form-urlencoded ; charset=ISO-8859-1',
  ])('may have the Content-Type %s', async (contentType) => {
    const headers = { ...key(), 'Content-Type': contentType, Expect: '100-continue' }
    expect((await sendForm({ ...GRANT, ...client() }, headers)).status).toBe(200)
  })

  it('may come in pieces, without a length', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const headers = { ...key(), 'Content-Type': 'application/x-www-form-urlencoded' }
    const answered = callService(PATH, { method: 'POST', headers, body: readable })
    for (const character of String(new URLSearchParams({ ...GRANT, ...client() }))) {
      await writer.write(new TextEncoder().encode(character))
    }
    await writer.close()
    expect((await answered).status).toBe(200)
  })

  it('has a client that is form-encoded in Basic, with a scheme in any case', async () => {
    const encoded = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')
    const { Authorization } = basic(encoded(workspace.clientId), encoded(workspace.clientSecret))
    const headers = { Authorization: Authorization.replace('Basic', 'bAsIc '), ...key() }
    expect((await sendForm(GRANT, headers)).status).toBe(200)
  })
})

describe('a token request is refused', () => {
  it.each<[string, string, () => Promise<Response>]>([
    ['client ids', 'client_id', () => sendForm({ ...GRANT, client_id: 'x' }, { ...ownBasic(), ...key() })],
    ['secrets', 'client_secret', () => sendJson({ ...GRANT, client_secret: 'x' }, { ...ownBasic(), ...key() })],
    ['API keys', 'api_key', () => sendForm({ ...GRANT, ...client(), api_key: 'x' }, key())],
    ['API keys in JSON', 'api_key', () => sendJson({ ...GRANT, ...client(), api_key: 'x' }, key())],
  ])('with two different %s', async (_, field, request) => {
    const { errors } = await refusal(await request(), 400, 'invalid_request')
    expect(errors).toMatchObject([{ field, code: 'repeated_parameter', value: null }])
  })

  it.each(['grant_type', 'client_id', 'client_secret', 'api_key', 'scope'])(
    'with %s twice in a form, even if both are equal',
    async (name) => {
      const parameters = { ...GRANT, ...client(), api_key: workspace.apiKey, scope: 'search' }
      const value = new Map(Object.entries(parameters)).get(name) ?? ''
      const response = await sendForm([...Object.entries(parameters), [name, value]])
      const { errors } = await refusal(response, 400, 'invalid_request')
      expect(errors).toMatchObject([{ field: name, code: 'repeated_parameter' }])
    },
  )

  it('with a member twice in JSON', async () => {
    const body = JSON.stringify({ ...GRANT, ...client() }).replace('{', '{"client_id":"x",')
    const { errors } = await refusal(await sendJson(body, key()), 400, 'invalid_request')
    expect(errors).toMatchObject([{ field: 'client_id', code: 'repeated_parameter' }])
  })

  it('with a form that lacks its client or its grant type, naming each', async () => {
    const { errors } = await refusal(await sendForm({ client_secret: '' }), 400, 'invalid_request')
    expect(errors?.map(({ field }) => field)).toEqual(['client_id', 'client_secret', 'grant_type'])
  })

  it.each<[string, () => Record<string, string>]>([
    ['a wrong secret', () => ({ ...basic(workspace.clientId, 'wrong'), ...key() })],
    ['an unknown client', () => ({ ...basic('nobody', workspace.clientSecret), ...key() })],
    ['a wrong API key', () => ({ ...ownBasic(), 'X-API-KEY': 'wrong' })],
    ['no API key', ownBasic],
    ['no secret', () => ({ ...basic(workspace.clientId, ''), ...key() })],
    ['no colon', () => ({ Authorization: `Basic ${btoa('nobody')}`, ...key() })],
    ['a wrong escape', () => ({ ...basic('%zz', 'x'), ...key() })],
    ['bytes that are no UTF-8', () => ({ Authorization: 'Basic /zov', ...key() })],
    ['no base64', () => ({ Authorization: 'Basic ~~~~', ...key() })],
    ['nothing', () => ({ Authorization: 'Basic', ...key() })],
  ])('with a challenge for Basic if Basic had %s, the same for all', async (_, headers) => {
    const response = await sendForm(GRANT, headers())
    expect(response.headers.get('WWW-Authenticate')).toBe('Basic realm="Dataset Catalog Service"')
    const { message } = await refusal(response, 401, 'invalid_client')
    expect(message).toContain('is wrong or revoked')
  })

  it('with a challenge for Bearer if the client was in the body', async () => {
    const response = await sendForm({ ...GRANT, ...client(), api_key: 'wrong' })
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
    await refusal(response, 401, 'invalid_client')
  })

  it('if it is larger than 16 KB, or encrypted', async () => {
    const large = await sendForm({ ...GRANT, ...client(), x: 'x'.repeat(16_384) }, key())
    await refusal(large, 413, 'invalid_request')
    const init = jsonBody({ ...GRANT, ...client() }, { ...key(), 'X-Encryption': 'JWE' })
    await refusal(await callService(PATH, { method: 'POST', ...init }), 400, 'invalid_request')
  })
})
