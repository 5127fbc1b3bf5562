import * as z from 'zod'
import type { FieldErrorCode } from '#shared/errors/schemas'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_QUERY_LENGTH } from '#shared/limits'
import { RECORD_TYPES } from '#shared/records/record-type'
import type { AppContext } from '#worker/http/context'

/** Schemas of values that several endpoints share. Values out of bounds are rejected, never adjusted. */

/** The message for a missing or invalid value in a body. */
export const required = (wrong: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? 'is required' : wrong),
})

export const text = () => z.string(required('must be a string'))

/** For `refine`: a text of at most this many code points. */
export const atMost = (most: number, error = `must be at most ${most} characters`) =>
  [(value: string) => [...value].length <= most, { error, params: { code: 'too_long', limit: most } }] as const

export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

/** The checks of an integer, and its description. @param code error code for a value that is not an integer */
function whole(min: number, max: number, isWhole: (value: unknown) => boolean, code: FieldErrorCode) {
  const error = `must be a whole number from ${min} to ${max}`
  const checked = z
    .unknown()
    .refine((value) => value !== undefined, { error: 'is required', params: { code: 'required' }, abort: true })
    .refine(isWhole, { error, params: { code, min, max }, abort: true })
  const within = [(value: number) => value >= min && value <= max, { error, params: { min, max } }] as const
  return { checked, within, meta: { type: 'integer', minimum: min, maximum: max } as const }
}

export function wholeMember(min: number, max: number) {
  const { checked, within, meta } = whole(min, max, Number.isSafeInteger, 'wrong_type')
  return checked.pipe(z.number().refine(...within)).meta(meta)
}

const DIGITS = /^(?:\d+|-[1-9]\d*)$/

/** A parameter that is an integer within bounds, in decimal digits. */
export function wholeNumber(min: number, max: number, description: string) {
  const isWhole = (value: unknown) => typeof value === 'string' && DIGITS.test(value)
  const { checked, within, meta } = whole(min, max, isWhole, 'malformed')
  return checked
    .transform(Number)
    .refine(...within)
    .meta({ description, ...meta })
}

export const countSchema = z.int().nonnegative()

export const timestampSchema = z.iso.datetime({ precision: 3 })

export const deletedSchema = z.strictObject({ deleted: z.literal(true) })

/** A path parameter, if the path is composed at run time. @throws Error if the path does not contain it */
export function pathParameter(c: AppContext, name: string): string {
  const value = c.req.param(name)
  if (value === undefined) throw new Error(`the path has no parameter ${name}`)
  return value
}

export const flag = (description: string) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((value) => value === 'true')
    .meta({ description })

export const typeParameterSchema = oneOf(RECORD_TYPES).meta({ description: 'The record type of the catalog.' })

export const limitSchema = wholeNumber(1, MAX_PAGE_SIZE, 'Page size.').default(DEFAULT_PAGE_SIZE)
export const offsetSchema = wholeNumber(0, Number.MAX_SAFE_INTEGER, 'Items to skip.').default(0)

const timeError = { error: 'must be an ISO 8601 date or time, for example 2026-11-20T18:00:00.000Z' }

/** A date, or a date and a time with optional seconds and offset. Without an offset, the time is UTC. */
export const timeSchema = z
  .string(timeError)
  // A plus sign without percent-encoding arrives as a space.
  .transform((text) => text.replace(/ (?=\d\d:?\d\d$)/, '+').replace(/(T\d\d:\d\d)(?=Z|[+-])/, '$1:00'))
  .pipe(z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], timeError))
  .transform((text) => Date.parse(/T.*(?:Z|[+-]\d\d:?\d\d)$|^[^T]*$/i.test(text) ? text : `${text}Z`))

const MAX_NAME_LENGTH = 200

export const nameTextSchema = text()
  .refine((value) => value.trim() !== '', { error: 'is required', abort: true, params: { code: 'required' } })
  .refine(...atMost(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`))
  .refine((value) => !value.includes('\0') && value.isWellFormed(), {
    error: 'must be valid Unicode without U+0000',
    params: { code: 'malformed' },
  })
  .meta({ description: 'A name for people.', minLength: 1, maxLength: MAX_NAME_LENGTH })

export const searchTextSchema = z
  .string(required('must be a string'))
  .refine(...atMost(MAX_QUERY_LENGTH))
  // No record contains this character, and the full-text index would treat it as the end of the query.
  .refine((text) => !text.includes('\0'), {
    error: 'must not contain the character U+0000',
    params: { code: 'malformed' },
  })

export const freeTextSchema = searchTextSchema.default('')

export const typeQuerySchema = z.object({ type: typeParameterSchema })

export const pageQuerySchema = z.object({ type: typeParameterSchema, limit: limitSchema, offset: offsetSchema })

/** For descriptions of reads from the nearest replica (docs/contract.md#read-replicas). */
export const bookmarkHeaderSchema = z.object({
  'X-D1-Bookmark': z
    .string()
    .optional()
    .meta({
      description:
        'The `X-D1-Bookmark` of an earlier response. This response is then never older than that one. An ' +
        'unknown value reads from the primary database.',
    }),
})

const epochError = { error: 'must be the epoch of a response' }

export const epochParameter = (description: string) =>
  z
    .string(epochError)
    .regex(/^[0-9a-f-]{1,36}$/, epochError)
    .optional()
    .meta({ description })

/** Paged lists (docs/contract.md#pages): the query and the response of `storage/list-page.ts`. */

export const listQuerySchema = z.object({ limit: limitSchema, offset: offsetSchema })

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    count: countSchema,
    total: countSchema,
    limit: countSchema,
    offset: countSchema,
    has_more: z.boolean(),
  })
