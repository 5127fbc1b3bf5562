import * as z from 'zod'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_QUERY_LENGTH } from '#limits'
import { CHANGES } from '#records/change'
import { RECORD_TYPES } from '#records/record-type'

/** The query parameters of the dataset endpoints (specification, Endpoints; decisions, sections 3 and 4). */

const once = { error: 'must be given at most once' }

/** A whole number within bounds, in decimal digits. */
export const wholeNumber = (min: number, max: number, description: string) =>
  z
    .string(once)
    .regex(/^\d{1,15}$/, { error: `must be a whole number from ${min} to ${max}`, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .meta({ description, type: 'integer', minimum: min, maximum: max })

const flag = (description: string) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((value) => value === 'true')
    .meta({ description })

export const typeParameter = z
  .enum(RECORD_TYPES, { error: `must be one of ${RECORD_TYPES.join(', ')}` })
  .meta({ description: 'The catalog acted on.' })

const limit = wholeNumber(1, MAX_PAGE_SIZE, 'Page size.').default(DEFAULT_PAGE_SIZE)
const offset = wholeNumber(0, Number.MAX_SAFE_INTEGER, 'Items to skip.').default(0)

/** A date, or a date and a time with or without an offset; without one it is UTC. */
const time = z
  .string(once)
  // A plus sign that was not percent-encoded arrives as a space.
  .transform((text) => text.replace(/ (?=\d\d:?\d\d$)/, '+'))
  .pipe(
    z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
      error: 'must be an ISO 8601 date or time, for example 2026-11-20T18:00:00.000Z',
    }),
  )
  .transform((text) => Date.parse(/T.*(?:Z|[+-]\d\d:?\d\d)$|^[^T]*$/i.test(text) ? text : `${text}Z`))

/** Words to search for; blank means absent. */
export const freeText = z
  .string(once)
  .refine((text) => [...text].length <= MAX_QUERY_LENGTH, {
    error: `must be at most ${MAX_QUERY_LENGTH} characters`,
  })
  // No text holds it, and the full-text index would take it for the end of the query.
  .refine((text) => !text.includes('\0'), { error: 'must not contain the character U+0000' })
  .default('')

const format = z.enum(['json', 'csv'], { error: 'must be json or csv' }).optional()

export const typeQuery = z.object({ type: typeParameter })

export const pageQuery = z.object({ type: typeParameter, limit, offset })

export const listQuery = z.object({
  type: typeParameter,
  q: freeText.meta({ description: 'Words that must all occur in name, display name or aliases.' }),
  show_inactive: z
    .literal('1', { error: 'must be 1, or absent' })
    .optional()
    .meta({ description: 'Include inactive records.' }),
  limit,
  offset,
  updated_since: time.optional().meta({ description: 'ISO 8601; only records changed later.' }),
  format: format.meta({
    description: 'csv: the whole matching catalog as a file; also by `Accept: text/csv`.',
  }),
})

const writeParameters = z.object({
  type: typeParameter,
  mode: z
    .enum(['upsert', 'reconcile'], { error: 'must be upsert or reconcile' })
    .default('upsert')
    .meta({ description: 'reconcile: the request is the whole catalog, what it leaves out is deactivated.' }),
  dry_run: flag('Write nothing, report the counts.').optional(),
  confirm_shrink: flag('Overrides the shrink guard.').optional(),
  expected_revision: wholeNumber(
    0,
    Number.MAX_SAFE_INTEGER,
    'Write only if the catalog still has this revision.',
  ).optional(),
  include: z
    .literal('diff', { error: 'must be diff, or absent' })
    .optional()
    .meta({ description: 'With `dry_run=true`: report also which records would change, and how.' }),
  format: format.meta({
    description:
      'With `include=diff`. csv: every change as a file, in place of the counts; also by `Accept: text/csv`.',
  }),
  change: z
    .enum(CHANGES, { error: `must be one of ${CHANGES.join(', ')}` })
    .optional()
    .meta({ description: 'With `format=csv`: changes of this kind alone.' }),
})

/** Parameters that mean nothing without another are refused, so that nobody takes a write for a preview of it. */
export const writeQuery = writeParameters.superRefine(({ dry_run, include, format, change }, context) => {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  if (include !== undefined && dry_run !== true) refuse('include', 'needs dry_run=true')
  if (format !== undefined && include === undefined) refuse('format', 'needs include=diff')
  if (change !== undefined && format !== 'csv') refuse('change', 'needs format=csv')
})

export const searchStatusBody = z.object({
  enabled: z.boolean({ error: 'must be true or false' }),
})
