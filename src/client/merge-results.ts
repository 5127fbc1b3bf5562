import type { DATASETS, Data } from '#client/api'
import { CHANGES } from '#shared/records/change'

type WriteResult = Data<'post', typeof DATASETS>

/** The counts in the result of a write. */
const RESULT_COUNTS = ['total', 'inserted', 'updated', 'reactivated', 'unchanged', 'deactivated'] as const

type Warning = WriteResult['warnings'][number]

const MERGED_CHANGES = 50

function mergeDiffs(results: readonly WriteResult[]): Pick<WriteResult, 'diff'> {
  const diffs = results.flatMap(({ diff }) => diff ?? [])
  if (diffs.length === 0) return {}
  const all = CHANGES.map((change) => [change, diffs.flatMap((diff) => diff[change]).slice(0, MERGED_CHANGES)])
  return { diff: Object.fromEntries(all) as NonNullable<WriteResult['diff']> }
}

/** Adds up warnings with the same code. Warnings without a code are equal if their texts are. */
function mergeWarning(one: Warning | undefined, other: Warning): Warning {
  if (one?.count === undefined || other.count === undefined) return other
  const examples = [...(one.examples ?? []), ...(other.examples ?? [])]
  return { ...one, count: one.count + other.count, examples }
}

function mergeWarnings(results: readonly WriteResult[], offsets: readonly number[]): Warning[] {
  const warningsByKey = new Map<string, Warning>()
  for (const [part, { warnings }] of results.entries()) {
    for (const warning of warnings) {
      const offset = offsets[part] ?? 0
      const examples = warning.examples?.map((example) => ({ ...example, index: example.index + offset }))
      const shiftedWarning = examples === undefined ? warning : { ...warning, examples }
      const key = `${warning.field} ${warning.code ?? warning.msg}`
      warningsByKey.set(key, mergeWarning(warningsByKey.get(key), shiftedWarning))
    }
  }
  return [...warningsByKey.values()]
}

function mergeEmptied(results: readonly WriteResult[]): WriteResult['emptied'] {
  const sums: WriteResult['emptied'] = {}
  for (const { emptied } of results) {
    for (const [field, records] of Object.entries(emptied)) sums[field] = (sums[field] ?? 0) + records
  }
  return sums
}

/**
 * Merges the results of a file's parts. Each ID occurs in only one part, so their changes can be added up.
 *
 * @param results of at least one part, in order
 * @param offsets what to add to the row positions of each part
 */
export function mergeResults(
  results: readonly [WriteResult, ...WriteResult[]],
  offsets: readonly number[] = [],
): WriteResult {
  const [first] = results
  const last = results.at(-1)!
  const sums = Object.fromEntries(
    RESULT_COUNTS.map((count) => [count, results.reduce((sum, result) => sum + result[count], 0)]),
  )
  const growth = results.reduce((sum, { active_before, active_after }) => sum + active_after - active_before, 0)
  return {
    ...last,
    ...sums,
    active_before: first.active_before,
    active_after: first.active_before + growth,
    emptied: mergeEmptied(results),
    warnings: mergeWarnings(results, offsets),
    ...mergeDiffs(results),
  }
}
