import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RecordType } from '#shared/records/record-type'
import { type ListState, recordAddress } from '../record/address'
import { Loaded } from '../widgets/loaded'
import { Page } from '../widgets/page'
import { Restricted } from '../widgets/restricted'
import { BackLink } from './back-link'
import { RecordForm } from './form/record-form'
import { useRecord } from './use-record'

interface EditViewProps {
  type: RecordType
  list: ListState
  id: string
  onSaved: (id: string, text: string) => void
}

interface EditPageProps extends EditViewProps {
  /** Of the record. */
  address: string
  /** Title, and the way back. */
  place: { title: string; above: ReactNode }
}

/** The form for a record. */
export function EditView(props: EditViewProps) {
  const { type, list, id } = props
  const address = recordAddress(type, id, list)
  const place = {
    above: <BackLink href={address} label={`Back to the ${type.title}`} />,
    title: `Edit ${type.title}`,
  }
  return (
    <Restricted {...place} scope="catalog:write">
      <EditPage {...props} address={address} place={place} />
    </Restricted>
  )
}

function EditPage({ type, list, id, onSaved, address, place }: EditPageProps) {
  const record = useRecord(type, id, { fresh: true })
  // What was loaded for another page may be out of date.
  const fresh = record.isFetchedAfterMount
    ? record
    : { ...record, data: undefined, isPending: record.error === null }
  return (
    <Page
      {...place}
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
