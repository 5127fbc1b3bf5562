import type { Batch } from '../service/answers'
import { ItemList } from '../shell/item-list'
import { BatchCard } from './batch-card'
import { batchColumns } from './batch-columns'

interface BatchListProps {
  batches: readonly Batch[]
  /** Which is the latest of all. */
  latestId: string | undefined
}

/** A page of uploads. */
export function BatchList({ batches, latestId }: BatchListProps) {
  const isLatest = ({ batch_id }: Batch) => batch_id === latestId
  return (
    <ItemList
      name="uploads"
      items={batches}
      idOf={({ batch_id }) => batch_id}
      columns={batchColumns(isLatest)}
      minWidth={940}
      horizontalSpacing={8}
      rowClassOf={(batch) => (isLatest(batch) ? 'latest' : undefined)}
      card={(batch) => <BatchCard batch={batch} isLatest={isLatest(batch)} />}
    />
  )
}
