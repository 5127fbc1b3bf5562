import { CHANGES } from '#records/change'
import type { WriteResult } from '../../service/answers'

const COUNTS = ['total', 'inserted', 'updated', 'reactivated', 'unchanged', 'deactivated'] as const

const SHOWN = 50

function mergeDiffs(results: readonly WriteResult[]): Pick<WriteResult, 'diff'> {
  const diffs = results.flatMap(({ diff }) => diff ?? [])
  if (diffs.length === 0) return {}
  const all = CHANGES.map((change) => [change, diffs.flatMap((diff) => diff[change]).slice(0, SHOWN)])
  return { diff: Object.fromEntries(all) as NonNullable<WriteResult['diff']> }
}

function mergeWarnings(results: readonly WriteResult[]): WriteResult['warnings'] {
  const byText = new Map(
    results.flatMap(({ warnings }) => warnings.map((one) => [`${one.field} ${one.msg}`, one])),
  )
  return [...byText.values()]
}

/**
 * What the parts of one file come to together. An id is in one part only, so that what each part changes can be added up.
 *
 * @param results of at least one part, in order
 */
export function mergeResults(results: readonly [WriteResult, ...WriteResult[]]): WriteResult {
  const [first] = results
  const last = results.at(-1)!
  const sums = Object.fromEntries(
    COUNTS.map((count) => [count, results.reduce((sum, result) => sum + result[count], 0)]),
  )
  const growth = results.reduce(
    (sum, { active_before, active_after }) => sum + active_after - active_before,
    0,
  )
  return {
    ...last,
    ...sums,
    active_before: first.active_before,
    active_after: first.active_before + growth,
    warnings: mergeWarnings(results),
    ...mergeDiffs(results),
  }
}
