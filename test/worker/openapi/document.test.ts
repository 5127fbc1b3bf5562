import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '#worker/app'
import { version as release } from '../../../package.json'
import { newContext } from '../../support/background'
import { bodyFrom } from '../../support/service'

interface Parameter {
  name: string
  in: string
  required: boolean
  schema: object
}

interface Operation {
  operationId: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { $ref?: string; headers?: object; content?: Record<string, { schema: object }> }>
}

interface OpenApi {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

let document: OpenApi
let operations: { path: string; method: string; operation: Operation }[]

beforeAll(async () => {
  const response = await createApp().request('/openapi.json', {}, env, newContext())
  expect(response.headers.get('Content-Type')).toBe('application/json')
  document = await bodyFrom(response)
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
})

const resolvePointer = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)

/** The same spelling for a path of the router and of the document. */
const normalised = (path: string) => path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}').replace(/(?<=.)\/$/, '')

// scripts/check.mjs checks the description by the rules of a linter too: references, names, parameters of paths.
describe('the API description', () => {
  it('is OpenAPI 3.1, version 1.0.0 of the interface, made by this release, at its public address', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info).toMatchObject({ title: expect.any(String), version: '1.0.0', 'x-release': release })
    expect(document.servers).toEqual([{ url: env.ISSUER }])
  })

  it('has every route of the service except those of pages, and no other', () => {
    const routed = createApp()
      .routes.filter((route) => route.method !== 'ALL' && !/^\/(?:console|embed\/demo)/.test(route.path))
      .map((route) => `${route.method} ${normalised(route.path)}`)
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${normalised(path)}`)
    expect([...new Set(described)].sort()).toEqual([...new Set(routed)].sort())
  })

  it('answers every error with the one error object', () => {
    for (const { operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (['200', '202', '302', '304'].includes(status)) continue
        expect(Number(status)).toBeGreaterThanOrEqual(400)
        const shared = resolvePointer(response.$ref ?? '') as Operation['responses'][string]
        const schema = { $ref: '#/components/schemas/ErrorResponse' }
        const example = expect.objectContaining({ success: false })
        expect(shared.content).toEqual({ 'application/json': { schema, example } })
      }
    }
  })

  it('asks for a declared kind of credential, and lists 401 for each endpoint that asks', () => {
    const schemes = document.components.securitySchemes!
    for (const { operation } of operations) {
      for (const requirement of operation.security) {
        expect(Object.keys(schemes)).toEqual(expect.arrayContaining(Object.keys(requirement)))
        expect(Object.keys(operation.responses)).toContain('401')
      }
    }
  })

  it('has 304, ETag and If-None-Match exactly where answers have an entity tag', () => {
    const tagged = operations.filter(({ operation }) => '304' in operation.responses)
    const catalogs = ['get /admin/catalogs/v1/', 'get /admin/catalogs/v1/{type}']
    const datasets = ['get /admin/datasets/v1/', 'get /admin/datasets/v1/{entity_id}/']
    expect(tagged.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...catalogs, ...datasets])
    for (const { operation } of operations) {
      expect(operation.responses['304'] ?? {}).not.toHaveProperty('content')
      const isTagged = '304' in operation.responses
      const names = (operation.parameters ?? []).map(({ name }) => name)
      expect(names.includes('If-None-Match')).toBe(isTagged)
      expect('ETag' in (operation.responses['200']?.headers ?? {})).toBe(isTagged)
    }
  })

  it('has the bookmark that reads from a copy take, and that answers from a workspace have', () => {
    const takes = operations.filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'X-D1-Bookmark'),
    )
    const [datasets, search] = ['/admin/datasets/v1/', '/medical-db/v1/search/']
    expect(takes.map(({ path }) => path).sort()).toEqual([datasets, `${datasets}{entity_id}/`, search, search])
    for (const { operation } of takes)
      expect(Object.keys(operation.responses['200']!.headers!)).toContain('X-D1-Bookmark')
  })

  it('offers the encrypted form on the three endpoints that take it', () => {
    const offered = operations.flatMap(({ method, path, operation: { parameters = [], requestBody } }) => {
      const header = parameters.find(({ name }) => name === 'X-Encryption')
      const schema = JSON.stringify(requestBody?.content['application/json']?.schema ?? {})
      expect(schema.includes('#/components/schemas/EncryptedBody'), path).toBe(header !== undefined)
      return header ? [`${method} ${path} ${header.in} ${header.required ?? false}`] : []
    })
    expect(offered.sort()).toEqual([
      'post /medical-db/v1/search/ header false',
      'post /mr/api/v2/docs header false',
      'post /registration/v1/init header false',
    ])
  })

  it('has the headers of files and of refusals', () => {
    const headersOf = (path: string, method = 'get') =>
      Object.keys(document.paths[path]![method]!.responses['200']!.headers!)
    expect(headersOf('/mr/api/v2/docs/{document_id}/content')).toContain('Content-Disposition')
    expect(headersOf('/admin/catalogs/v1/{type}/restore', 'post')).toContain('Content-Disposition')
    expect(document.components.responses).toMatchObject({
      unauthorized: { headers: { 'WWW-Authenticate': expect.anything() } },
      forbidden: { headers: { 'WWW-Authenticate': expect.anything() } },
    })
  })

  it('requires the members that every error has', () => {
    expect(document.components.schemas!.ErrorResponse).toMatchObject({
      type: 'object',
      required: ['success', 'message'],
      properties: { success: { const: false }, errors: { type: 'array' } },
    })
    expect(document.components.schemas!.FieldError).toMatchObject({
      required: ['index', 'field', 'code', 'msg', 'value'],
    })
  })
})
