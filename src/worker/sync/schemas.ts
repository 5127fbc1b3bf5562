import * as z from 'zod'
import { DEFAULT_GRACE_HOURS, MAX_GRACE_HOURS, MAX_WATCH_HOURS } from '#shared/limits'
import { epochSchema, typeSchema, writeSchema } from '#worker/catalog/schemas'
import { uploadSchema } from '#worker/catalog/uploads/schemas'
import { countSchema, timestampSchema, wholeMember } from '#worker/http/endpoint/values'
import { SYNC_STATES } from './sync-state'

const EVERY = { description: 'How often a client should update the catalog, in hours.' }
const GRACE = { description: 'Grace period in hours, after which the catalog is late.' }

export const newWatchSchema = z.strictObject({
  every_hours: wholeMember(1, MAX_WATCH_HOURS).meta(EVERY),
  grace_hours: wholeMember(0, MAX_GRACE_HOURS).default(DEFAULT_GRACE_HOURS).meta(GRACE),
})

export const watchSchema = z
  .strictObject({
    every_hours: z.int().meta(EVERY),
    grace_hours: z.int().meta(GRACE),
    set_at: timestampSchema.meta({ description: 'When these hours were set.' }),
    set_by: z.string().meta({ description: 'Client ID or user.' }),
  })
  .meta({ id: 'Watch', description: 'How often clients should update a catalog.' })

const syncSchema = z
  .strictObject({
    state: z.enum(SYNC_STATES).meta({
      description:
        '`unwatched`; `late`: the time is after `due_at`; `refused`: the newest upload by a client was not ' +
        'written; `on_time`. Only uploads with client credentials count.',
    }),
    since: timestampSchema.nullable().meta({ description: 'When this state began; null for `unwatched`.' }),
    due_at: timestampSchema.nullable().meta({ description: 'When the catalog becomes late; null for `unwatched`.' }),
    last_success_at: timestampSchema.nullable().meta({
      description: 'When a client last wrote, even if nothing differed, or an upload of a client was approved.',
    }),
    last_upload: uploadSchema.nullable().meta({ description: 'The newest upload by a client.' }),
  })
  .meta({ id: 'Sync', description: 'Whether clients keep the catalog up to date.' })

export const catalogStatusSchema = z
  .strictObject({
    type: typeSchema,
    revision: countSchema.meta({ description: 'Grows by one with every write that changes something.' }),
    epoch: epochSchema,
    active_records: countSchema,
    total_records: countSchema,
    updated_at: timestampSchema.nullable().meta({ description: 'Time of the last write that changed something.' }),
    search_enabled: z.boolean(),
    oldest_restorable_revision: countSchema.meta({ description: 'The oldest revision that can be restored.' }),
    last_write: writeSchema.nullable().meta({ description: 'The last write, even if it changed nothing.' }),
    sync: syncSchema,
    held: z.array(uploadSchema).optional().meta({
      description: 'With `include=held`: the pending uploads of clients, newest first.',
    }),
  })
  .meta({ id: 'CatalogStatus', description: 'The status of a catalog.' })

export const catalogStatusesSchema = z.strictObject({ items: z.array(catalogStatusSchema) })

export type NewWatch = z.output<typeof newWatchSchema>
export type Watch = z.output<typeof watchSchema>
export type Sync = z.output<typeof syncSchema>
