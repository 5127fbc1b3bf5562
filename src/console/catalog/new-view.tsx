import type { RecordType } from '#shared/records/record-type'
import { type ListState, listAddress } from '../record/address'
import { Page } from '../widgets/page'
import { Restricted } from '../widgets/restricted'
import { BackLink } from './back-link'
import { emptyRecord } from './form/form-record'
import { RecordForm } from './form/record-form'

interface NewViewProps {
  type: RecordType
  list: ListState
  onSaved: (id: string, text: string) => void
}

/** The form for a record that there is not yet. */
export function NewView({ type, list, onSaved }: NewViewProps) {
  const address = listAddress(type, list)
  const place = {
    above: <BackLink href={address} label={`All ${type.plural}`} />,
    title: `New ${type.title}`,
  }
  return (
    <Restricted {...place} scope="catalog:write">
      <Page {...place} description={`For many ${type.plural} at once, upload a file.`}>
        <RecordForm
          type={type}
          list={list}
          initial={emptyRecord(type)}
          isNew
          cancelAddress={address}
          onSaved={onSaved}
        />
      </Page>
    </Restricted>
  )
}
