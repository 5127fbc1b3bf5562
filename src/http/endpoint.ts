import type { Hono, MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import type { Scope } from '#access/caller'
import type { ErrorCode } from '#errors'
import type { Answer } from './answers'
import type { AppContext, AppEnv } from './context'
import type { RequestBody } from './request-body'
import { strictQuery } from './validation'

/** Who may call an endpoint, and the middlewares that see to it. */
export interface Access {
  kind: 'anyone' | 'operator' | 'partner' | 'session' | 'scope'
  /** The permission that the caller needs, for the kind `scope`. */
  scope?: Scope
  /** Whether a partner token is accepted, so that browsers of other origins may call the endpoint. */
  partnerToken: boolean
  /** Errors that follow from it. */
  errors: readonly ErrorCode[]
  middlewares: readonly MiddlewareHandler<AppEnv>[]
}

export type Method = 'get' | 'post' | 'delete'

/** The parameters in a path such as `/admin/datasets/v1/{entity_id}/`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & PathParameters<Rest>
  : unknown

/** Which query parameters an endpoint takes besides those of its schema. */
export type UnknownParameters = 'refused' | 'ignored'

/** What there is to say about an endpoint besides what it does. */
export interface Definition<
  M extends Method = Method,
  Path extends string = string,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body = unknown,
  Value = never,
  Data = unknown,
> {
  method: M
  /** As in OpenAPI, with the trailing slash where the contract has one. Every path works with and without it. */
  path: Path
  /** Unique; the name of the function in generated clients. */
  operationId: string
  tag: string
  summary: string
  description: string
  access: Access
  /** An object schema; each member is a parameter. Names that it does not have are refused. */
  query?: Query
  /** Set where others add parameters of their own. */
  unknownParameters?: UnknownParameters
  /** An object schema of request headers; for the description only. */
  headers?: z.ZodObject
  body?: RequestBody<Body>
  answer: Answer<Value, Data>
  /** Errors that do not follow from access, query and body, and that not every endpoint can give. */
  errors?: readonly ErrorCode[]
  /** The handler writes little else than what it answers: when time runs out, it may have written. */
  writes?: true
  /** Middlewares of this endpoint alone; they run before access is checked. */
  before?: readonly MiddlewareHandler<AppEnv>[]
}

/** What a handler is given: all of it has been checked. */
export interface Call<Query, Body, Params> {
  c: AppContext
  query: Query
  body: Body
  params: Params
  /** When the request reached the handler. */
  now: Date
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined

/** One endpoint: its route, its description and its types are made from this object. */
export interface Endpoint extends Definition {
  register(app: Hono<AppEnv>): void
}

/** What a client has to know about an endpoint; for the types only, never there. */
export interface EndpointTypes<M extends Method, Path extends string, Query, Body, Data> {
  readonly types?: { method: M; path: Path; query: Query; body: Body; data: Data }
}

/** An endpoint with its types. Apart from `Endpoint`, so that a list of all of them is cheap to check. */
export type TypedEndpoint<
  M extends Method,
  Path extends string,
  Query extends z.ZodType | undefined,
  Body,
  Data,
> = Endpoint & EndpointTypes<M, Path, Query extends z.ZodType ? z.input<Query> : undefined, Body, Data>

/** The path as Hono writes it; without its trailing slash, which Hono takes off the paths of requests. */
const routeOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/(.)\/$/, '$1')

const endpoints = new WeakMap<MiddlewareHandler<AppEnv>, Endpoint>()

/**
 * Defines an endpoint.
 *
 * The request is checked in the order of `docs/contract.md#requests`: size (before), access, query, body. The handler
 * returns what its `answer` sends.
 */
export function endpoint<
  const M extends Method,
  const Path extends string,
  Query extends z.ZodType | undefined,
  Body,
  Value,
  Data,
>(
  definition: Definition<M, Path, Query, Body, Value, Data>,
  handler: (call: Call<Output<Query>, Body, PathParameters<Path>>) => Promise<Value> | Value,
): TypedEndpoint<M, Path, Query, Body, Data> {
  const { method, path, access, query, body, answer, writes, before = [] } = definition
  const mark: MiddlewareHandler<AppEnv> = async (c, next) => {
    c.set('endpoint', defined)
    await next()
  }
  const run = async (c: AppContext): Promise<Response> => {
    const call = {
      c,
      query: (query === undefined ? undefined : c.req.valid('query' as never)) as Output<Query>,
      body: (await body?.read(c)) as Body,
      params: c.req.param() as PathParameters<Path>,
      now: new Date(),
    }
    const work = async () => handler(call)
    return answer.send(c, await (writes ? c.var.deadline.whileWriting(work) : work()))
  }
  const defined: Endpoint = {
    ...(definition as unknown as Definition),
    register(app) {
      const checks = [...access.middlewares, ...strictQuery(query, definition.unknownParameters)]
      app.on(method.toUpperCase(), [routeOf(path)], mark, ...before, ...checks, run)
    },
  }
  endpoints.set(mark, defined)
  return defined
}

/**
 * The endpoint that a request of this method and path reaches.
 *
 * @returns undefined where there is none
 */
export function findEndpoint(app: Hono<AppEnv>, method: string, path: string): Endpoint | undefined {
  for (const [[handler]] of app.router.match(method, path)[0]) {
    const found = endpoints.get(handler as MiddlewareHandler<AppEnv>)
    if (found !== undefined) return found
  }
  return undefined
}
