import type { Query } from '#client/api'
import type { ServiceClient } from '#client/client'
import type { Change } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import { PREVIEW } from '../catalog-changed'
import { usePreviewedWrite } from '../changes/use-previewed-write'
import { fullList, type Preview } from '../service/answers'
import { useSession } from '../session'

const RESTORE = '/admin/catalogs/v1/{type}/restore'
const UNDO = '/admin/catalogs/v1/{type}/writes/{batch_id}/undo'

/** To the state after a revision, or before one write, which leaves what came after that. */
export type WayBack =
  | { is: 'restore'; revision: number }
  /** Records that were changed later stay as they are. */
  | { is: 'undo'; id: string }

/** The calls that go a way back. */
function callsFor(client: ServiceClient, { name }: RecordType, way: WayBack) {
  if (way.is === 'undo') {
    const params = { type: name, batch_id: way.id }
    return {
      post: (query: Query<'post', typeof UNDO>, signal?: AbortSignal) =>
        client.post(UNDO, { params, query: { ...query, leave_changed: true }, signal }),
      file: (query: Query<'post', typeof UNDO>) =>
        client.file('post', UNDO, { params, query: { ...query, leave_changed: true } }),
    }
  }
  const params = { type: name }
  const { revision } = way
  return {
    post: (query: Query<'post', typeof UNDO>, signal?: AbortSignal) =>
      client.post(RESTORE, { params, query: { ...query, revision }, signal }),
    file: (query: Query<'post', typeof UNDO>) =>
      client.file('post', RESTORE, { params, query: { ...query, revision } }),
  }
}

/** A way back: what it would change, and the step itself, on the catalog as it was previewed. */
export function useRestore(type: RecordType, way: WayBack) {
  const { client } = useSession()
  const calls = callsFor(client, type, way)
  const { write, ...previewed } = usePreviewedWrite({
    type,
    queryKey: [PREVIEW, type.name, way],
    send: calls.post,
  })

  /** The full list of one kind of change, as CSV. @throws ServiceError, also when the catalog has moved on */
  const listOf = async (check: Preview, change: Change | undefined): Promise<Blob> =>
    (await calls.file(fullList(check, change))).blob()

  return { ...previewed, restore: write, listOf }
}
