import { HeaderNames, normalizedHeader } from '#shared/records/csv/header'
import type { RecordType, RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { valueFits } from './value-fit'

/** Fields of all types, which do not distinguish them. */
const SHARED: readonly string[] = ['display_name', 'aliases', 'is_active', 'refid']

/**
 * Points for a header that only one type has, such as `symptom_id` or `test_name`. Any other field's header is one
 * point.
 */
const OWN_NAME = 3

function pointsOf(header: string, type: RecordType, names: HeaderNames): number {
  const field = names.fieldOf(header)
  if (field === undefined || SHARED.includes(field.name)) return 0
  const headerName = normalizedHeader(header)
  if (field.name === type.idField) return headerName === type.idField ? OWN_NAME : 0
  if (field.name === 'name') return headerName === 'name' ? 0 : OWN_NAME
  return 1
}

/** How well a header row fits a type: 0 if no header is specific to the type. */
function headerFit(header: readonly string[], type: RecordType): number {
  const names = new HeaderNames(type)
  return header.reduce((points, cell) => points + pointsOf(cell, type, names), 0)
}

/** By how many points another type must fit better before the user is asked. */
const MARGIN = 2

/** The catalog that a file fits better than the chosen one, and the reason. */
export interface BetterCatalog {
  type: RecordTypeName
  by: 'content' | 'ids'
}

/** How well a file fits the chosen catalog, compared with the best of the others. */
interface Fit {
  better: BetterCatalog | undefined
  /** Whether the file certainly belongs to the chosen catalog. */
  isClear: boolean
}

/** Compares how well a file fits the catalogs, by its header row and a sample of its rows. */
export function contentFit(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  chosenType: RecordType,
): Fit {
  const values = valueFits(rows)
  const catalogFits = Object.values(recordTypes).map((type) => ({
    type: type.name,
    fit: headerFit(header, type) + (values[type.name] ?? 0),
  }))
  const own = catalogFits.find(({ type }) => type === chosenType.name)!.fit
  const best = catalogFits
    .filter(({ type }) => type !== chosenType.name)
    .reduce((one, other) => (other.fit > one.fit ? other : one))
  return {
    better: best.fit >= own + MARGIN ? { type: best.type, by: 'content' } : undefined,
    isClear: own >= best.fit + MARGIN,
  }
}

/** The share of a file's looked-up IDs that a catalog must contain to be a likely match. */
const LEAST_KNOWN = 0.5

/** The catalog that contains the IDs of a file, if the chosen one does not. @param knownCounts known IDs per catalog */
export function catalogOfIds(
  knownCounts: ReadonlyMap<RecordTypeName, number>,
  lookedUpCount: number,
  chosenType: RecordTypeName,
): BetterCatalog | undefined {
  const own = knownCounts.get(chosenType) ?? 0
  const [best] = [...knownCounts].filter(([type]) => type !== chosenType).sort(([, a], [, b]) => b - a)
  if (best === undefined || lookedUpCount === 0) return undefined
  const [type, count] = best
  return count >= lookedUpCount * LEAST_KNOWN && count > own * 2 ? { type, by: 'ids' } : undefined
}
