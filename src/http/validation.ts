import { zValidator } from '@hono/zod-validator'
import type * as z from 'zod'
import { ApiError, type FieldError } from '#errors'
import { readBody } from './body'
import type { AppContext } from './context'
import { jsonErrorPlace } from './json-error'

/** The value that a path of an issue leads to. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return value ?? null
}

/** A zod error as the specification's field errors; `index` is null because it is not about a record. */
export function fieldErrors(error: z.core.$ZodError, input: unknown): FieldError[] {
  return error.issues.map((issue) => ({
    index: null,
    field: issue.path.length === 0 ? null : issue.path.join('.'),
    msg: issue.message,
    value: valueAt(input, issue.path),
  }))
}

/** The 400 for an input that a schema refuses: one sentence, and every failing field. */
export function refusal(error: z.core.$ZodError, input: unknown, what: string): ApiError {
  const errors = fieldErrors(error, input)
  const first = errors[0]!
  return new ApiError(
    'invalid_request',
    first.field === null ? `${what}: ${first.msg}` : `${first.field} ${first.msg}`,
    {
      errors,
    },
  )
}

/**
 * Checks the query. A repeated parameter reaches the schema as a list and is refused by it; one that the schema does
 * not name is ignored.
 */
export const validQuery = <S extends z.ZodType>(schema: S) =>
  zValidator('query', schema, (result, c) => {
    if (!result.success) throw refusal(result.error, c.req.query(), 'The query')
  })

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * JSON from bytes: UTF-8, with or without a byte order mark.
 *
 * @param parse what makes a value of the text; throws as `JSON.parse` does
 * @throws ApiError 400 naming the line and column of the fault
 */
export function parseJson(bytes: Uint8Array, parse: (text: string) => unknown = JSON.parse): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new ApiError('invalid_request', 'The body is not valid UTF-8.')
  }
  if (text.trim() === '') throw new ApiError('invalid_request', 'The body is empty; JSON is expected.')
  try {
    return parse(text)
  } catch (error) {
    throw new ApiError('invalid_request', `The body is not valid JSON${jsonErrorPlace(error, text)}.`)
  }
}

const isJson = (contentType: string | undefined): boolean =>
  /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')

/** @throws ApiError 415 when the Content-Type is not JSON */
export function requireJson(c: AppContext): void {
  if (isJson(c.req.header('Content-Type'))) return
  throw new ApiError('unsupported_media_type', 'The Content-Type must be application/json.')
}

/**
 * A small JSON body, checked by a schema.
 *
 * @throws ApiError 413, 415, 400 with every failing field
 */
export async function readJson<S extends z.ZodType>(c: AppContext, schema: S): Promise<z.output<S>> {
  requireJson(c)
  const input = parseJson(await readBody(c))
  const result = schema.safeParse(input)
  if (!result.success) throw refusal(result.error, input, 'The body')
  return result.data
}
