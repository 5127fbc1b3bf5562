import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import { Pencil } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { usePathname, useSearch } from 'wouter/use-browser-location'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import type { CatalogPageProps } from '../frame/shown-catalog'
import { RecordHistory } from '../history/record-history'
import { editAddress, type ListState, listAddress, recordAddress, useListState } from '../record/catalog-address'
import { headlineOf } from '../record/short-texts'
import { useRoute } from '../routes'
import { useSession } from '../session-context'
import { BackLink } from '../widgets/back-link'
import { DoneNotice } from '../widgets/done-notice'
import { Page } from '../widgets/page'
import { QueryResult } from '../widgets/query-result'
import { RestrictedPage } from '../widgets/restricted-page'
import { titleCase } from '../wording'
import { emptyRecord } from './form/form-record'
import { RecordForm } from './form/record-form'
import { ActivationNotice } from './list/activation-notice'
import { ListView } from './list/list-view'
import { ProblemsView } from './list/problems-view'
import { useActivation } from './list/use-activation'
import { RecordFields } from './record-fields'
import { useRecord } from './use-record'
import './catalog.css'

/** The list of a catalog, or one record to view or edit, depending on the URL. */
export default function CatalogPage({ type }: CatalogPageProps) {
  const pathname = usePathname()
  const route = useRoute()
  const list = useListState()
  const isNew = new URLSearchParams(useSearch()).has('new')
  /** The last action, and the record it is shown for. */
  const [notice, setNotice] = useState<{ id: string; text: string }>()
  const noticeText = route?.is === 'record' && notice?.id === route.id ? notice.text : undefined
  const onSaved = (id: string, text: string) => setNotice({ id, text })

  // biome-ignore lint/correctness/useExhaustiveDependencies: clears the notice when another page is shown.
  useEffect(() => {
    if (noticeText !== undefined) return () => setNotice(undefined)
  }, [pathname, noticeText === undefined])

  return (
    <>
      {route?.is === 'list' && !isNew && list.states !== 'problems' && (
        <ListView key={type.name} type={type} list={list} />
      )}
      {route?.is === 'list' && !isNew && list.states === 'problems' && (
        <ProblemsView key={type.name} type={type} list={list} />
      )}
      {route?.is === 'list' && isNew && <NewView type={type} list={list} onSaved={onSaved} />}
      {route?.is === 'record' && (
        <RecordView key={route.id} type={type} list={list} id={route.id} notice={noticeText} />
      )}
      {route?.is === 'edit' && <EditView key={route.id} type={type} list={list} id={route.id} onSaved={onSaved} />}
    </>
  )
}

interface FormViewProps {
  type: RecordType
  list: ListState
  onSaved: (id: string, text: string) => void
}

function NewView(props: FormViewProps) {
  const { type, list } = props
  const address = listAddress(type, list)
  const pageHeader = { above: <BackLink href={address} label={`All ${type.plural}`} />, title: `New ${type.title}` }
  return (
    <RestrictedPage {...pageHeader} scope="catalog:write">
      <Page {...pageHeader} description={`For many ${type.plural} at once, upload a file.`}>
        <RecordForm {...props} initial={emptyRecord(type)} isNew cancelAddress={address} />
      </Page>
    </RestrictedPage>
  )
}

/** The form to edit a record, with a fresh copy of the record. */
function EditView({ id, ...props }: FormViewProps & { id: string }) {
  const { type, list } = props
  const { can } = useSession()
  const record = useRecord(type, id, { fresh: true, enabled: can('catalog:write') })
  // Data loaded for another page may be outdated.
  const fresh = record.isFetchedAfterMount ? record : { ...record, data: undefined, isPending: record.error === null }
  const address = recordAddress(type, id, list)
  const pageHeader = {
    above: <BackLink href={address} label={`Back to the ${type.title}`} />,
    title: `Edit ${type.title}`,
  }
  return (
    <RestrictedPage {...pageHeader} scope="catalog:write">
      <Page {...pageHeader} description={<span translate="no">{String(record.data?.name ?? id)}</span>}>
        <QueryResult query={fresh} name="record" height={480}>
          {(initial) => <RecordForm {...props} initial={initial} isNew={false} cancelAddress={address} />}
        </QueryResult>
      </Page>
    </RestrictedPage>
  )
}

interface RecordViewProps {
  type: RecordType
  list: ListState
  id: string
  notice: string | undefined
}

/** All values of one record, its history, and the available actions. */
function RecordView({ type, list, id, notice }: RecordViewProps) {
  const { can } = useSession()
  const record = useRecord(type, id)
  const activation = useActivation(type)
  return (
    <Page
      above={<BackLink href={listAddress(type, list)} label={`All ${type.plural}`} />}
      title={record.data === undefined ? titleCase(type.title) : String(record.data.name)}
      translate={record.data === undefined ? 'yes' : 'no'}
      description={<RecordHeadline type={type} id={id} record={record.data} />}
      actions={
        record.error === null &&
        can('catalog:write') && (
          <Group gap="sm">
            {/* Asks for no confirmation, because the following notice offers to undo it. */}
            <Button
              variant="default"
              loading={activation.isPending}
              disabled={record.data === undefined}
              onClick={() => activation.start(id, record.data?.is_active !== true)}
            >
              {record.data?.is_active === false ? 'Reactivate' : 'Deactivate'}
            </Button>
            <Button component={Link} href={editAddress(type, id, list)} leftSection={<Pencil size={16} />}>
              Edit
            </Button>
          </Group>
        )
      }
    >
      {/* Another element when loaded: content that replaces a placeholder has not moved. */}
      <Stack gap="md" key={record.data === undefined ? 'loading' : 'loaded'}>
        {notice !== undefined && activation.outcome === undefined && <DoneNotice title={notice} />}
        <ActivationNotice activation={activation} />
        <QueryResult query={record} name="record" missing={`There is no such ${type.title}`} height={480}>
          {(data) => (
            <>
              <RecordFields type={type} record={data} />
              <RecordHistory type={type} id={id} />
            </>
          )}
        </QueryResult>
      </Stack>
    </Page>
  )
}

/** Details that distinguish the record from others with the same name, whether it is inactive, and its ID. */
function RecordHeadline({ type, id, record }: { type: RecordType; id: string; record: RawRecord | undefined }) {
  // Two blank lines reserve the space until the record is loaded. An ID here would move if the headline is longer.
  if (record === undefined) {
    return (
      <>
        <br />
        <br />
      </>
    )
  }
  const headline = headlineOf(type, record)
  return (
    <>
      {headline.length > 0 && (
        <Text span display="block" c="var(--mantine-color-text)" className="breakable" translate="no">
          {headline.join(' · ')}
        </Text>
      )}
      <Group component="span" gap="xs">
        {record.is_active === false && (
          <Badge component="span" color="gray">
            Inactive
          </Badge>
        )}
        <Code className="breakable">{id}</Code>
      </Group>
    </>
  )
}
