import { normalizedHeader } from '#shared/records/csv/header'
import type { Target } from './file-column'

/** The column mapping of an earlier file. All headers are normalized. */
export interface EarlierColumns {
  headers: readonly string[]
  /** Targets of columns whose header alone does not determine them. */
  targets: Readonly<Record<string, Target>>
}

/**
 * The previous target of a column with this header, from the newest file that had it; undefined if the header decided.
 */
export function earlierTarget(memory: readonly EarlierColumns[], header: string): Target | undefined {
  const name = normalizedHeader(header)
  return memory.findLast(({ headers }) => headers.includes(name))?.targets[name]
}
