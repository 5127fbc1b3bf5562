import type { Endpoints, FileInput } from '#client/endpoints'

export type { FileInput }

/**
 * The types of the client's requests. `#client/endpoints` contains the types of the endpoints, generated from the API
 * description: `npm run typecheck` writes them to `dist/types`, and the build writes them to the package.
 */

export type Method = keyof Endpoints

type Endpoint<M extends Method, Path extends string> = Path extends keyof Endpoints[M] ? Endpoints[M][Path] : never

type EndpointOptions<M extends Method, Path extends string> =
  Endpoint<M, Path> extends { options: infer Options } ? Options : never

export interface CommonOptions {
  /** Cancels the request, and the wait between its attempts. */
  signal?: AbortSignal | undefined
  /** Overrides the client's `exact` option. */
  exact?: boolean | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** Called with numbers of bytes while a file is sent. */
export type OnProgress = (sent: number, total: number) => void

export interface UploadOptions {
  /** For pages: only browsers report upload progress. */
  onProgress?: OnProgress | undefined
  /** Compresses a file before sending it. `done`: the file is a CSV file that is already compressed. */
  gzip?: boolean | 'done' | undefined
  /** The number of records in the file. A response that counts a different number is rejected. */
  records?: number | undefined
}

type OptionsOf<M extends Method, Path extends string> = CommonOptions &
  EndpointOptions<M, Path> &
  (FileInput extends Body<M, Path> ? UploadOptions : unknown)

/** The last parameter of a request. Optional if nothing in it is required. */
export type Arguments<M extends Method, Path extends string> =
  Record<never, never> extends OptionsOf<M, Path> ? [options?: OptionsOf<M, Path>] : [options: OptionsOf<M, Path>]

type PathsWith<M extends Method, Answer> = {
  [Path in keyof Endpoints[M]]: Endpoints[M][Path] extends Answer ? Path : never
}[keyof Endpoints[M]] &
  string

/** Paths that return JSON. Redirects are excluded, because they are only for browsers. */
export type JsonPath<M extends Method> = PathsWith<M, { data: unknown }>

/** Paths that return a file, always or on request. */
export type FilePath<M extends Method> = PathsWith<M, { file: true }>

/** The result of a successful request: `data` of the response, or the whole response if it has no envelope. */
export type Data<M extends Method, Path extends string> =
  Endpoint<M, Path> extends { data: infer Value } ? Value : never

export type Query<M extends Method, Path extends string> =
  EndpointOptions<M, Path> extends { query?: infer Value } ? NonNullable<Value> : never

export type Body<M extends Method, Path extends string> =
  EndpointOptions<M, Path> extends { body?: infer Value } ? Value : never

/** The path to read and write the records of a catalog. */
export const DATASETS = '/admin/datasets/v1/'

/** A record in a request. */
export type SentRecord = Extract<Body<'post', typeof DATASETS>, readonly unknown[]>[number]

/** A record whose type is only known at run time. The service checks its fields. */
export const sentRecord = (fields: Readonly<Record<string, unknown>>): SentRecord => fields as SentRecord
