import * as z from 'zod'
import { DEFAULT_MAX_SHRINK } from '#shared/limits'
import { CHANGES } from '#shared/records/change'
import { FIELD_FILTERS, type FieldFilterName, fieldFiltersIn } from '#shared/records/filters'
import { MAX_EXAMPLES } from '#shared/records/warnings'
import {
  epochParameter,
  flag,
  freeText,
  limit,
  offset,
  time,
  typeParameter,
  wholeNumber,
} from '#worker/http/endpoint/parameters'
import { oneOf } from '#worker/http/endpoint/values'

/** The query parameters of the dataset endpoints (docs/contract.md#reading, docs/contract.md#writing). */

export const format = z.enum(['json', 'csv'], { error: 'must be json or csv' }).optional()

const one = z.literal('1', { error: 'must be 1, or absent' }).optional()

export const safe = one.meta({
  description:
    "For CSV: cells that begin with `=`, `+`, `-`, `@`, a tab or CR get `'` in front, so that spreadsheet programs do " +
    'not run them as formulas. Such a file is for reading, not for uploading again.',
})

const refuseField = (context: z.RefinementCtx, field: string, message: string): void =>
  context.addIssue({ code: 'custom', path: [field], message, params: { code: 'conditional' } })

/**
 * Orders of a list; `-` is the other way round. Without one a list is newest first, `-updated_at`. `match` needs `q`.
 */
const SORTS = ['updated_at', '-updated_at', 'name', '-name', 'id', '-id', 'match'] as const

/** Where `q` is looked for. */
const MATCHES = ['names', 'all'] as const

const formIdError = {
  error: 'must be the form_id of an accepted drug form (see /admin/datasets/v1/drug-forms/)',
}

const fieldFilters = {
  form_id: z
    .string(formIdError)
    .refine((id) => FIELD_FILTERS.form_id.values.includes(id), formIdError)
    .optional()
    .meta({ description: 'Medications only: those of this accepted drug form.' }),
  linked: flag('Medications only: those that are linked to a drug form, or those that are not.').optional(),
  kind: oneOf(FIELD_FILTERS.kind.values)
    .optional()
    .meta({ description: 'Lab tests only: those of this kind.' }),
} satisfies Record<FieldFilterName, z.ZodType>

export const recordsQuery = z
  .object({
    type: typeParameter,
    q: freeText.meta({
      description:
        'Words that must all occur in name, display name or aliases; with `match=all` elsewhere too.',
    }),
    match: z
      .enum(MATCHES, { error: `must be ${MATCHES.join(' or ')}` })
      .optional()
      .meta({
        description:
          'Where the words of `q` may occur. `names`, the default: in name, display name or aliases. `all`: also ' +
          'in the id, in codes (`sku`, `generic_id`, `loinc`, `snomed_id`, `icd10`, `refid`), in the generic ' +
          'names, the strength and the manufacturer.',
      }),
    show_inactive: one.meta({ description: 'Include inactive records.' }),
    active: flag('Only active records, or only inactive ones; not with `show_inactive`.').optional(),
    ...fieldFilters,
    sort: oneOf(SORTS)
      .optional()
      .meta({
        description:
          'Order; `-` is the other way round. A list is newest first (`-updated_at`) unless it says otherwise, a ' +
          'CSV file in the order of the first writing. Names are compared as text search compares them. `match`: ' +
          'best match of `q` first; without `q` newest first.',
      }),
    limit,
    offset,
    updated_since: time
      .optional()
      .meta({ description: 'ISO 8601; only records changed later.', format: 'date-time' }),
    format: format.meta({
      description: 'csv: the whole matching catalog as a file; also by `Accept: text/csv`.',
    }),
    safe,
  })
  .superRefine((query, context) => {
    for (const name of fieldFiltersIn(query)) {
      const { types } = FIELD_FILTERS[name]
      if (!types.includes(query.type)) refuseField(context, name, `needs type=${types.join(' or ')}`)
    }
    if (query.active !== undefined && query.show_inactive !== undefined) {
      refuseField(context, 'active', 'cannot be sent with show_inactive')
    }
  })

/** The parameters that a write and a restore have in common. */
export const changeParameters = {
  dry_run: flag('Write nothing, report the counts.').optional(),
  confirm_shrink: flag('Overrides the shrink guard.').optional(),
  max_shrink: wholeNumber(
    0,
    DEFAULT_MAX_SHRINK,
    'The share of the active records, in percent, that may be deactivated. An upsert has no limit unless ' +
      'this is sent.',
  ).optional(),
  expected_revision: wholeNumber(
    0,
    Number.MAX_SAFE_INTEGER,
    'Write only if the catalog still has this revision.',
  ).optional(),
  expected_epoch: epochParameter(
    'Write only if the catalog still has this epoch, beside `expected_revision`.',
  ),
  include: z
    .literal('diff', { error: 'must be diff, or absent' })
    .optional()
    .meta({ description: 'With `dry_run=true`: report also which records would change, and how.' }),
  format,
  change: oneOf(CHANGES).optional().meta({ description: 'With `format=csv`: only changes of this kind.' }),
  safe,
}

export type ChangeQuery = z.output<z.ZodObject<typeof changeParameters>>

/** Refuses parameters that mean nothing without another parameter, so that nobody mistakes a write for a preview. */
export function refuseDependents(
  { dry_run, include, format, change }: ChangeQuery,
  context: z.RefinementCtx,
): void {
  if (include !== undefined && dry_run !== true) refuseField(context, 'include', 'needs dry_run=true')
  if (format !== undefined && include === undefined) refuseField(context, 'format', 'needs include=diff')
  if (change !== undefined && format !== 'csv') refuseField(context, 'change', 'needs format=csv')
}

const writeParameters = {
  ...changeParameters,
  format: format.meta({
    description:
      'With `include=diff`. csv: every change as a file, instead of the counts; also by `Accept: text/csv`.',
  }),
  keep_missing: flag(
    'A field that is not sent keeps its stored value: one without a column in a CSV file, or that a JSON ' +
      'record does not have.',
  ).optional(),
  max_emptied: wholeNumber(
    0,
    Number.MAX_SAFE_INTEGER,
    'Write only if no field would lose its value in more records than this. No limit unless it is sent.',
  ).optional(),
  allow_emptied: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    )
    .optional()
    .meta({
      description: 'With `max_emptied`: fields that may lose any number of values, separated by commas.',
    }),
  examples: wholeNumber(
    0,
    MAX_EXAMPLES,
    'Ids that the warning `similar_id` of a dry run lists in `examples`; 10 unless it is sent.',
  ).optional(),
}

export type WriteQuery = z.output<z.ZodObject<typeof writeParameters>>

export const writeQuery = z
  .object({
    type: typeParameter,
    mode: z.enum(['upsert', 'reconcile'], { error: 'must be upsert or reconcile' }).default('upsert').meta({
      description: 'reconcile: the request is the whole catalog; records that it leaves out are deactivated.',
    }),
    ...writeParameters,
    hold: flag(
      'true, with `dry_run=true`: the file waits for 24 hours and can be written without being sent again. ' +
        'false: the file of a reconcile that a guard stops does not wait.',
    ).optional(),
  })
  .superRefine((query, context) => {
    if (query.hold && query.dry_run !== true) refuseField(context, 'hold', 'needs dry_run=true')
    refuseDependents(query, context)
  })

/** That of a file that waits. Its upload has the mode. */
export const writeHeldQuery = z.object(writeParameters).superRefine(refuseDependents)

export const searchStatusBody = z.object({
  enabled: z.boolean({ error: 'must be true or false' }),
})
