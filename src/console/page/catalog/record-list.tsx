import type { RawRecord, RecordType } from '#records/record-type'
import type { ListState } from '../record/address'
import { ItemList } from '../shell/item-list'
import { RecordCard } from './record-card'
import { recordColumns } from './record-columns'

interface RecordListProps {
  type: RecordType
  list: ListState
  records: readonly RawRecord[]
}

/** A page of records. */
export const RecordList = ({ type, list, records }: RecordListProps) => (
  <ItemList
    name={type.plural}
    items={records}
    idOf={(record) => String(record[type.idField])}
    columns={recordColumns(type, list)}
    minWidth={960}
    highlightOnHover
    card={(record) => <RecordCard type={type} list={list} record={record} />}
    cardClass="card-link"
  />
)
