import type { Batch } from '../service/answers'
import { useNarrow } from '../shell/use-narrow'
import { BatchCards } from './batch-cards'
import { BatchTable } from './batch-table'

export interface BatchListProps {
  batches: readonly Batch[]
  /** Which is the latest of all. */
  latestId: string | undefined
}

/** Uploads: a table, or cards where there is no room for one. */
export const BatchList = (props: BatchListProps) =>
  useNarrow() ? <BatchCards {...props} /> : <BatchTable {...props} />
