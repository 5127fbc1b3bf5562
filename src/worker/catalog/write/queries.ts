import * as z from 'zod'
import { DEFAULT_MAX_SHRINK, MAX_EXAMPLES } from '#shared/limits'
import { CHANGES } from '#shared/records/change'
import { formatSchema, refuseField, safeSchema } from '#worker/catalog/parameters'
import { epochParameter, flag, oneOf, typeParameterSchema, wholeNumber } from '#worker/http/endpoint/values'
import type { ExpectedState } from './sql/state'

/** The query parameters of requests to write and to restore (docs/contract.md#writing). */

/** The parameters of both writes and restores. */
export const commitParameters = {
  dry_run: flag('Writes nothing, and returns the counts.').optional(),
  confirm_shrink: flag('Overrides the shrink guard.').optional(),
  max_shrink: wholeNumber(
    0,
    DEFAULT_MAX_SHRINK,
    'The percentage of the active records that may be deactivated. Without it, an upsert has no limit.',
  ).optional(),
  expected_revision: wholeNumber(
    0,
    Number.MAX_SAFE_INTEGER,
    'Write only if the catalog still has this revision.',
  ).optional(),
  expected_epoch: epochParameter(
    'Write only if the catalog still has this epoch. Send it together with ' + '`expected_revision`.',
  ),
  include: z
    .literal('diff', { error: 'must be diff, or absent' })
    .optional()
    .meta({ description: 'With `dry_run=true`: also returns which records would change, and how.' }),
  format: formatSchema.meta({
    description:
      'With `include=diff`: `csv` returns every change as a file, instead of the counts. `Accept: ' +
      'text/csv` does the same.',
  }),
  change: oneOf(CHANGES).optional().meta({ description: 'With `format=csv`: only changes of this kind.' }),
  safe: safeSchema,
}

/** The default values of parameters of writes and restores. */
export const COMMIT_DEFAULTS = { dry_run: false, confirm_shrink: false, max_shrink: DEFAULT_MAX_SHRINK }

export type CommitQuery = z.output<z.ZodObject<typeof commitParameters>>

/** Rejects parameters that have no meaning without another one, so that no one mistakes a write for a preview. */
export function refuseDependents({ dry_run, include, format, change }: CommitQuery, context: z.RefinementCtx): void {
  if (include !== undefined && dry_run !== true) refuseField(context, 'include', 'needs dry_run=true')
  if (format !== undefined && include === undefined) refuseField(context, 'format', 'needs include=diff')
  if (change !== undefined && format !== 'csv') refuseField(context, 'change', 'needs format=csv')
}

const writeParameters = {
  ...commitParameters,
  keep_missing: flag(
    'Whether fields that are not sent keep their stored values. By default, fields without a column in a CSV file ' +
      'keep them, and fields that a JSON record omits are cleared. With true, an upsert also keeps `is_active`.',
  ).optional(),
  max_emptied: wholeNumber(
    0,
    Number.MAX_SAFE_INTEGER,
    'Write only if no field would be cleared in more records than this. No limit unless it is sent.',
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
    .meta({ description: 'With `max_emptied`: fields that may lose any number of values, separated by commas.' }),
  examples: wholeNumber(
    0,
    MAX_EXAMPLES,
    'How many IDs the warnings `similar_id`, `renamed` and `reactivated` list in `examples`; 10 by default.',
  ).optional(),
}

export type WriteQuery = z.output<z.ZodObject<typeof writeParameters>>

export const writeQuerySchema = z
  .object({
    type: typeParameterSchema,
    mode: z.enum(['upsert', 'reconcile'], { error: 'must be upsert or reconcile' }).default('upsert').meta({
      description: 'reconcile: the request is the whole catalog; records that are missing from it are deactivated.',
    }),
    ...writeParameters,
    hold: flag(
      'true, with `dry_run=true`: the upload stays pending for 24 hours and can be approved without sending the ' +
        'file again. false: a reconcile that a guard blocks does not stay pending.',
    ).optional(),
  })
  .superRefine((query, context) => {
    if (query.hold && query.dry_run !== true) refuseField(context, 'hold', 'needs dry_run=true')
    refuseDependents(query, context)
  })

/** The query of an approval. The upload has the mode. */
export const writeHeldQuerySchema = z.object(writeParameters).superRefine(refuseDependents)

/** The limit of the shrink guard in percent; null if `confirm_shrink` overrides it, or for an upsert without one. */
export function maxShrinkOf({
  mode,
  confirm_shrink,
  max_shrink,
}: Pick<CommitQuery, 'confirm_shrink' | 'max_shrink'> & { mode?: 'upsert' | 'reconcile' }): number | null {
  if (confirm_shrink) return null
  // The guard applies to an upsert only on request.
  return max_shrink ?? (mode === 'upsert' ? null : DEFAULT_MAX_SHRINK)
}

export const expectedState = ({ expected_revision, expected_epoch }: CommitQuery): ExpectedState => ({
  expectedRevision: expected_revision ?? null,
  expectedEpoch: expected_epoch ?? null,
})
