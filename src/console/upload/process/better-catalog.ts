import { sentRecord } from '#client/api'
import { valueError } from '#files/check/row-check'
import { type BetterCatalog, catalogOfIds } from '#files/columns/catalog-fit'
import { fieldNamed, RECORD_TYPES, type RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import type { UploadClient } from './held-file'
import type { Check } from './stage'

/** What a record of each type needs besides an id and a name. */
export const REQUIRED_FIELDS: Partial<Record<RecordTypeName, object>> = {
  lab_test: { kind: 'imaging', result_type: 'na' },
}

/** How many ids a catalog knows, active or not, counted by a dry run. */
async function countKnown(
  client: UploadClient,
  type: RecordTypeName,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const { idField } = recordTypes[type]
  const { updated, reactivated } = await client.post('/admin/datasets/v1/', {
    query: { type, dry_run: true },
    body: ids.map((id) => sentRecord({ [idField]: id, name: 'known?', ...REQUIRED_FIELDS[type] })),
    signal,
  })
  return updated + reactivated
}

/** How many of some ids the chosen catalog knows, estimated from the check; undefined if that says nothing. */
const estimateKnown = (ids: number, check: Check | undefined): number | undefined =>
  check === undefined || check.total === 0
    ? undefined
    : Math.round((ids * (check.total - check.inserted)) / check.total)

/** Share of new ids from which on other catalogs are asked. */
const LEAST_NEW = 0.5

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
  if (valid.length === 0 || (check !== undefined && check.inserted < check.total * LEAST_NEW)) return undefined
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
