import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '#worker/app'
import { newContext } from '../../support/background'
import { bodyFrom } from '../../support/service'

interface Operation {
  parameters?: { name: string }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { $ref?: string; headers?: object; content?: Record<string, { schema: object }> }>
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Operation['responses'] }
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

/** The same notation for a path of the router and of the document. */
const normalised = (path: string) => path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}').replace(/(?<=.)\/$/, '')

// scripts/check.mjs also checks the description with a linter's rules: references, names, path parameters.
describe('the API description', () => {
  it('contains every route of the service except those of pages, and no other', () => {
    const routed = createApp()
      .routes.filter((route) => route.method !== 'ALL' && !/^\/(?:console|embed\/demo)/.test(route.path))
      .map((route) => `${route.method} ${normalised(route.path)}`)
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${normalised(path)}`)
    expect([...new Set(described)].sort()).toEqual([...new Set(routed)].sort())
  })

  it('describes every error as the one error object', () => {
    const schema = { $ref: '#/components/schemas/ErrorResponse' }
    for (const { operation } of operations) {
      for (const [status, { $ref = '' }] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue
        const example = expect.objectContaining({ success: false })
        const { content } = document.components.responses[$ref.split('/').at(-1)!]!
        const page = { 'text/html': { schema: { type: 'string' } } }
        expect(content).toEqual({ 'application/json': { schema, example }, ...($ref.endsWith('_page') ? page : {}) })
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
  ])('has %s in all its parts, exactly where the contract requires it', (_, partsOf, expected) => {
    const found = operations.flatMap(({ method, path, operation }) => {
      const parts = partsOf(operation)
      expect(new Set(parts).size, `${method} ${path}`).toBe(1)
      return parts[0] ? [`${method} ${path}`] : []
    })
    expect(found.sort()).toEqual(expected)
  })
})
