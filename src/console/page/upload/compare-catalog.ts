import type { RecordTypeName } from '#records/record-type'
import type { UploadClient } from './delivery'
import type { Check, Comparison } from './stage'
import type { RemoteWork } from './work/remote-work'

/** Compares the new ids of a file with those of the catalog, if there are both. */
export async function compareWithCatalog(
  client: UploadClient,
  type: RecordTypeName,
  work: RemoteWork,
  { inserted, revision }: Check,
  signal: AbortSignal,
): Promise<Comparison> {
  if (inserted === 0 || revision === 0) return []
  try {
    const catalog = await client.file('get', '/admin/datasets/v1/', {
      query: { type, format: 'csv', show_inactive: '1' },
      signal,
    })
    return await work.compareIds(await catalog.blob())
  } catch {
    return 'unknown'
  }
}
