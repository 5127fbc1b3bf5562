import { env } from 'cloudflare:workers'
import { type Schema, Validator } from '@cfworker/json-schema'
import { configOf } from '#worker/env'
import { describeService } from '#worker/openapi/endpoints'
import { callService, type Fetch } from './service'

/**
 * A gateway that only passes traffic that the API description describes, in both directions, like Cloudflare's API
 * Shield, Stoplight Prism and others. It knows nothing else about the service.
 */

interface Described {
  $ref?: string
  required?: boolean
  content?: Record<string, { schema: Schema }>
}

interface Operation {
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }[]
  requestBody?: Described
  responses: Record<string, Described>
}

interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Described> }
}

const description: Description = JSON.parse(describeService(configOf(env).servers))

/** The reason why the gateway rejects a request or a response. */
export class NotDescribed extends Error {}

function requireValid(schema: Schema, value: unknown, what: string): void {
  const root = { ...schema, components: description.components } as Schema
  const { valid, errors } = new Validator(root, '2020-12', false).validate(value)
  const reasons = errors.slice(-3).map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)
  if (!valid) throw new NotDescribed(`${what}: ${reasons.join('; ')}`)
}

/** OpenAPI: a path without parameters comes first. */
const templates = Object.entries(description.paths)
  .map(([path, operations]) => ({
    names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
    operations,
  }))
  .sort((a, b) => a.names.length - b.names.length)

/** The described operation of a request, and the values in its path. */
function findOperation(method: string, pathname: string) {
  for (const { names, pattern, operations } of templates) {
    const values = pattern.exec(pathname)?.slice(1)
    const operation = operations[method.toLowerCase()]
    if (values === undefined || operation === undefined) continue
    return { operation, inPath: new Map(names.map((name, n) => [name, decodeURIComponent(values[n]!)])) }
  }
  throw new NotDescribed(`there is no ${method} ${pathname}`)
}

/** A parameter is text. Its schema defines the type. */
function typed({ type }: Schema, texts: string[]): unknown {
  if (type === 'array') return texts
  const [text = ''] = texts
  if ((type === 'integer' || type === 'number') && text !== '') return Number(text)
  return type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text
}

function requireParameters(
  parameters: NonNullable<Operation['parameters']>,
  request: Request,
  inPath: Map<string, string>,
) {
  const { searchParams } = new URL(request.url)
  for (const sent of searchParams.keys())
    if (!parameters.some(({ name, in: place }) => place === 'query' && name === sent))
      throw new NotDescribed(`there is no parameter ${sent}`)
  for (const { name, in: place, required, schema } of parameters) {
    const one = place === 'path' ? inPath.get(name) : request.headers.get(name)
    const texts = place === 'query' ? searchParams.getAll(name) : [one ?? []].flat()
    if (texts.length > 0) requireValid(schema, typed(schema, texts), `${place} ${name}`)
    else if (required === true) throw new NotDescribed(`${place} ${name} is required`)
  }
}

/** For forms and files, only the content type is checked. */
function requireContent({ content = {} }: Described, headers: Headers, text: string, what: string): void {
  const type = (headers.get('Content-Type') ?? '').split(';')[0]!.trim()
  const described = content[type]
  if (described === undefined) throw new NotDescribed(`${what}: ${type || 'no type'} is not described`)
  if (type === 'application/json') requireValid(described.schema, JSON.parse(text), what)
}

/** Sends a request through the gateway. @throws NotDescribed */
export const throughGateway =
  (call: Fetch = callService): Fetch =>
  async (path, init = {}) => {
    const request = new Request(`https://catalog.test${path}`, init)
    const { operation, inPath } = findOperation(request.method, new URL(request.url).pathname)
    const { parameters = [], requestBody, responses } = operation
    requireParameters(parameters, request, inPath)
    const text = await request.clone().text()
    if (text !== '' && requestBody !== undefined) requireContent(requestBody, request.headers, text, 'request')
    else if (requestBody?.required === true) throw new NotDescribed('a body is required')
    const response = await call(path, init)
    const named = responses[String(response.status)]
    if (named === undefined) throw new NotDescribed(`the status ${response.status} is not described`)
    const answer = named.$ref === undefined ? named : description.components.responses[named.$ref.split('/').at(-1)!]!
    const body = await response.clone().text()
    if (answer.content !== undefined && response.status !== 304)
      requireContent(answer, response.headers, body, `answer ${response.status}`)
    return response
  }
