import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { ServiceClient } from '#client/client'
import { clientCredentials } from '#client/credentials'

/** The client in Node, over a real connection. */

const type = 'medication'
let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  server = createServer(answer)
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

it('gets a token with client credentials, and renews it before it ends', async () => {
  let tokens = 0
  const used: (string | undefined)[] = []
  const baseUrl = await serve((request, response) => {
    if (request.url !== '/api/v1/auth/token') {
      used.push(request.headers.authorization)
      return json(response, { items: [], total: 0 })
    }
    tokens++
    // The first token has nearly expired.
    return json(response, { access_token: `token-${tokens}`, expires_in: tokens === 1 ? 0 : 3600 })
  })
  const credentials = { baseUrl, clientId: 'id', clientSecret: 'secret', apiKey: 'key' }
  const client = new ServiceClient({ baseUrl, tokens: clientCredentials(credentials) })
  for (let call = 0; call < 3; call++) await client.get('/admin/datasets/v1/', { query: { type } })
  expect(used).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-2'])
})

it('uploads a stream as the file of a form, without holding it in memory, and reports the progress', async () => {
  let received = ''
  const baseUrl = await serve(async (request, response) => {
    expect(request.headers['content-length']).toBeUndefined()
    received = await text(request)
    json(response, { success: true, message: '', data: { total: 2 } })
  })
  const chunks = ['id,name\n', '1,A\n', '2,B\n'].map((line) => new TextEncoder().encode(line))
  const sent: number[] = []
  const result = await new ServiceClient({ baseUrl }).post('/admin/datasets/v1/', {
    query: { type },
    body: { file: new Blob(chunks).stream() as ReadableStream<Uint8Array>, fileName: 'a.csv' },
    onProgress: (bytes) => sent.push(bytes),
  })
  expect(result.total).toBe(2)
  expect(received).toContain('name="file"; filename="a.csv"\r\n\r\nid,name\n1,A\n2,B\n\r\n--')
  expect(sent.at(-1)).toBe(16)
})

it('reports that the service cannot be reached, and reads answers that are no error object', async () => {
  const baseUrl = await serve((_, response) => response.writeHead(502).end('<html>'))
  const client = new ServiceClient({ baseUrl, retry: { attempts: 1 } })
  await expect(client.get('/.well-known/jwks.json')).rejects.toMatchObject({ status: 502, code: 'unknown' })
  server!.closeAllConnections()
  server!.close()
  await expect(client.get('/.well-known/jwks.json')).rejects.toMatchObject({ status: 0, code: 'unreachable' })
})

it('ends an upload that is aborted', async () => {
  const stop = new AbortController()
  const baseUrl = await serve(() => stop.abort())
  const call = new ServiceClient({ baseUrl }).post('/admin/datasets/v1/', {
    query: { type },
    body: { file: new Blob(['id,name\n']) },
    signal: stop.signal,
  })
  await expect(call).rejects.toMatchObject({ name: 'AbortError' })
})
