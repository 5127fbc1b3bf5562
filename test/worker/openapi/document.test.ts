import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '#worker/app'
import { version as release } from '../../../package.json'
import { newContext } from '../../support/background'
import { bodyFrom } from '../../support/service'

interface Operation {
  security: Record<string, string[]>[]
  parameters?: { name: string }[]
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

  const has = ({ parameters = [] }: Operation, name: string) => parameters.some((parameter) => parameter.name === name)
  const answers = ({ responses }: Operation, name: string) => name in (responses['200']?.headers ?? {})
  const [datasets, catalogs, search] = ['/admin/datasets/v1/', '/admin/catalogs/v1/', '/medical-db/v1/search/']

  it.each<[string, (operation: Operation) => boolean[], string[]]>([
    [
      'an entity tag',
      (one) => ['304' in one.responses, has(one, 'If-None-Match'), answers(one, 'ETag')],
      [`get ${catalogs}`, `get ${catalogs}{type}`, `get ${datasets}`, `get ${datasets}{entity_id}/`],
    ],
    [
      'a bookmark for reads from a copy',
      (one) => [has(one, 'X-D1-Bookmark'), has(one, 'X-D1-Bookmark') && answers(one, 'X-D1-Bookmark')],
      [`get ${datasets}`, `get ${datasets}{entity_id}/`, `get ${search}`, `post ${search}`],
    ],
    [
      'an encrypted form',
      (one) => [
        has(one, 'X-Encryption'),
        JSON.stringify(one.requestBody ?? {}).includes('#/components/schemas/EncryptedBody'),
      ],
      [`post ${search}`, 'post /mr/api/v2/docs', 'post /registration/v1/init'],
    ],
  ])('has %s in all its parts, exactly where the contract says it', (_, partsOf, expected) => {
    const found = operations.flatMap(({ method, path, operation }) => {
      const parts = partsOf(operation)
      expect(new Set(parts).size, `${method} ${path}`).toBe(1)
      return parts[0] ? [`${method} ${path}`] : []
    })
    expect(found.sort()).toEqual(expected)
  })

  it('has the headers of files and of refusals, and the members of every error', () => {
    for (const [method, path] of [
      ['get', '/mr/api/v2/docs/{document_id}/content'],
      ['post', `${catalogs}{type}/restore`],
    ] as const)
      expect(answers(document.paths[path]![method]!, 'Content-Disposition'), path).toBe(true)
    const challenged = { headers: { 'WWW-Authenticate': expect.anything() } }
    expect(document.components.responses).toMatchObject({ unauthorized: challenged, forbidden: challenged })
    const required = ['success', 'message']
    const properties = { success: { const: false }, errors: { type: 'array' } }
    expect(document.components.schemas).toMatchObject({
      ErrorResponse: { type: 'object', required, properties },
      FieldError: { required: ['index', 'field', 'code', 'msg', 'value'] },
    })
  })
})
