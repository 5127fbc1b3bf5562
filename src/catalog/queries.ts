import * as z from 'zod'
import { flag, freeText, limit, offset, time, typeParameter, wholeNumber } from '#http/parameters'
import { DEFAULT_MAX_SHRINK } from '#limits'
import { CHANGES } from '#records/change'

/** The query parameters of the dataset endpoints (specification, Endpoints; decisions, sections 3 and 4). */

const format = z.enum(['json', 'csv'], { error: 'must be json or csv' }).optional()

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
  max_shrink: wholeNumber(
    0,
    DEFAULT_MAX_SHRINK,
    'With `mode=reconcile`: the share of the active records, in percent, that may be deactivated.',
  ).optional(),
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
export const writeQuery = writeParameters.superRefine((query, context) => {
  const { mode, max_shrink, dry_run, include, format, change } = query
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  if (max_shrink !== undefined && mode !== 'reconcile') refuse('max_shrink', 'needs mode=reconcile')
  if (include !== undefined && dry_run !== true) refuse('include', 'needs dry_run=true')
  if (format !== undefined && include === undefined) refuse('format', 'needs include=diff')
  if (change !== undefined && format !== 'csv') refuse('change', 'needs format=csv')
})

export const searchStatusBody = z.object({
  enabled: z.boolean({ error: 'must be true or false' }),
})
