import { sentRecord } from '#client/api'
import { valueError } from '#files/check/row-check'
import { type BetterCatalog, catalogOfIds } from '#files/columns/catalog-fit'
import { fieldNamed, RECORD_TYPES, type RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import type { UploadClient } from './held-file'
import type { Check } from './stage'

/** The required fields of each type in addition to an ID and a name. */
const REQUIRED_FIELDS: Partial<Record<RecordTypeName, object>> = {
  lab_test: { kind: 'imaging', result_type: 'na' },
}

/** A record for a dry run that looks up an ID. */
export const recordWithId = (type: RecordTypeName, id: string, name: string) =>
  sentRecord({ [recordTypes[type].idField]: id, name, ...REQUIRED_FIELDS[type] })

/** Counts the IDs that a catalog contains, active or not, by a dry run. */
async function countKnown(
  client: UploadClient,
  type: RecordTypeName,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const { updated, reactivated } = await client.post('/admin/datasets/v1/', {
    query: { type, dry_run: true },
    body: ids.map((id) => recordWithId(type, id, 'known?')),
    signal,
  })
  return updated + reactivated
}

/** Share of new IDs from which on the user is asked about a file. */
const LEAST_NEW = 0.5

/** Whether most IDs of a file are new, so that they may be the wrong IDs. */
export const areMostNew = ({ inserted, total }: Check): boolean => inserted >= total * LEAST_NEW

/** Estimates from the check how many of some IDs the chosen catalog contains; undefined if that is not possible. */
const estimateKnown = (ids: number, check: Check | undefined): number | undefined =>
  check === undefined || check.total === 0
    ? undefined
    : Math.round((ids * (check.total - check.inserted)) / check.total)

/**
 * The catalog that contains some IDs of a file, if the chosen one does not; also undefined if the service does not
 * respond. Only looks in other catalogs if most of the IDs are new, or if the file has errors (`check` is then
 * undefined).
 */
export async function findBetterCatalog(
  client: UploadClient,
  chosenType: RecordTypeName,
  ids: readonly string[],
  check: Check | undefined,
  signal: AbortSignal,
): Promise<BetterCatalog | undefined> {
  const type = recordTypes[chosenType]
  const idField = fieldNamed(type, type.idField)
  const valid = ids.filter((text) => idField !== undefined && valueError(type, idField, text) === undefined)
  if (valid.length === 0 || (check !== undefined && !areMostNew(check))) return undefined
  const own = estimateKnown(valid.length, check)
  const countIn = async (name: RecordTypeName) =>
    name === chosenType && own !== undefined ? own : countKnown(client, name, valid, signal)
  try {
    const knownCounts = await Promise.all(RECORD_TYPES.map(async (name) => [name, await countIn(name)] as const))
    return catalogOfIds(new Map(knownCounts), valid.length, chosenType)
  } catch {
    // This is only a hint. If the service is down, the next request reports it.
    return undefined
  }
}
