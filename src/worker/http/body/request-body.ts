import type * as z from 'zod'
import type { AppContext } from '#worker/http/context'
import { readJson, readOptionalJson } from '#worker/http/endpoint/validation'

/** The body of an endpoint: its description, and how it is read. */
export interface RequestBody<Output = unknown, Input = unknown> {
  /** Schemas by content type. */
  content: Readonly<Record<string, z.ZodType>>
  required: boolean
  /** Whether it is a small JSON object, which takes little memory. */
  small: boolean
  read(c: AppContext): Promise<Output>
  /** For the types only; never set. */
  readonly input?: Input
}

export interface FileInput {
  file: Blob | Uint8Array<ArrayBuffer>
  /** The service stores it with the upload. */
  fileName?: string
}

/** A small JSON body, checked by a schema. */
export const json = <S extends z.ZodType>(schema: S): RequestBody<z.output<S>, z.input<S>> => ({
  content: { 'application/json': schema },
  required: true,
  small: true,
  read: (c) => readJson(c, schema),
})

/** A small JSON body that may be missing. It then counts as `{}`. */
export const optionalJson = <S extends z.ZodType>(schema: S): RequestBody<z.output<S>, z.input<S> | undefined> => ({
  ...json(schema),
  required: false,
  read: (c) => readOptionalJson(c, schema),
})
