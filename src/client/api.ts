import type { Api, Description, FileInput, Method } from '#client/endpoints'

export type { FileInput, Method }

/**
 * The types of the client's calls. `#client/endpoints` has those of the endpoints. It is made from the API description:
 * `npm run typecheck` writes it below `dist/types`, and the build into the package.
 */

type Call<M extends Method, Path extends string> = `${M} ${Path}` extends keyof Api ? Api[`${M} ${Path}`] : never

type Nothing = Record<never, never>

/** One member of the options of a call, such as `query`. It may be left out if its value may. */
type RequestPart<Name extends string, Value, MayBeEmpty> = [Value] extends [undefined]
  ? { [K in Name]?: never }
  : undefined extends Value
    ? { [K in Name]?: Value }
    : MayBeEmpty extends true
      ? Nothing extends Value
        ? { [K in Name]?: Value }
        : { [K in Name]: Value }
      : { [K in Name]: Value }

export interface CommonOptions {
  /** Cancels the call, and the wait between its attempts. */
  signal?: AbortSignal | undefined
  /** Keeps the text of numbers in `refid`, so that a record can be sent back unchanged. */
  exact?: boolean
  headers?: Readonly<Record<string, string>>
}

/** Called while a file is sent, with bytes. */
export type OnProgress = (sent: number, total: number) => void

type UploadOptions<Body> =
  Extract<Body, FileInput> extends never
    ? Nothing
    : {
        onProgress?: OnProgress | undefined
        /** Compresses a file before it is sent. */
        gzip?: boolean
      }

type OptionsOf<D extends Description> = CommonOptions &
  RequestPart<'params', D['params'], false> &
  RequestPart<'query', D['query'], true> &
  RequestPart<'body', D['body'], false> &
  UploadOptions<D['body']>

/** The last parameter of a call. It may be left out when nothing is required. */
export type Arguments<M extends Method, Path extends string> =
  Nothing extends OptionsOf<Call<M, Path>> ? [options?: OptionsOf<Call<M, Path>>] : [options: OptionsOf<Call<M, Path>>]

type DataOf<D extends Description> = Exclude<D['data'], Blob>

type AnyCall = Api[keyof Api]
type CallsBy<M extends Method> = Extract<AnyCall, { method: M }>

/** Paths that answer JSON. Redirects are not among them, because they are for browsers only. */
export type JsonPath<M extends Method> = {
  [D in CallsBy<M> as D['path']]: [DataOf<D>] extends [never] ? never : D['path']
} extends infer P
  ? P[keyof P] & string
  : never

/** Paths that answer a file, always or on request. */
export type FilePath<M extends Method> = {
  [D in CallsBy<M> as D['path']]: Blob extends D['data'] ? D['path'] : never
} extends infer P
  ? P[keyof P] & string
  : never

/** The result of a successful call: `data` of the answer, or the whole answer if it has no envelope. */
export type Data<M extends Method, Path extends string> = DataOf<Call<M, Path>>

export type Query<M extends Method, Path extends string> = NonNullable<Call<M, Path>['query']>

export type Body<M extends Method, Path extends string> = Call<M, Path>['body']

/** Reads and writes the records of a catalog. */
export const DATASETS = '/admin/datasets/v1/'
