import * as z from 'zod'

/** Schemas of values that the bodies and the answers of several endpoints have. */

/** The message for a value of a body that is missing or wrong. */
export const required = (wrong: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? 'is required' : wrong),
})

export const text = () => z.string(required('must be a string'))

/** For `refine`: a text of at most so many code points. */
export const atMost = (most: number, error = `must be at most ${most} characters`) =>
  [(value: string) => [...value].length <= most, { error, params: { code: 'too_long', limit: most } }] as const

export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

/** A whole number within bounds, in a body. */
export function wholeMember(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .int(required(error))
    .refine((value) => value >= min && value <= max, { error, params: { min, max } })
    .meta({ type: 'integer', minimum: min, maximum: max })
}

export const countSchema = z.int().nonnegative()

/** A time in an answer, in UTC. */
export const timestampSchema = z.iso.datetime({ precision: 3 })

/** `data` of a deletion. */
export const deletedSchema = z.strictObject({ deleted: z.literal(true) })
