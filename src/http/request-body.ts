import type * as z from 'zod'
import type { AppContext } from './context'
import { readJson } from './validation'

/**
 * What an endpoint takes as its body: how it is described, and how it is read.
 *
 * `Output` is what the handler gets. `Input` is what a client sends.
 */
export interface RequestBody<Output = unknown, Input = unknown> {
  /** Schemas by content type. */
  content: Readonly<Record<string, z.ZodType>>
  required: boolean
  /** Whether it is a small JSON object, which takes little memory. */
  small: boolean
  read(c: AppContext): Promise<Output>
  /** Only for the types; never there. */
  readonly input?: Input
}

/** A file as a client gives it to be sent. */
export interface FileInput {
  /** A stream can be sent once only: such a request is never repeated. */
  file: Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  /** The service keeps it with the upload. */
  fileName?: string
}

/** A small JSON body, checked by a schema. */
export const json = <S extends z.ZodType>(schema: S): RequestBody<z.output<S>, z.input<S>> => ({
  content: { 'application/json': schema },
  required: true,
  small: true,
  read: (c) => readJson(c, schema),
})

/** A JSON body that may be left out, together with its Content-Type: then it is as if `{}` had been sent. */
export const optionalJson = <S extends z.ZodType>(
  schema: S,
): RequestBody<z.output<S>, z.input<S> | undefined> => ({
  ...json(schema),
  required: false,
  read: (c) => (c.req.header('Content-Type') === undefined ? schema.parseAsync({}) : readJson(c, schema)),
})
