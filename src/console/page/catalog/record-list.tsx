import type { RecordType } from '#records/record-type'
import { ItemList } from '../shell/item-list'
import { RecordCard } from './record-card'
import { type RecordColumnsProps, recordColumns } from './record-columns'

/** A page of records. */
export const RecordList = (props: RecordColumnsProps & { type: RecordType }) => {
  const { type, list, records, selection } = props
  return (
    <ItemList
      name={type.plural}
      items={records}
      idOf={(record) => String(record[type.idField])}
      columns={recordColumns(props)}
      minWidth={900}
      highlightOnHover
      card={(record) => <RecordCard type={type} list={list} record={record} selection={selection} />}
      cardClass="card-link"
    />
  )
}
