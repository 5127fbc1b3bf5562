import * as z from 'zod'
import { LISTED_CHANGES } from '#shared/limits'
import { CHANGES } from '#shared/records/change'
import { anyOutput } from '#shared/records/schema'
import { diffEntry, epoch, fields, write } from '#worker/catalog/schemas'
import { pageOf } from '#worker/http/endpoint/page'
import { count, timestamp } from '#worker/http/endpoint/values'

const change = z
  .enum(CHANGES)
  .meta({ description: 'What became of the record: `deactivated` was active before and is not after.' })

const writeChange = diffEntry.extend({ change }).meta({ id: 'WriteChange' })

export type WriteChange = z.output<typeof writeChange>

export const writePage = pageOf(
  write
    .extend({
      changes: z
        .array(writeChange)
        .optional()
        .meta({
          description:
            `With \`include=changes\`: what a write of at most ${LISTED_CHANGES} records changed, if that is ` +
            'still kept.',
        }),
    })
    .meta({ id: 'ListedWrite', description: 'A write, as it is in a list.' }),
)

export const writeChangesPage = pageOf(writeChange)

/** Counts are of all pages. */
export const comparisonPage = z
  .strictObject({
    from: count,
    to: count,
    inserted: count,
    updated: count,
    reactivated: count,
    deactivated: count,
    ...writeChangesPage.shape,
  })
  .meta({
    id: 'Comparison',
    description: 'How two states of a catalog differ. The counts are those of all pages.',
  })

export const changesPage = z.strictObject({
  items: z.array(
    z.strictObject({
      revision: count.meta({ description: 'The revision that the last change of the record made.' }),
      change,
      record: anyOutput,
    }),
  ),
  revision: count.meta({
    description: 'The current revision of the catalog. Next time, ask for changes since the one of the first page.',
  }),
  epoch: epoch.meta({ description: 'Send that of the last page with the next request.' }),
  cursor: z.string().nullable().meta({ description: 'The cursor of the next page; null at the end.' }),
  has_more: z.boolean(),
})

export const recordHistoryPage = pageOf(
  z
    .strictObject({
      revision: count.nullable().meta({
        description: 'Null, as `changed_by` and `batch_id` are, when the write is no longer listed.',
      }),
      changed_at: timestamp,
      changed_by: z.string().nullable().meta({ description: 'Client id or user.' }),
      batch_id: z.uuid().nullable(),
      change,
      record: anyOutput,
      fields: fields.meta({
        description: 'What the write changed, old and new; empty when the version before is no longer kept.',
      }),
    })
    .meta({ id: 'RecordVersion', description: 'What a record was after a write that changed it.' }),
)
