import { returnedUpload } from '#worker/catalog/uploads/list'
import { rowOf } from '#worker/catalog/uploads/sql/rows'
import type { Sync } from './schemas'
import type { SyncRow } from './states'

export const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** `sync` in the status of a catalog. */
export const returnedSync = ({
  type,
  state,
  since,
  due_at,
  last_success_at,
  last_upload,
}: SyncRow): Sync => ({
  state,
  since: timeOf(since),
  due_at: timeOf(due_at),
  last_success_at: timeOf(last_success_at),
  last_upload: last_upload === null ? null : returnedUpload(type, rowOf(last_upload)),
})
