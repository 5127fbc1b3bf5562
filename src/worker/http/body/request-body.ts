import type * as z from 'zod'
import { ApiError, asError } from '#shared/errors/errors'
import { isJsonObject } from '#shared/json/exact-numbers'
import { MAX_SMALL_BODY_BYTES } from '#shared/limits'
import type { AppContext } from '#worker/http/context'
import { parseJson, parseMembers, refuseParameters, requireJson, validBody } from '#worker/http/endpoint/validation'
import { readBody } from './body'

/** The body of an endpoint: its description, and how to read it. */
export interface RequestBody<Output = unknown> {
  content: Readonly<Record<string, z.ZodType>>
  required: boolean
  /** Whether it is a small JSON object, which needs little memory. */
  small: boolean
  read(c: AppContext): Promise<Output>
}

function validMembers<S extends z.ZodType>(c: AppContext, schema: S, bytes: Uint8Array): z.output<S> {
  const value = parseMembers(bytes)
  if (isJsonObject(value)) refuseParameters(c, Object.entries(value))
  return validBody(schema, value)
}

export const json = <S extends z.ZodType>(schema: S): RequestBody<z.output<S>> => ({
  content: { 'application/json': schema },
  required: true,
  small: true,
  async read(c) {
    requireJson(c)
    return validMembers(c, schema, await readBody(c))
  },
})

/** An optional small JSON body. If absent, it counts as `{}`. A body without a Content-Type is rejected. */
export const optionalJson = <S extends z.ZodType>(schema: S): RequestBody<z.output<S>> => ({
  ...json(schema),
  required: false,
  async read(c) {
    const bytes = await readBody(c)
    if (bytes.length === 0) return validBody(schema, {})
    requireJson(c)
    return validMembers(c, schema, bytes)
  },
})

const noBodyTaken = (cause?: Error): ApiError =>
  new ApiError(
    'invalid_request',
    'This endpoint accepts no body. Nothing was changed. Send no body, and put parameters in the URL.',
    { cause },
  )

/**
 * Rejects a body for an endpoint that accepts none, except for an empty one, `{}` and `null`.
 *
 * @throws ApiError 400, 413
 */
export async function requireNoBody(c: AppContext): Promise<void> {
  if (c.req.raw.body === null) return
  const bytes = await readBody(c)
  if (bytes.byteLength === 0) return
  if (bytes.byteLength > MAX_SMALL_BODY_BYTES) throw noBodyTaken()
  let value: unknown
  try {
    value = parseJson(bytes)
  } catch (error) {
    throw noBodyTaken(asError(error))
  }
  if (value === null) return
  if (!isJsonObject(value)) throw noBodyTaken()
  const properties = Object.entries(value)
  refuseParameters(c, properties)
  if (properties.length > 0) throw noBodyTaken()
}
