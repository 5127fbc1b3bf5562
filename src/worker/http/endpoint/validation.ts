import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler } from 'hono'
import * as z from 'zod'
import { shorten } from '#shared/errors/echoed-value'
import {
  ApiError,
  type ErrorNumbers,
  type FieldError,
  fieldError,
  invalidField,
  sentenceOf,
} from '#shared/errors/errors'
import { isSameToTheEye, nearestName } from '#shared/errors/nearest-name'
import { errorNumbersSchema, FIELD_ERROR_CODES, type FieldErrorCode } from '#shared/errors/schemas'
import { decodedJson, invalidJson } from '#shared/json/error'
import { isJsonObject } from '#shared/json/exact-numbers'
import { repeatedMember } from '#shared/json/object'
import { requireLimits } from '#shared/json/shape'
import { lenientUtf8 } from '#shared/text/utf8'
import type { AppContext, AppEnv } from '#worker/http/context'

/** Limits for other JSON bodies: small objects. One of them contains a file as text. */
const SMALL_JSON_LIMITS = { depth: 32, containers: 1000, values: 5000 } as const

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

type Issue = z.core.$ZodIssue

const isFieldErrorCode = (code: unknown): code is FieldErrorCode =>
  typeof code === 'string' && Object.hasOwn(FIELD_ERROR_CODES, code)

/** Our own checks set their code in `params`: `refine(…, { error, params: { code: 'too_long' } })`. */
const codeOfCheck = (params: Record<string, unknown> | undefined): FieldErrorCode =>
  isFieldErrorCode(params?.code) ? params.code : 'not_allowed'

const SIZE_CODES: Readonly<Record<string, FieldErrorCode>> = { string: 'too_long', array: 'too_many' }

function codeOfIssue(issue: Issue, value: unknown): FieldErrorCode {
  switch (issue.code) {
    case 'custom':
      return codeOfCheck(issue.params)
    case 'invalid_type':
    case 'invalid_value':
      if (value === undefined) return 'required'
      return issue.code === 'invalid_type' ? 'wrong_type' : 'not_allowed'
    case 'too_big':
      return SIZE_CODES[issue.origin] ?? 'not_allowed'
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1 ? 'required' : 'not_allowed'
    case 'invalid_format':
    case 'invalid_union':
      return 'malformed'
    default:
      return 'not_allowed'
  }
}

/** The numbers in the message of an issue: from `params` for our own checks, otherwise from Zod's issue. */
function numbersOf(issue: Issue): ErrorNumbers | undefined {
  if (issue.code === 'custom') return errorNumbersSchema.parse(issue.params ?? {})
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return undefined
  const bound = Number(issue.code === 'too_big' ? issue.maximum : issue.minimum)
  if (!issue.message.includes(String(bound))) return undefined
  if (issue.code === 'too_small') return { min: bound }
  return issue.origin in SIZE_CODES ? { limit: bound } : { max: bound }
}

function unknownName(
  name: string,
  value: unknown,
  knownNames: readonly string[],
  what: 'parameter of this endpoint' | 'property of this body',
  nearest = nearestName(name, knownNames),
): FieldError {
  const offer = knownNames.length === 0 ? 'there are none' : `there are: ${knownNames.join(', ')}`
  const msg = `is not a ${what}; ${nearest === undefined ? offer : `did you mean ${nearest}?`}`
  return fieldError(null, shorten(name), 'unknown_parameter', msg, value)
}

/** A zod error as field errors that are not about a record. @param knownNames the properties of a body */
function fieldErrors(error: z.core.$ZodError, input: unknown, knownNames: readonly string[]): FieldError[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) =>
        unknownName(key, valueAt(input, [...issue.path, key]), knownNames, 'property of this body'),
      )
    const value = valueAt(input, issue.path)
    const code = codeOfIssue(issue, value)
    if (issue.path.length > 0)
      return fieldError(null, issue.path.join('.'), code, issue.message, value, numbersOf(issue))
    const msg = issue.code === 'invalid_type' ? 'must be a JSON object' : issue.message
    return fieldError(null, null, code, msg, value)
  })
}

/** @throws ApiError 400 with all errors; the message shows the first */
function refuse(errors: readonly FieldError[], what: string): void {
  const [first] = errors
  if (!first) return
  const message = first.field === null ? `${what} ${first.msg}` : sentenceOf(first)
  throw new ApiError('invalid_request', message, { errors })
}

/** Hono omits it from the parameters. */
const NAMELESS = fieldError(null, null, 'unknown_parameter', 'has a parameter without a name')

export type MeantParameter = (name: string) => string | undefined

/** The errors for unknown parameters (docs/contract.md#query-parameters). */
function unknownErrors(c: Context, knownNames: readonly string[], meantBy?: MeantParameter): FieldError[] {
  const query = new URL(c.req.url).searchParams
  const unknown = [...new Set(query.keys())].filter((name) => !knownNames.includes(name))
  return unknown.flatMap((name) => {
    const values = query.getAll(name)
    const value = values.length > 1 ? values : values[0]
    const meant = meantBy?.(name)
    if (meantBy !== undefined && meant === undefined) return []
    return name === '' ? NAMELESS : unknownName(name, value, knownNames, 'parameter of this endpoint', meant)
  })
}

/** Whether an issue is about a repeatable parameter: about one of its values, or their number. */
const isAboutList = (issue: Issue): boolean =>
  issue.path.length > 1 || (issue.code === 'too_big' && issue.origin === 'array')

/** Repeated parameters reach the schema as lists. Errors name a repeatable parameter without the list index. */
function valueErrors(c: Context, error: z.core.$ZodError): FieldError[] {
  const lists = new Set(error.issues.filter(isAboutList).map(({ path }) => path[0]))
  const valuesByName = c.req.queries()
  const input = Object.fromEntries(
    Object.entries(valuesByName).map(([name, values]) => [name, lists.has(name) ? values : values[0]]),
  )
  return fieldErrors(error, input, []).map((each) => {
    const field = each.field?.split('.')[0] ?? null
    const values = valuesByName[field ?? ''] ?? []
    if (lists.has(field ?? '') || values.length < 2) return { ...each, field }
    const msg = `must be sent at most once, and ${each.msg}`
    return fieldError(null, field, 'repeated_parameter', msg, values, errorNumbersSchema.parse(each))
  })
}

const namesOf = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []

/**
 * Rejects properties of a body that mean parameters of the endpoint (docs/contract.md#query-parameters).
 *
 * @param meantBy finds further names that mean a parameter
 * @throws ApiError 400 with one error for each
 */
export function refuseParameters(
  c: AppContext,
  properties: readonly [name: string, value: unknown][],
  meantBy?: MeantParameter,
): void {
  const parameters = namesOf(c.var.endpoint?.query)
  const errors = properties.flatMap(([name, value]) => {
    const parameter = meantBy?.(name) ?? parameters.find((known) => isSameToTheEye(known, name))
    if (parameter === undefined) return []
    const msg = `belongs in the URL, as the parameter ${parameter}; in the body it has no effect`
    return fieldError(null, shorten(name), 'unknown_parameter', msg, value)
  })
  refuse(errors, 'The body')
}

/** Checks a query. @param meantBy if given, only unknown names that mean a parameter are rejected */
export function strictQuery(schema: z.ZodType = z.object({}), meantBy?: MeantParameter): MiddlewareHandler<AppEnv> {
  const known = namesOf(schema)
  return zValidator('query', schema, (result, c) => {
    const ofValues = result.success ? [] : valueErrors(c, result.error)
    refuse([...ofValues, ...unknownErrors(c, known, meantBy)], 'The query')
  }) as unknown as MiddlewareHandler<AppEnv>
}

/** Parses a small JSON object in UTF-8, with or without a byte order mark. @throws ApiError 400 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodedJson(bytes)
  requireLimits(bytes, SMALL_JSON_LIMITS)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalidJson(error)
  }
}

/** Like `parseJson`, for the body of an endpoint. @throws ApiError 400 also for duplicate properties */
export function parseMembers(bytes: Uint8Array): unknown {
  const value = parseJson(bytes)
  const repeated = isJsonObject(value) ? repeatedMember(lenientUtf8.decode(bytes)) : undefined
  if (repeated !== undefined) throw sentTwice(repeated)
  return value
}

export const sentTwice = (name: string): ApiError =>
  invalidField(name, 'repeated_parameter', 'must be sent at most once')

export const isJson = (contentType: string | undefined): boolean =>
  /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')

export function requireJson(c: AppContext): void {
  if (isJson(c.req.header('Content-Type'))) return
  throw new ApiError('unsupported_media_type', 'The Content-Type must be application/json.')
}

/** Checks the values of a body. @throws ApiError 400 with every failing field */
export function validBody<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input)
  if (!result.success) refuse(fieldErrors(result.error, input, namesOf(schema)), 'The body')
  return result.data as z.output<S>
}
