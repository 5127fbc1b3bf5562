import * as z from 'zod'
import { LISTED_CHANGES } from '#shared/limits'
import { CHANGES } from '#shared/records/change'
import { anyOutputSchema } from '#shared/records/schema'
import { formatSchema, safeSchema } from '#worker/catalog/parameters'
import { diffEntrySchema, epochSchema, fieldsSchema, writeSchema } from '#worker/catalog/schemas'
import { commitParameters, refuseDependents } from '#worker/catalog/write/queries'
import {
  countSchema,
  epochParameter,
  flag,
  limitSchema,
  listQuerySchema,
  offsetSchema,
  pageOf,
  timestampSchema,
  wholeNumber,
} from '#worker/http/endpoint/values'

const changeSchema = z
  .enum(CHANGES)
  .meta({ description: 'How the record changed. `deactivated`: it was active before and is inactive now.' })

const writeChangeSchema = diffEntrySchema.extend({ change: changeSchema }).meta({ id: 'WriteChange' })

export type WriteChange = z.output<typeof writeChangeSchema>

export const writePageSchema = pageOf(
  writeSchema
    .extend({
      changes: z
        .array(writeChangeSchema)
        .optional()
        .meta({
          description:
            `With \`include=changes\`: what a write of at most ${LISTED_CHANGES} records changed, if that is ` +
            'still kept.',
        }),
    })
    .meta({ id: 'ListedWrite', description: 'A write, as it is in a list.' }),
)

export const writeChangesPageSchema = pageOf(writeChangeSchema)

export const changesPageSchema = z.strictObject({
  items: z.array(
    z.strictObject({
      revision: countSchema.meta({ description: "The revision that the record's last change created." }),
      change: changeSchema,
      record: anyOutputSchema,
    }),
  ),
  revision: countSchema.meta({
    description:
      'The current revision of the catalog. Next time, request the changes since the revision of the first page.',
  }),
  epoch: epochSchema.meta({
    description: 'The epoch of that revision. Send the epoch of the last page with the next request.',
  }),
  cursor: z.string().nullable().meta({ description: 'The cursor of the next page; null at the end.' }),
  has_more: z.boolean(),
})

export const recordHistoryPageSchema = pageOf(
  z
    .strictObject({
      revision: countSchema.nullable().meta({
        description:
          'Revision that the write created. Null, like `changed_by` and `batch_id`, if the write is no longer ' +
          'listed.',
      }),
      changed_at: timestampSchema,
      changed_by: z.string().nullable().meta({ description: 'Client ID or user.' }),
      batch_id: z.uuid().nullable(),
      change: changeSchema,
      record: anyOutputSchema,
      fields: fieldsSchema.meta({
        description: 'What the write changed, with old and new values; empty if the version before is no longer kept.',
      }),
    })
    .meta({ id: 'RecordVersion', description: 'The state of a record after a write that changed it.' }),
)

export const writesQuerySchema = listQuerySchema.extend({
  include: z
    .literal('changes', { error: 'must be changes, or absent' })
    .optional()
    .meta({ description: 'Small writes also say what they changed.' }),
})

export const writeChangesQuerySchema = z.object({
  limit: limitSchema,
  offset: offsetSchema,
  format: formatSchema.meta({ description: '`csv` returns all changes as a file. `Accept: text/csv` does the same.' }),
  safe: safeSchema,
})

export const changesQuerySchema = z.object({
  since_revision: wholeNumber(
    0,
    Number.MAX_SAFE_INTEGER,
    'Records whose last change came after this revision; 0: all.',
  ).default(0),
  epoch: epochParameter(
    'The `epoch` of the last response. If the catalog was restored from a backup, the response has the code ' +
      '`start_again`.',
  ),
  limit: limitSchema,
  cursor: z
    .string({ error: 'must be the cursor of the previous page' })
    .regex(/^\d{1,16}\.\d{1,7}\.\d{1,11}\.[0-9a-f-]{1,36}$/, { error: 'must be the cursor of the previous page' })
    .optional()
    .meta({ description: 'The `cursor` of the previous page.' }),
})

const revision = (description: string) => wholeNumber(0, Number.MAX_SAFE_INTEGER, description)

const restoreParameters = {
  ...commitParameters,
  max_shrink: commitParameters.max_shrink.meta({
    description: 'The percentage of the active records that may be deactivated.',
  }),
}

export const undoQuerySchema = z
  .object({
    ...restoreParameters,
    leave_changed: flag(
      'true: records that later writes changed stay as they are, and the others are undone.',
    ).optional(),
  })
  .superRefine(refuseDependents)

export const restoreQuerySchema = z
  .object({
    revision: revision('The catalog becomes what it was after this revision; 0: empty.'),
    ...restoreParameters,
  })
  .superRefine(refuseDependents)
