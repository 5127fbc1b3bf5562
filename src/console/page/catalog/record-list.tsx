import type { RawRecord, RecordType } from '../../../catalog/record-type'
import { useNarrow } from '../shell/use-narrow'
import type { ListState } from './address'
import { RecordCards } from './record-cards'
import { RecordTable } from './record-table'

export interface RecordListProps {
  type: RecordType
  list: ListState
  records: readonly RawRecord[]
}

/** A page of records: a table, or cards where there is no room for one. */
export const RecordList = (props: RecordListProps) =>
  useNarrow() ? <RecordCards {...props} /> : <RecordTable {...props} />
