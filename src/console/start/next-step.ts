import type { CatalogStatus } from '../service/answers'

/** What a person should do next in a workspace. */
type NextStep =
  | { is: 'upload'; type: CatalogStatus['type'] }
  /** The person may only read. */
  | { is: 'ask' }
  | { is: 'search'; type: CatalogStatus['type'] }

/**
 * First to fill a catalog, then to switch partner search on.
 *
 * @param mayWrite whether the person may do that
 * @returns undefined if both are done
 */
export function nextStepOf(statuses: readonly CatalogStatus[], mayWrite: boolean): NextStep | undefined {
  const filledCatalogs = statuses.filter(({ active_records }) => active_records > 0)
  if (filledCatalogs.length === 0) {
    const [firstStatus] = statuses
    if (firstStatus === undefined) return undefined
    return mayWrite ? { is: 'upload', type: firstStatus.type } : { is: 'ask' }
  }
  const isSearched = statuses.some(({ search_enabled }) => search_enabled)
  return mayWrite && !isSearched ? { is: 'search', type: filledCatalogs[0]!.type } : undefined
}
