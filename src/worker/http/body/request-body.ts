import type * as z from 'zod'
import type { AppContext } from '#worker/http/context'
import { readJson, readOptionalJson } from '#worker/http/endpoint/validation'

/** The body of an endpoint: its description, and how it is read. */
export interface RequestBody<Output = unknown> {
  /** Schemas by content type. */
  content: Readonly<Record<string, z.ZodType>>
  required: boolean
  /** Whether it is a small JSON object, which takes little memory. */
  small: boolean
  read(c: AppContext): Promise<Output>
}

/** A small JSON body, checked by a schema. */
export const json = <S extends z.ZodType>(schema: S): RequestBody<z.output<S>> => ({
  content: { 'application/json': schema },
  required: true,
  small: true,
  read: (c) => readJson(c, schema),
})

/** A small JSON body that may be missing. It then counts as `{}`. */
export const optionalJson = <S extends z.ZodType>(schema: S): RequestBody<z.output<S>> => ({
  ...json(schema),
  required: false,
  read: (c) => readOptionalJson(c, schema),
})
