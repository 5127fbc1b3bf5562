import * as z from 'zod'
import { shrinkGuardErrorSchema } from '#http/error-schemas'
import { DIFF_LIST_RECORDS } from '#limits'
import { RECORD_TYPES } from '#records/record-type'
import { anyOutput } from '#records/schema'

/** What the dataset endpoints answer, for the API description and for the tests. */

const count = z.int().nonnegative()
const time = z.iso.datetime({ precision: 3 })
const type = z.enum(RECORD_TYPES)
const mode = z.enum(['upsert', 'reconcile'])

const page = { count, total: count, limit: count, offset: count, has_more: z.boolean() }

export const recordPage = z
  .strictObject({ items: z.array(anyOutput), ...page })
  .meta({ id: 'RecordPage', description: 'One page of a catalog.' })

const countedValues = z
  .array(z.strictObject({ value: z.string(), count }))
  .meta({ description: 'The values that are meant, the twenty most frequent.' })

export const warning = z
  .strictObject({ field: z.string(), msg: z.string(), values: countedValues.optional() })
  .meta({
    id: 'Warning',
    description: 'A field or column that was ignored, or stored although it means nothing.',
  })

const counts = {
  total: count.meta({ description: 'Records sent.' }),
  inserted: count.meta({ description: 'New ids.' }),
  updated: count.meta({ description: 'Existing ids, but for the reactivated ones.' }),
  reactivated: count.meta({ description: 'Inactive before, active now.' }),
  unchanged: count.meta({ description: 'How many of the updated were identical and needed no write.' }),
  deactivated: count.meta({ description: 'Active records that a reconcile left out.' }),
}

const changed = { id: z.string(), name: z.string() }

export const diff = z
  .strictObject({
    inserted: z.array(z.strictObject(changed)),
    updated: z
      .array(
        z.strictObject({
          ...changed,
          fields: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])).meta({
            description:
              'Each field that would change, with its value before and after as they are returned; without ' +
              '`display_name` where neither record has one of its own.',
          }),
        }),
      )
      .meta({ description: 'Without those that are identical.' }),
    reactivated: z.array(z.strictObject(changed)),
    deactivated: z.array(z.strictObject(changed)).meta({ description: 'Ordered by id; none in an upsert.' }),
  })
  .meta({
    id: 'Diff',
    description:
      `The first ${DIFF_LIST_RECORDS} records of each change, in the order of the request. \`name\` is the new name, of ` +
      'a deactivated record the stored one.',
  })

export type Diff = z.infer<typeof diff>

export const writeResult = z
  .strictObject({
    type,
    mode,
    dry_run: z.boolean(),
    ...counts,
    active_before: count,
    active_after: count,
    revision: count.meta({
      description: 'Of the catalog after the write; in a dry run as it stands, for `expected_revision`.',
    }),
    batch_id: z.uuid().optional().meta({ description: 'Of CSV uploads that were written.' }),
    warnings: z.array(warning),
    shrink_guard: shrinkGuardErrorSchema
      .optional()
      .meta({ description: 'In a dry run: the guard would stop the commit.' }),
    diff: diff.optional().meta({ description: 'In a dry run with `include=diff`.' }),
  })
  .meta({ id: 'WriteResult', description: 'Counts of a write, or of what it would do.' })

export const batch = z
  .strictObject({
    batch_id: z.uuid(),
    type,
    mode,
    file_name: z.string().nullable(),
    size_bytes: count,
    ...counts,
    warnings: count,
    revision: count,
    created_by: z.string().meta({ description: 'Client id or user.' }),
    created_at: time,
  })
  .meta({ id: 'Batch', description: 'One CSV upload that was written.' })

export const batchPage = z.strictObject({ latest: batch.nullable(), items: z.array(batch), ...page })

export const drugForms = z.strictObject({
  items: z.array(z.strictObject({ form_id: z.string(), name: z.string(), synonyms: z.array(z.string()) })),
  count,
})
