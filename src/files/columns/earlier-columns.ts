import { normalizedHeader } from '#shared/records/csv/header'
import type { Target } from './file-column'

/** Where the columns of an earlier file went. All headers are normalized. */
export interface EarlierColumns {
  headers: readonly string[]
  /** Where columns go whose header alone does not say it. */
  targets: Readonly<Record<string, Target>>
}

/** Where a column with some header went in the newest file that had it; undefined if its header said it. */
export function earlierTarget(memory: readonly EarlierColumns[], header: string): Target | undefined {
  const name = normalizedHeader(header)
  return memory.findLast(({ headers }) => headers.includes(name))?.targets[name]
}
