import { env } from 'cloudflare:workers'
import { type Schema, Validator } from '@cfworker/json-schema'
import { configOf } from '#worker/env'
import { describeService } from '#worker/openapi/endpoints'
import { callService, type Fetch } from './service'

/**
 * A gateway that lets only through what the API description describes, in both directions, as Cloudflare's API Shield,
 * Stoplight Prism and others do. It knows nothing else of the service.
 */

interface Described {
  $ref?: string
  required?: boolean
  content?: Record<string, { schema: Schema }>
  headers?: Record<string, unknown>
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  schema: Schema
}

interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: Described
  responses: Record<string, Described>
}

interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Described> }
}

const description: Description = JSON.parse(describeService(configOf(env).servers))

/** What the gateway refuses, and why. */
export class NotDescribed extends Error {}

function requireValid(schema: Schema, value: unknown, what: string): void {
  const root: Schema = { ...schema, components: description.components } as Schema
  const { valid, errors } = new Validator(root, '2020-12', false).validate(value)
  if (valid) return
  const reasons = errors.slice(-3).map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)
  throw new NotDescribed(`${what}: ${reasons.join('; ')}`)
}

const templates = Object.keys(description.paths)
  .map((path) => ({
    path,
    names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
  }))
  // OpenAPI: a path without parameters comes first.
  .sort((a, b) => a.names.length - b.names.length)

function findOperation(method: string, pathname: string) {
  for (const { path, names, pattern } of templates) {
    const values = pattern.exec(pathname)
    if (values === null) continue
    const operation = description.paths[path]![method.toLowerCase()]
    if (operation === undefined) continue
    return { operation, values: new Map(names.map((name, n) => [name, decodeURIComponent(values[n + 1]!)])) }
  }
  throw new NotDescribed(`there is no ${method} ${pathname}`)
}

/** A parameter is text. Its schema says what it stands for. */
function typed(schema: Schema, texts: string[]): unknown {
  if (schema.type === 'array') return texts
  const [text = ''] = texts
  if (schema.type === 'integer' || schema.type === 'number') return text === '' ? text : Number(text)
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

function requireParameters(operation: Operation, url: URL, inPath: Map<string, string>, headers: Headers) {
  const parameters = operation.parameters ?? []
  const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  for (const name of url.searchParams.keys()) {
    if (!inQuery.includes(name)) throw new NotDescribed(`there is no parameter ${name}`)
  }
  for (const { name, in: place, required, schema } of parameters) {
    const found = {
      path: () => [inPath.get(name)],
      query: () => url.searchParams.getAll(name),
      header: () => [headers.get(name)],
      cookie: () => [],
    }
    const texts = found[place]().filter((text) => text !== undefined && text !== null)
    if (texts.length > 0) requireValid(schema, typed(schema, texts), `${place} ${name}`)
    else if (required === true) throw new NotDescribed(`${place} ${name} is required`)
  }
}

const mediaTypeOf = (headers: Headers): string => (headers.get('Content-Type') ?? '').split(';')[0]!.trim()

/** Of forms and files only the type is looked at. */
function requireContent({ content = {} }: Described, headers: Headers, text: string, what: string): void {
  const type = mediaTypeOf(headers)
  const described = content[type]
  if (described === undefined) throw new NotDescribed(`${what}: ${type || 'no type'} is not described`)
  if (type === 'application/json') requireValid(described.schema, JSON.parse(text), what)
}

const resolved = (described: Described): Described =>
  described.$ref === undefined ? described : description.components.responses[described.$ref.split('/').at(-1)!]!

/** Sends a request through the gateway. @throws NotDescribed */
export const throughGateway =
  (call: Fetch = callService): Fetch =>
  async (path, init = {}) => {
    const request = new Request(`https://catalog.test${path}`, init)
    const url = new URL(request.url)
    const { operation, values } = findOperation(request.method, url.pathname)
    requireParameters(operation, url, values, request.headers)
    const text = init.body == null ? '' : await request.clone().text()
    const { requestBody } = operation
    if (text !== '' && requestBody !== undefined) requireContent(requestBody, request.headers, text, 'request')
    else if (requestBody?.required === true) throw new NotDescribed('a body is required')
    const response = await call(path, init)
    const described = operation.responses[String(response.status)]
    if (described === undefined) throw new NotDescribed(`the status ${response.status} is not described`)
    const answer = resolved(described)
    const body = await response.clone().text()
    if (answer.content !== undefined && response.status !== 304)
      requireContent(answer, response.headers, body, `answer ${response.status}`)
    return response
  }
