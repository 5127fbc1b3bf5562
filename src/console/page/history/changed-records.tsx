import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { RecordType } from '#records/record-type'
import { recordAddress, WHOLE_LIST } from '../record/address'
import { Differences } from '../record/differences'
import { FullListHeading } from '../record/full-list'
import type { WriteChange } from '../service/answers'
import { useSession } from '../session'
import { ItemList } from '../shell/item-list'
import type { Column } from '../shell/item-table'
import { Loaded } from '../shell/loaded'
import { Pager } from '../shell/pager'
import { useAddressedPages } from '../shell/use-pages'
import { writeAddress } from './address'
import { ChangeBadge } from './change-badge'

const CHANGES_OF = '/admin/catalogs/v1/{type}/writes/{batch_id}/changes'

/** What a write did to each record, page by page, and all of it as a file. */
export function ChangedRecords({ type, id }: { type: RecordType; id: string }) {
  const { client } = useSession()
  const params = { type: type.name, batch_id: id }
  const { answer: changes, place } = useAddressedPages({
    address: writeAddress(type, id),
    queryKey: ['write-changes', type.name, id],
    read: (range, signal) => client.get(CHANGES_OF, { params, query: range, signal }),
  })
  const readFile = async () => {
    const file = await client.file('get', CHANGES_OF, { params, query: { format: 'csv', safe: '1' } })
    return file.blob()
  }
  return (
    <Stack component="section" gap="sm" aria-labelledby="changed-records">
      <FullListHeading
        fileName={`${type.name}-changes.csv`}
        getFile={changes.data !== undefined && changes.data.total > 0 ? readFile : undefined}
      >
        <Title order={2} size="h4" id="changed-records">
          Record by record
        </Title>
      </FullListHeading>
      <Loaded query={changes} name="records" height={240}>
        {(shown) => (
          <>
            {shown.total === 0 && <Text>No record was changed.</Text>}
            {shown.items.length > 0 && (
              <>
                <ItemList
                  name="changed records"
                  items={shown.items}
                  idOf={({ id }) => id}
                  columns={changeColumns(type)}
                  minWidth={480}
                  card={(change) => <ChangeCard type={type} change={change} />}
                />
                <Pager items="changed records" {...place} shown={shown} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  )
}

const changeColumns = (type: RecordType): readonly Column<WriteChange>[] => [
  {
    label: 'Record',
    cell: (change) => <RecordLink type={type} change={change} />,
    isRowHeader: true,
    className: 'name-cell top-cell',
  },
  { label: 'Became', cell: ({ change }) => <ChangeBadge change={change} />, className: 'top-cell' },
  { label: 'Fields', cell: ({ fields = {} }) => <Differences fields={fields} />, className: 'top-cell' },
]

const RecordLink = ({ type, change: { id, name } }: { type: RecordType; change: WriteChange }) => (
  <>
    <Anchor
      component={Link}
      href={recordAddress(type, id, WHOLE_LIST)}
      fw={550}
      inherit
      className="breakable"
    >
      {name}
    </Anchor>
    <Text size="xs" c="dimmed" fw={400} className="breakable">
      {id}
    </Text>
  </>
)

const ChangeCard = ({ type, change }: { type: RecordType; change: WriteChange }) => (
  <Stack gap="xs">
    <Group justify="space-between" align="flex-start" wrap="nowrap">
      <div>
        <RecordLink type={type} change={change} />
      </div>
      <ChangeBadge change={change.change} />
    </Group>
    <Differences fields={change.fields ?? {}} />
  </Stack>
)
