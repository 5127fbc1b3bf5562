import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoints } from '#worker/endpoints'
import type { Endpoint } from '#worker/http/endpoint/endpoint'
import { serviceEndpoints } from '#worker/openapi/endpoints'
import { exampleOf, isOptional } from '#worker/openapi/example'
import { newWorkspace, type TestWorkspace } from '../../support/credentials'
import { throughGateway } from '../../support/gateway'

const all = [...endpoints, ...serviceEndpoints]

describe('the examples of the API description', () => {
  it('match the schemas of their endpoints', () => {
    for (const { operationId, answer, body } of all) {
      for (const { 'application/json': schema } of [answer.content, body?.content ?? {}]) {
        const example = schema && exampleOf(schema)
        if (example !== undefined) expect(schema?.safeParse(example).error, operationId).toBeUndefined()
      }
    }
  })
})

/** An example as a request, with the parameters that it needs. */
function requestOf({ method, path, query, body }: Endpoint, type?: string): { path: string; init: RequestInit } {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(exampleOf(z.string(), name))),
  )
  const parameters = Object.entries((query as z.ZodObject | undefined)?.shape ?? {})
    .filter(([, schema]) => !isOptional(schema))
    .map(([name, schema]) => [name, String(exampleOf(schema, name))])
  const sent = new URLSearchParams(Object.fromEntries(parameters))
  const headers = new Headers()
  const init: RequestInit = { method: method.toUpperCase(), headers }
  if (type !== undefined) {
    const value = exampleOf(body!.content[type]!)
    if (type === 'multipart/form-data') {
      const form = new FormData()
      form.set('file', new Blob([(value as { file: string }).file]), 'file.csv')
      init.body = form
    } else {
      headers.set('Content-Type', type)
      init.body = typeof value === 'string' ? value : JSON.stringify(value)
    }
  }
  return { path: sent.size === 0 ? filled : `${filled}?${sent}`, init }
}

/** Every example request: one for each content type of its body. */
const requests = all.flatMap((endpoint) => {
  const types = endpoint.body?.required ? Object.keys(endpoint.body.content) : [undefined]
  return types.map((type) => ({ endpoint, operationId: endpoint.operationId, access: endpoint.access, type }))
})

const writeRecords = all.find(({ operationId }) => operationId === 'writeRecords')!

/** IDs that the service generates, or text that already exists, so an example cannot contain them. */
const isGivenOut = (id: string): boolean =>
  /Document|getWrite|undoWrite|dismissSearchMiss|deleteRecordName|WriteChanges|Upload(?:Content)?$/.test(id) &&
  !['uploadDocument', 'reportUpload'].includes(id)

const ofKind = (kind: string) =>
  requests.filter(({ access }) => access.kind === kind && access.scope !== 'workspace:admin')

describe('the example requests', () => {
  let workspace: TestWorkspace

  beforeEach(async () => {
    workspace = await newWorkspace()
  })

  const send = ({ path, init }: ReturnType<typeof requestOf>, token: string) => {
    const headers = new Headers(init.headers)
    headers.set('Authorization', `Bearer ${token}`)
    return throughGateway()(path, { ...init, headers })
  }

  it.each(ofKind('scope'))(
    'of $operationId ($type) are accepted by the service, with responses as described',
    async ({ endpoint, operationId, type }) => {
      expect((await send(requestOf(writeRecords, 'application/json'), workspace.token)).status).toBe(200)
      const response = await send(requestOf(endpoint, type), workspace.token)
      expect(response.status, await response.text()).toBe(isGivenOut(operationId) ? 404 : 200)
    },
  )

  // Only `DB` has tables here: test/worker/platform/databases.test.ts covers the list of databases.
  const ofOperator = ofKind('operator').filter(({ operationId }) => operationId !== 'listDatabases')

  it.each(ofOperator)('of $operationId are accepted by the service, with responses as described', async (request) => {
    const response = await send(requestOf(request.endpoint, request.type), String(env.PLATFORM_ADMIN_TOKEN))
    // Unknown IDs are expected, but no errors of form.
    expect([200, 202, 400, 404]).toContain(response.status)
    const { errors = [] } = (await response.json()) as { errors?: { code: string }[] }
    expect(errors.filter(({ code }) => code !== 'not_found')).toEqual([])
  })

  it.each(ofKind('anyone').filter(({ endpoint }) => endpoint.method === 'get'))(
    'of $operationId return the described responses to everyone',
    async ({ endpoint }) => {
      const response = await send(requestOf(endpoint), '')
      expect([200, 404], await response.text()).toContain(response.status)
    },
  )
})
