import type { Hono, MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import type { Scope } from '#shared/access/caller'
import { ApiError, type ErrorCode } from '#shared/errors/errors'
import { type RequestBody, requireNoBody } from '#worker/http/body/request-body'
import type { AppContext, AppEnv } from '#worker/http/context'
import type { Answer } from './answers'
import { type MeantParameter, strictQuery } from './validation'

/** Who may call an endpoint, and the middlewares that check it. */
export interface Access {
  kind: 'anyone' | 'operator' | 'partner' | 'session' | 'scope'
  scope?: Scope
  /** Whether a partner token is accepted, so that pages of other origins may use the endpoint. */
  partnerToken: boolean
  /** Whether the endpoint accepts HTTP Basic; for the description only. */
  basicClient?: true
  errors: readonly ErrorCode[]
  middlewares: readonly MiddlewareHandler<AppEnv>[]
}

type Method = 'get' | 'post' | 'put' | 'delete'

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & PathParameters<Rest>
  : unknown

interface Definition<
  Path extends string = string,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body = unknown,
  Value = never,
> {
  method: Method
  /** As in OpenAPI, with the contract's trailing slash. Every path works with and without it. */
  path: Path
  /** Unique. The name of the function in generated clients. */
  operationId: string
  tag: string
  summary: string
  description: string
  access: Access
  /** An object schema. Each property is a parameter. Other parameters are rejected. */
  query?: Query
  /** `ignored` if other services add parameters; a function rejects only those that mean one of ours. */
  unknownParameters?: 'ignored' | MeantParameter
  /** An object schema of request headers; for the description only. */
  headers?: z.ZodObject
  body?: RequestBody<Body>
  /** Whether the body may be encrypted. Then the response is, too. Otherwise an encrypted body is rejected. */
  takesEncrypted?: true
  answer: Answer<Value>
  /** Errors in addition to those of access, query and body, and those of every endpoint. */
  errors?: readonly ErrorCode[]
  /** Whether errors also have an OAuth 2.0 error code (RFC 6749, section 5.2). */
  oauthErrors?: true
  /** Whether a middleware of `before` shows errors as pages to browsers; for the description only. */
  errorPages?: true
  /** Whether the handler mainly writes. If time runs out, assume that the write took effect. */
  writes?: true
  /** Middlewares of this endpoint only. They run before access is checked. */
  before?: readonly MiddlewareHandler<AppEnv>[]
}

interface EndpointCall<Query, Body, Params> {
  c: AppContext
  query: Query
  body: Body
  params: Params
  now: Date
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined

/** One endpoint. Its route and its description are created from this object. */
export interface Endpoint extends Definition {
  register(app: Hono<AppEnv>): void
}

/** The path in Hono's syntax. Hono removes trailing slashes from request paths. */
const routeOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/(.)\/$/, '$1')

const notEncryptable = (): ApiError =>
  new ApiError(
    'invalid_request',
    'This endpoint does not accept encrypted bodies. Send the request without X-Encryption.',
  )

const endpointsByHandler = new WeakMap<object, Endpoint>()

/** Requests are checked in the order of docs/contract.md#order-of-checks: size (before), access, query, body. */
export function endpoint<
  const Path extends string,
  Value,
  Query extends z.ZodType | undefined = undefined,
  Body = undefined,
  Call = EndpointCall<Output<Query>, Body, PathParameters<Path>>,
>(
  definition: Definition<Path, Query, Body, Value>,
  handler: (call: Call) => Promise<NoInfer<Value> | Response> | NoInfer<Value> | Response,
): Endpoint {
  const { method, path, access, query, body, answer, writes, before = [] } = definition
  const mark: MiddlewareHandler<AppEnv> = async (c, next) => {
    c.set('endpoint', result)
    await next()
  }
  const run = async (c: AppContext): Promise<Response> => {
    if (c.var.openBody !== undefined && !definition.takesEncrypted) throw notEncryptable()
    const input: EndpointCall<unknown, unknown, unknown> = {
      c,
      query: query === undefined ? undefined : c.req.valid('query' as never),
      body: await (body === undefined ? requireNoBody(c) : body.read(c)),
      params: c.req.param(),
      now: new Date(),
    }
    // The definition makes both the checks and the types.
    const work = async () => handler(input as Call)
    const value = await (writes ? c.var.deadline.whileWriting(work) : work())
    return value instanceof Response ? value : answer.send(c, value)
  }
  const result: Endpoint = {
    ...(definition as unknown as Definition),
    register(app) {
      const { unknownParameters: unknown } = definition
      const checks = [...access.middlewares, strictQuery(query, unknown === 'ignored' ? () => undefined : unknown)]
      app.on(method.toUpperCase(), [routeOf(path)], mark, ...before, ...checks, run)
    },
  }
  endpointsByHandler.set(mark, result)
  return result
}

/** The endpoint for this method and path; undefined if there is none. */
export function findEndpoint(app: Hono<AppEnv>, method: string, path: string): Endpoint | undefined {
  for (const [[handler]] of app.router.match(method, path)[0]) {
    const match = endpointsByHandler.get(handler)
    if (match !== undefined) return match
  }
  return undefined
}
