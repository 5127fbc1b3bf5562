import { Anchor, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { ChangeBadge } from '../changes/change-badge'
import { recordAddress, WHOLE_LIST } from '../record/catalog-address'
import { Differences } from '../record/differences'
import type { ChangesPage, WriteChange } from '../service/answers'
import { FullListHeading } from '../widgets/download-button'
import type { Column } from '../widgets/item-table'
import { PagedList } from '../widgets/paged-list'
import { QueryResult } from '../widgets/query-result'
import { type PagesOptions, usePages } from '../widgets/use-pages'

interface ChangedRecordsProps<Page> extends PagesOptions<Page> {
  type: RecordType
  readFile: () => Promise<Blob>
  none: string
}

/** What happened to each record, page by page, with a button to download everything. */
export function ChangedRecords<Page extends ChangesPage>({
  type,
  readFile,
  none,
  ...pages
}: ChangedRecordsProps<Page>) {
  const { answer: changes, pager } = usePages(pages)
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
      <QueryResult query={changes} name="records" height={240}>
        {(page) => (
          <>
            {page.total === 0 && <Text>{none}</Text>}
            <PagedList
              name="changed records"
              shown={page}
              pager={pager}
              idOf={({ id }) => id}
              columns={changeColumns(type)}
              minWidth={480}
            />
          </>
        )}
      </QueryResult>
    </Stack>
  )
}

const changeColumns = (type: RecordType): readonly Column<WriteChange>[] => [
  {
    label: 'Record',
    cell: (change) => <RecordLink type={type} change={change} />,
    isRowHeader: true,
    className: 'name-cell',
  },
  { label: 'Became', cell: ({ change }) => <ChangeBadge change={change} /> },
  {
    label: 'Fields',
    cell: ({ fields }) => (fields === undefined ? null : <Differences fields={fields} />),
  },
]

/** A record's name, as a link to its page, and its ID. */
export const RecordLink = ({ type, change: { id, name } }: { type: RecordType; change: WriteChange }) => (
  <>
    <Anchor
      component={Link}
      href={recordAddress(type, id, WHOLE_LIST)}
      fw={550}
      inherit
      className="breakable"
      translate="no"
    >
      {name}
    </Anchor>
    <Text size="xs" c="dimmed" fw={400} className="breakable" translate="no">
      {id}
    </Text>
  </>
)
