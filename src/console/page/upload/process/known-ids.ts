import { valueError } from '#import/check/row-check'
import type { ChosenFile } from '#import/chosen-file'
import { type BetterCatalog, catalogOfIds } from '#import/columns/catalog-fit'
import type { FileReading } from '#import/file-work'
import { fieldNamed, RECORD_TYPES, type RecordTypeName } from '#records/record-type'
import { recordTypes } from '#records/record-types'
import type { UploadClient } from './delivery'
import type { RemoteWork } from './remote-work'
import type { Check, Comparison } from './stage'

/** What a record of each type needs besides an id and a name. */
const REQUIRED: Partial<Record<RecordTypeName, object>> = { lab_test: { kind: 'imaging', result_type: 'na' } }

/** How many ids a catalog knows, active or not: a dry run tells, in one request, and writes nothing. */
async function countKnown(
  client: UploadClient,
  type: RecordTypeName,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const { idField } = recordTypes[type]
  const { updated, reactivated } = await client.post('/admin/datasets/v1/', {
    query: { type, dry_run: true },
    body: ids.map((id) => ({ [idField]: id, name: 'known?', ...REQUIRED[type] })),
    signal,
  })
  return updated + reactivated
}

/** Looks some ids of a file up in all catalogs. @returns undefined also if the service does not answer */
async function findCatalogOfIds(
  client: UploadClient,
  chosen: RecordTypeName,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<BetterCatalog | undefined> {
  const type = recordTypes[chosen]
  const valid = ids.filter((text) => valueError(type, fieldNamed(type, type.idField)!, text) === undefined)
  if (valid.length === 0) return undefined
  try {
    const known = await Promise.all(
      RECORD_TYPES.map(async (type) => [type, await countKnown(client, type, valid, signal)] as const),
    )
    return catalogOfIds(new Map(known), valid.length, chosen)
  } catch {
    // The check of the file itself tells what is wrong with the service.
    return undefined
  }
}

/** A file with the catalog that it fits better than the chosen one: by its content or, if that does not tell, by its ids. */
export async function withBetterCatalog(
  client: UploadClient,
  chosen: RecordTypeName,
  { file, ids }: FileReading,
  signal: AbortSignal,
): Promise<ChosenFile> {
  if (ids.length === 0) return file
  const better = await findCatalogOfIds(client, chosen, ids, signal)
  return better === undefined ? file : { ...file, better }
}

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
