import * as z from 'zod'
import { emptiedGuardErrorSchema, shrinkGuardErrorSchema } from '#shared/errors/schemas'
import { DIFF_LIST_RECORDS } from '#shared/limits'
import { RECORD_TYPES } from '#shared/records/record-type'
import { anyOutputSchema, warningSchema } from '#shared/records/schema'
import { countSchema, pageOf, timestampSchema } from '#worker/http/endpoint/values'

/** Answers of the dataset endpoints, for the API description and for the tests. */

export const typeSchema = z.enum(RECORD_TYPES)
export const modeSchema = z.enum(['upsert', 'reconcile'])

export const recordPageSchema = pageOf(anyOutputSchema).meta({
  id: 'RecordPage',
  description: 'One page of a catalog.',
})

const counts = {
  total: countSchema.meta({ description: 'Number of records sent.' }),
  inserted: countSchema.meta({ description: 'Records with new IDs.' }),
  updated: countSchema.meta({ description: 'Existing records, except those that become active or inactive.' }),
  reactivated: countSchema.meta({ description: 'Records that were inactive before and are active now.' }),
  unchanged: countSchema.meta({ description: 'How many of the `updated` records were identical and needed no write.' }),
  deactivated: countSchema.meta({
    description:
      'Records that were active before and are inactive now: sent with `is_active` false, or missing from ' +
      'a reconcile.',
  }),
}

/** Fields by name, each with its value before and after as they are returned. */
export const fieldsSchema = z.record(z.string(), z.tuple([z.unknown(), z.unknown()])).meta({
  description:
    'Each field that changes, with its value before and after as they are returned; without `display_name` when ' +
    'neither record has one of its own. For a new record: every field that has a value, with null before, and ' +
    '`is_active` only when it is false. A record that is only deactivated has none.',
})

export const diffEntrySchema = z
  .strictObject({
    id: z.string(),
    name: z.string().meta({ example: 'Metformin 500' }),
    fields: fieldsSchema.optional(),
  })
  .meta({ id: 'DiffEntry', description: 'What a write does to one record. `name` is the new name.' })

const diffSchema = z
  .strictObject({
    inserted: z.array(diffEntrySchema),
    updated: z
      .array(diffEntrySchema)
      .meta({ description: 'Records that would be updated, without those that are identical.' }),
    reactivated: z.array(diffEntrySchema),
    deactivated: z.array(diffEntrySchema).meta({
      description:
        'Active records that would become inactive: first those sent as inactive, then, by ID, those that are ' +
        'missing from a reconcile.',
    }),
  })
  .meta({
    id: 'Diff',
    description: `The first ${DIFF_LIST_RECORDS} records of each change, in the order of the request.`,
  })

export type DiffEntry = z.infer<typeof diffEntrySchema>
export type Diff = z.infer<typeof diffSchema>

/** After a restore from a backup, revision numbers repeat. The epoch distinguishes the states. */
export const epochSchema = z.string().meta({
  description:
    'Together with `revision`, identifies a catalog state. Revisions can repeat after the service is restored ' +
    'from a backup; epochs do not.',
})

export const writeResultSchema = z
  .strictObject({
    type: typeSchema,
    mode: modeSchema,
    dry_run: z.boolean(),
    ...counts,
    active_before: countSchema,
    active_after: countSchema,
    revision: countSchema.meta({
      description:
        'Revision of the catalog after the write. In a dry run: the current revision, to send as ' +
        '`expected_revision`.',
    }),
    epoch: epochSchema,
    batch_id: z.uuid().optional().meta({ description: 'ID of the write, if it was applied.' }),
    idempotency_key: z
      .string()
      .nullable()
      .optional()
      .meta({
        description:
          'The `Idempotency-Key` of the write, if it was applied; null if none was sent. If it differs from the key ' +
          'of your request, something on the way has replayed an older response.',
      }),
    warnings: z.array(warningSchema),
    emptied: z.record(z.string(), countSchema).meta({
      description: 'For each field: how many records have a value before the write and none after it.',
      example: { aliases: 3 },
    }),
    shrink_guard: shrinkGuardErrorSchema
      .optional()
      .meta({ description: 'In a dry run: present if the shrink guard would block the write.' }),
    emptied_guard: z
      .array(emptiedGuardErrorSchema)
      .optional()
      .meta({ description: 'In a dry run: present if `max_emptied` would block the write.' }),
    diff: diffSchema.optional().meta({ description: 'In a dry run with `include=diff`: what would change.' }),
    upload_id: z
      .uuid()
      .optional()
      .meta({ description: 'In a dry run with `hold=true`: the ID of the pending upload.' }),
    held_until: timestampSchema.optional().meta({ description: 'When the pending upload expires.' }),
  })
  .meta({ id: 'WriteResult', description: 'Counts of a write, or of what it would do.' })

const laterChangeSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  revision: countSchema.nullable().meta({
    description:
      'Revision of the last write of the record; null, like `batch_id` and `changed_by`, if that write is ' +
      'no longer listed.',
  }),
  batch_id: z.uuid().nullable(),
  changed_at: timestampSchema,
  changed_by: z.string().nullable().meta({ description: 'Client ID or user.' }),
})

/** `total` counts the records that a restore changes; none is inserted or unchanged. */
export const restoreResultSchema = writeResultSchema
  .extend({
    mode: z.literal('restore'),
    changed_later: z
      .strictObject({ count: countSchema, items: z.array(laterChangeSchema) })
      .optional()
      .meta({
        description:
          'In a dry run of an undo: records of the write that later writes changed. Without `leave_changed=true`, ' +
          `they block the undo; the first ${DIFF_LIST_RECORDS}.`,
      }),
  })
  .meta({ id: 'RestoreResult', description: 'Counts of a restore, or of what it would do.' })

const batchSchema = z
  .strictObject({
    batch_id: z.uuid(),
    type: typeSchema,
    mode: modeSchema,
    file_name: z.string().nullable(),
    size_bytes: countSchema,
    ...counts,
    warnings: countSchema,
    revision: countSchema,
    created_by: z.string().meta({ description: 'Client ID or user.' }),
    created_at: timestampSchema,
  })
  .meta({ id: 'Batch', description: 'One CSV upload that was written.' })

export const writeSchema = batchSchema
  .extend({
    format: z.enum(['csv', 'json', 'restore', 'added_name']),
    mode: z.enum(['upsert', 'reconcile', 'restore']),
    restored_revision: countSchema.nullable().meta({
      description:
        'For a restore: the revision that was restored; null for an undo, which has the `file_name` of the write ' +
        'that was undone.',
    }),
  })
  .meta({ id: 'Write', description: 'One committed write: an upload, a JSON request or a restore.' })

export type CommittedWrite = z.output<typeof writeSchema>

export const batchPageSchema = z.strictObject({ latest: batchSchema.nullable(), ...pageOf(batchSchema).shape })

export const drugFormsSchema = z.strictObject({
  items: z.array(
    z.strictObject({
      form_id: z.string(),
      name: z.string().meta({ example: 'Tablet' }),
      synonyms: z.array(z.string()),
    }),
  ),
  count: countSchema,
})
export type WriteResult = z.output<typeof writeResultSchema>
