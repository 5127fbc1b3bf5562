import type { CatalogStatus } from '../service/answers'

/** What makes sense next in a workspace; undefined if everything is in use. */
type NextStep =
  | { is: 'upload'; type: CatalogStatus['type'] }
  /** The person may only read. */
  | { is: 'ask' }
  | { is: 'search'; type: CatalogStatus['type'] }

/**
 * First a catalog that is filled, then partner search on it.
 *
 * @param mayWrite whether the person may do either
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
