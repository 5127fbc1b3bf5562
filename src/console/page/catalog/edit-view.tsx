import { Skeleton, Text } from '@mantine/core'
import type { RecordType } from '#records/record-type'
import { type ListState, recordAddress } from '../record/address'
import { useSession } from '../session'
import { Page } from '../shell/page'
import { Problem } from '../shell/problem'
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
  const isRead = record.isFetchedAfterMount && record.data !== undefined
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
      {record.error !== null && (
        <Problem
          title="The record could not be loaded"
          error={record.error}
          onRetry={() => record.refetch()}
        />
      )}
      {!isRead && record.error === null && <Skeleton height={480} aria-label="Loading the record" />}
      {isRead && (
        <RecordForm
          type={type}
          list={list}
          initial={record.data}
          isNew={false}
          cancelAddress={address}
          onSaved={onSaved}
        />
      )}
    </Page>
  )
}
