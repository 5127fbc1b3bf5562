import * as z from 'zod'
import { changeParameters, format, refuseDependents, safe } from '#catalog/read/queries'
import { epochParameter, limit, offset, wholeNumber } from '#http/endpoint/parameters'

export const writeChangesQuery = z.object({
  limit,
  offset,
  format: format.meta({ description: 'csv: all changes as a file; also by `Accept: text/csv`.' }),
  safe,
})

export const changesQuery = z.object({
  since_revision: wholeNumber(
    0,
    Number.MAX_SAFE_INTEGER,
    'Records whose last change came after this revision; 0: all.',
  ).default(0),
  epoch: epochParameter(
    'The `epoch` of the last answer: a catalog that went back to an earlier state answers `start_again`.',
  ),
  limit,
  cursor: z
    .string({ error: 'must be the cursor of the page before' })
    .regex(/^\d{1,16}\.\d{1,7}\.\d{1,11}(\.[0-9a-f-]{1,36})?$/, {
      error: 'must be the cursor of the page before',
    })
    .optional()
    .meta({ description: 'The `cursor` of the page before.' }),
})

export const restoreQuery = z
  .object({
    revision: wholeNumber(
      0,
      Number.MAX_SAFE_INTEGER,
      'The catalog becomes what it was after this revision; 0: empty.',
    ),
    ...changeParameters,
    max_shrink: changeParameters.max_shrink.meta({
      description: 'The share of the active records, in percent, that may be deactivated.',
    }),
    format: format.meta({
      description: 'With `include=diff`. csv: every change as a file; also by `Accept: text/csv`.',
    }),
  })
  .superRefine(refuseDependents)
