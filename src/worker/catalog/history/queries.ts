import * as z from 'zod'
import { formatSchema, safeSchema } from '#worker/catalog/parameters'
import { changeParameters, refuseDependents } from '#worker/catalog/write/queries'
import {
  epochParameter,
  flag,
  limitSchema,
  listQuerySchema,
  offsetSchema,
  wholeNumber,
} from '#worker/http/endpoint/values'

export const writesQuerySchema = listQuerySchema.extend({
  include: z
    .literal('changes', { error: 'must be changes, or absent' })
    .optional()
    .meta({ description: 'Small writes also say what they changed.' }),
})

export const writeChangesQuerySchema = z.object({
  limit: limitSchema,
  offset: offsetSchema,
  format: formatSchema.meta({ description: 'csv: all changes as a file; also by `Accept: text/csv`.' }),
  safe: safeSchema,
})

export const changesQuerySchema = z.object({
  since_revision: wholeNumber(
    0,
    Number.MAX_SAFE_INTEGER,
    'Records whose last change came after this revision; 0: all.',
  ).default(0),
  epoch: epochParameter(
    'The `epoch` of the last answer: a catalog that went back to an earlier state answers `start_again`.',
  ),
  limit: limitSchema,
  cursor: z
    .string({ error: 'must be the cursor of the page before' })
    .regex(/^\d{1,16}\.\d{1,7}\.\d{1,11}\.[0-9a-f-]{1,36}$/, { error: 'must be the cursor of the page before' })
    .optional()
    .meta({ description: 'The `cursor` of the page before.' }),
})

const revision = (description: string) => wholeNumber(0, Number.MAX_SAFE_INTEGER, description)

const restoreParameters = {
  ...changeParameters,
  max_shrink: changeParameters.max_shrink.meta({
    description: 'The share of the active records, in percent, that may be deactivated.',
  }),
}

export const undoQuerySchema = z
  .object({
    ...restoreParameters,
    leave_changed: flag(
      'true: records that later writes changed stay as they are, and the others are taken back.',
    ).optional(),
  })
  .superRefine(refuseDependents)

export const restoreQuerySchema = z
  .object({
    revision: revision('The catalog becomes what it was after this revision; 0: empty.'),
    ...restoreParameters,
  })
  .superRefine(refuseDependents)
