import type * as z from 'zod'
import type { ApiEndpoint } from '#worker/endpoints'
import type { Method, PathParameters } from '#worker/http/endpoint/endpoint'

export type { ErrorBody, ErrorCode, ErrorItem } from '#shared/errors/errors'
export type { FileInput } from '#worker/http/body/request-body'
export type { Method }

/**
 * What the endpoints of the service take and answer, as types. No other file of the client imports from the folders
 * above `records`. This one imports types only, so no code of the Worker reaches a client. In the package that others
 * install, a file that is made from the API description takes its place (`scripts/client/types.mjs`).
 */

type EndpointTypes = NonNullable<ApiEndpoint['types']>

/** One endpoint. */
export interface Description {
  method: Method
  path: string
  params: unknown
  query: unknown
  body: unknown
  data: unknown
}

type Described<T> = T extends {
  method: infer M extends Method
  path: infer Path extends string
  query: infer Query
  data: infer Data
  input: infer Input
}
  ? {
      method: M
      path: Path
      params: unknown extends PathParameters<Path> ? undefined : PathParameters<Path>
      query: Query extends z.ZodType ? QueryInput<Query> : undefined
      body: Input
      data: Data
    }
  : never

/** Every endpoint by its method and path: `get /admin/datasets/v1/`. */
export type Api = { [T in EndpointTypes as `${T['method']} ${T['path']}`]: Described<T> }

type Inner<S> = S extends z.ZodDefault<infer I> | z.ZodOptional<infer I> ? Inner<I> : S

/** Types that a parameter may have, besides the text that is sent. */
type Convenient<S> =
  Inner<S> extends z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>
    ? number
    : Inner<S> extends z.ZodPipe<z.ZodEnum, z.ZodTransform<boolean, string>>
      ? boolean
      : number extends z.output<Inner<S>>
        ? Date
        : never

/** The parameters of a query: numbers for digits, booleans for `true` and `false`, dates for times. */
type QueryInput<S extends z.ZodType> = {
  [K in keyof z.input<S>]:
    | z.input<S>[K]
    | (S extends z.ZodObject<infer Shape> ? Convenient<Shape[K & keyof Shape]> : never)
} extends infer Q
  ? { [K in keyof Q]: undefined extends Q[K] ? Q[K] | undefined : Q[K] }
  : never
