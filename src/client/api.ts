import type * as z from 'zod'
import type { endpoints } from '#endpoints'
import type { Endpoint, Method, PathParameters } from '#http/endpoint'
import type { FileInput } from '#http/request-body'

export type { FileInput, Method }

/**
 * The types of the client's calls, made from the endpoints of the service. The only file of the client that imports from
 * the floors above `records`, and it imports types alone: nothing of the Worker reaches a client.
 */

type AnyEndpoint = (typeof endpoints)[number]

interface Description {
  method: Method
  path: string
  params: unknown
  query: unknown
  body: unknown
  data: unknown
}

type Described<E> =
  E extends Endpoint<infer M, infer Path, infer Query, infer _Body, infer Data, infer Input>
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
type Api = { [E in AnyEndpoint as `${E['method']} ${E['path']}`]: Described<E> }

type Call<M extends Method, Path extends string> = `${M} ${Path}` extends keyof Api
  ? Api[`${M} ${Path}`]
  : never

type Inner<S> = S extends z.ZodDefault<infer I> | z.ZodOptional<infer I> ? Inner<I> : S

/** What a parameter may be given as, besides the text that is sent. */
type Convenient<S> =
  Inner<S> extends z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>
    ? number
    : Inner<S> extends z.ZodPipe<z.ZodEnum, z.ZodTransform<boolean, string>>
      ? boolean
      : number extends z.output<Inner<S>>
        ? Date
        : never

/** The parameters of a query: numbers where digits are sent, booleans for `true` and `false`, dates for times. */
type QueryInput<S extends z.ZodType> = {
  [K in keyof z.input<S>]:
    | z.input<S>[K]
    | (S extends z.ZodObject<infer Shape> ? Convenient<Shape[K & keyof Shape]> : never)
} extends infer Q
  ? { [K in keyof Q]: undefined extends Q[K] ? Q[K] | undefined : Q[K] }
  : never

type Nothing = Record<never, never>

/** A member of the options: required unless it can be left out. */
type Part<Name extends string, Value, MayBeEmpty> = [Value] extends [undefined]
  ? { [K in Name]?: never }
  : undefined extends Value
    ? { [K in Name]?: Value }
    : MayBeEmpty extends true
      ? Nothing extends Value
        ? { [K in Name]?: Value }
        : { [K in Name]: Value }
      : { [K in Name]: Value }

/** What every call takes. */
export interface CommonOptions {
  /** Ends the call, and the waiting between its attempts. */
  signal?: AbortSignal | undefined
  /** Numbers in `refid` keep the text in which they are written, so that a record can be sent back unharmed. */
  exact?: boolean
  headers?: Readonly<Record<string, string>>
}

/** Called as a file leaves. @param total undefined for a stream, whose size is not known */
export type OnProgress = (sent: number, total: number | undefined) => void

type UploadOptions<Body> =
  Extract<Body, FileInput> extends never ? Nothing : { onProgress?: OnProgress | undefined }

type OptionsOf<D extends Description> = CommonOptions &
  Part<'params', D['params'], false> &
  Part<'query', D['query'], true> &
  Part<'body', D['body'], false> &
  UploadOptions<D['body']>

/** The last parameter of a call; left out where nothing is required. */
export type Arguments<M extends Method, Path extends string> =
  Nothing extends OptionsOf<Call<M, Path>>
    ? [options?: OptionsOf<Call<M, Path>>]
    : [options: OptionsOf<Call<M, Path>>]

type DataOf<D extends Description> = Exclude<D['data'], Blob>

type Each = Api[keyof Api]
type Of<M extends Method> = Extract<Each, { method: M }>

/** Paths that answer JSON; redirects, for browsers alone, are not among them. */
export type JsonPath<M extends Method> = {
  [D in Of<M> as D['path']]: [DataOf<D>] extends [never] ? never : D['path']
} extends infer P
  ? P[keyof P] & string
  : never

/** Paths that answer a file, or do when they are asked. */
export type FilePath<M extends Method> = {
  [D in Of<M> as D['path']]: Blob extends D['data'] ? D['path'] : never
} extends infer P
  ? P[keyof P] & string
  : never

/** What a successful call comes to: `data` of the answer, or the whole of an answer without an envelope. */
export type Data<M extends Method, Path extends string> = DataOf<Call<M, Path>>

/** What a call sends as its query. */
export type Query<M extends Method, Path extends string> = NonNullable<Call<M, Path>['query']>
