import { sentRecord } from '#client/api'
import { valueError } from '#files/check/row-check'
import { type BetterCatalog, catalogOfIds } from '#files/columns/catalog-fit'
import { fieldNamed, RECORD_TYPES, type RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import type { UploadClient } from './held-file'
import type { Check } from './stage'

/** What a record of each type needs besides an id and a name. */
const REQUIRED_FIELDS: Partial<Record<RecordTypeName, object>> = {
  lab_test: { kind: 'imaging', result_type: 'na' },
}

/** A record that asks a dry run about an id. */
export const recordWithId = (type: RecordTypeName, id: string, name: string) =>
  sentRecord({ [recordTypes[type].idField]: id, name, ...REQUIRED_FIELDS[type] })

/** How many ids a catalog knows, active or not, counted by a dry run. */
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

/** Share of new ids from which on a file is asked about. */
const LEAST_NEW = 0.5

/** Whether a file may have ids that are not meant: most of them are new. */
export const areMostNew = ({ inserted, total }: Check): boolean => inserted >= total * LEAST_NEW

/** How many of some ids the chosen catalog knows, estimated from the check; undefined if that says nothing. */
const estimateKnown = (ids: number, check: Check | undefined): number | undefined =>
  check === undefined || check.total === 0
    ? undefined
    : Math.round((ids * (check.total - check.inserted)) / check.total)

/**
 * The catalog that knows some ids of a file, if the chosen one does not; undefined also if the service does not answer.
 * Asks other catalogs only if most of the ids are new, or if the file has errors: then `check` is undefined.
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
    // This is only a hint. If the service does not work, the next request says so.
    return undefined
  }
}
