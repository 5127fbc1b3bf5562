import type * as z from 'zod'
import type { AppContext } from '#worker/http/context'
import { parseMembers, requireJson, validBody } from '#worker/http/endpoint/validation'
import { readBody } from './body'

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
  async read(c) {
    requireJson(c)
    return validBody(schema, parseMembers(await readBody(c)))
  },
})

/**
 * A small JSON body that may be missing. It then counts as `{}`, with or without a Content-Type. A body without a
 * Content-Type is refused, so that nothing that a caller sends is ignored.
 */
export const optionalJson = <S extends z.ZodType>(schema: S): RequestBody<z.output<S>> => ({
  ...json(schema),
  required: false,
  async read(c) {
    const bytes = await readBody(c)
    if (bytes.length === 0) return validBody(schema, {})
    requireJson(c)
    return validBody(schema, parseMembers(bytes))
  },
})
