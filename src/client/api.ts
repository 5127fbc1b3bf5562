import type { Endpoints, FileInput } from '#client/endpoints'

export type { FileInput }

/**
 * The types of the client's calls. `#client/endpoints` has those of the endpoints. It is made from the API description:
 * `npm run typecheck` writes it below `dist/types`, and the build into the package.
 */

export type Method = keyof Endpoints

type Endpoint<M extends Method, Path extends string> = Path extends keyof Endpoints[M] ? Endpoints[M][Path] : never

type EndpointOptions<M extends Method, Path extends string> =
  Endpoint<M, Path> extends { options: infer Options } ? Options : never

export interface CommonOptions {
  /** Cancels the call, and the wait between its attempts. */
  signal?: AbortSignal | undefined
  /** Overrides `exact` of the client. */
  exact?: boolean | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** Called while a file is sent, with bytes. */
export type OnProgress = (sent: number, total: number) => void

export interface UploadOptions {
  /** For pages: only browsers tell how much is sent. */
  onProgress?: OnProgress | undefined
  /** Compresses a file before it is sent; `done`: it is a CSV file that is compressed already. */
  gzip?: boolean | 'done' | undefined
  /** How many records the file holds: an answer about another number is not believed. */
  records?: number | undefined
}

type OptionsOf<M extends Method, Path extends string> = CommonOptions &
  EndpointOptions<M, Path> &
  (FileInput extends Body<M, Path> ? UploadOptions : unknown)

/** The last parameter of a call. It may be left out when nothing is required. */
export type Arguments<M extends Method, Path extends string> =
  Record<never, never> extends OptionsOf<M, Path> ? [options?: OptionsOf<M, Path>] : [options: OptionsOf<M, Path>]

type PathsWith<M extends Method, Answer> = {
  [Path in keyof Endpoints[M]]: Endpoints[M][Path] extends Answer ? Path : never
}[keyof Endpoints[M]] &
  string

/** Paths that answer JSON. Redirects are not among them, because they are for browsers only. */
export type JsonPath<M extends Method> = PathsWith<M, { data: unknown }>

/** Paths that answer a file, always or on request. */
export type FilePath<M extends Method> = PathsWith<M, { file: true }>

/** The result of a successful call: `data` of the answer, or the whole answer if it has no envelope. */
export type Data<M extends Method, Path extends string> =
  Endpoint<M, Path> extends { data: infer Value } ? Value : never

export type Query<M extends Method, Path extends string> =
  EndpointOptions<M, Path> extends { query?: infer Value } ? NonNullable<Value> : never

export type Body<M extends Method, Path extends string> =
  EndpointOptions<M, Path> extends { body?: infer Value } ? Value : never

/** Reads and writes the records of a catalog. */
export const DATASETS = '/admin/datasets/v1/'

/** A record in a request. */
export type SentRecord = Extract<Body<'post', typeof DATASETS>, readonly unknown[]>[number]

/** A record whose type is known only when the program runs. The service checks its fields. */
export const sentRecord = (fields: Readonly<Record<string, unknown>>): SentRecord => fields as SentRecord
