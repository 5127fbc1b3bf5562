import { Text } from '@mantine/core'
import type { RecordType } from '#records/record-type'
import { type ListState, recordAddress } from '../record/address'
import { useSession } from '../session'
import { Loaded } from '../shell/loaded'
import { Page } from '../shell/page'
import { BackLink } from './back-link'
import { RecordForm } from './record-form'
import { RecordView } from './record-view'
import { useRecord } from './use-record'

interface EditViewProps {
  type: RecordType
  list: ListState
  id: string
  onSaved: (id: string, text: string) => void
}

/** The form for a record. People who may not write see the record instead. */
export const EditView = (props: EditViewProps) =>
  useSession().can('catalog:write') ? <Edit {...props} /> : <RecordView {...props} notice={undefined} />

function Edit({ type, list, id, onSaved }: EditViewProps) {
  const record = useRecord(type, id, { fresh: true })
  const address = recordAddress(type, id, list)
  // What was loaded for another page may be out of date.
  const fresh = record.isFetchedAfterMount
    ? record
    : { ...record, data: undefined, isPending: record.error === null }
  return (
    <Page
      above={<BackLink href={address} label={`Back to the ${type.title}`} />}
      title={`Edit ${type.title}`}
      description={
        <Text span className="breakable">
          {record.data === undefined ? id : String(record.data.name)}
        </Text>
      }
    >
      <Loaded query={fresh} name="record" height={480}>
        {(initial) => (
          <RecordForm
            type={type}
            list={list}
            initial={initial}
            isNew={false}
            cancelAddress={address}
            onSaved={onSaved}
          />
        )}
      </Loaded>
    </Page>
  )
}
