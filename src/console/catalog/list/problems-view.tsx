import { Anchor, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { Link, useLocation } from 'wouter'
import type { Data } from '#client/api'
import { PROBLEM_CODES, type ProblemCode } from '#shared/records/problem-codes'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { useCatalogChange } from '../../queries'
import { editAddress, type ListState, listAddress, recordAddress } from '../../record/catalog-address'
import { headlineOf } from '../../record/short-texts'
import { useSession } from '../../session-context'
import { actionsColumn, type Column } from '../../widgets/item-table'
import { FocusAfterwards } from '../../widgets/kept-focus'
import { Page } from '../../widgets/page'
import { PagedList } from '../../widgets/paged-list'
import { Problem } from '../../widgets/problem'
import { QueryResult } from '../../widgets/query-result'
import { usePages } from '../../widgets/use-pages'
import { countText, fieldLabel } from '../../wording'
import { STATE_CHOICES, stateNamed } from './list-toolbar'

const PROBLEMS = '/admin/catalogs/v1/{type}/problems'

type Listed = Data<'get', typeof PROBLEMS>['items'][number]

const LABELS: Readonly<Record<ProblemCode, string>> = {
  strength_conflict: 'Strength contradicts the name',
  same_item: 'Same item twice',
  check_digit: 'Wrong check digit',
}

interface ProblemsViewProps {
  type: RecordType
  list: ListState
}

/** The records that may be wrong, each with the reason. */
export function ProblemsView({ type, list }: ProblemsViewProps) {
  const { can } = useSession()
  const [, navigate] = useLocation()
  const navigateTo = (change: Partial<ListState>) => navigate(listAddress(type, { ...list, page: 1, ...change }))
  const code = list.problem || undefined
  const params = { type: type.name }
  const { answer: problems, pager } = usePages({
    queryKey: ['problems', type.name, code],
    address: listAddress(type, { ...list, page: 1 }),
    read: (client, range, signal) => client.get(PROBLEMS, { params, query: { ...range, code }, signal }),
  })
  const accept = useCatalogChange(type, (client, item: Listed) =>
    client.post(`${PROBLEMS}/accept`, { params, body: { id: idOf(type, item), code: item.code } }),
  )
  const status = useRef<HTMLParagraphElement>(null)
  const actions = actionsColumn((item: Listed) => (
    <Group gap="xs" justify="flex-end">
      <Anchor component={Link} href={editAddress(type, idOf(type, item), list)} size="sm">
        Edit
      </Anchor>
      <Button
        size="xs"
        variant="default"
        aria-label={`Accept ${nameOf(item)}`}
        loading={accept.isPending && accept.variables === item}
        onClick={() => accept.mutate(item)}
      >
        Accept
      </Button>
    </Group>
  ))
  return (
    <Page
      title="Catalog"
      description={`${EXPLANATION} Accept those that are right: they come back if the record changes.`}
    >
      <Stack gap="md">
        <Group align="flex-end" gap="sm">
          <NativeSelect
            label="State"
            data={STATE_CHOICES}
            value="problems"
            onChange={({ currentTarget: { value } }) => navigateTo({ states: stateNamed(value), problem: '' })}
          />
          <NativeSelect
            label="Problem"
            data={[{ value: '', label: 'Any' }, ...PROBLEM_CODES.map((one) => ({ value: one, label: LABELS[one] }))]}
            value={list.problem}
            onChange={({ currentTarget: { value } }) =>
              navigateTo({ problem: PROBLEM_CODES.find((one) => one === value) ?? '' })
            }
          />
        </Group>
        <Problem error={accept.error} />
        <QueryResult query={problems} name="possible problems" height={320}>
          {(page) => (
            <>
              <Text role="status" fw={600} ref={status} tabIndex={-1}>
                {page.total === 0
                  ? `No possible problems in the ${type.plural}`
                  : countText(page.total, 'possible problem', 'possible problems')}
              </Text>
              <FocusAfterwards value={status}>
                <PagedList
                  name="possible problems"
                  shown={page}
                  pager={pager}
                  idOf={(item) => `${idOf(type, item)} ${item.code} ${item.field}`}
                  columns={[...columnsOf(type, list), ...(can('catalog:write') ? [actions] : [])]}
                  minWidth={640}
                />
              </FocusAfterwards>
            </>
          )}
        </QueryResult>
      </Stack>
    </Page>
  )
}

const EXPLANATION = 'Active records that may be wrong.'

const recordOf = ({ record }: Listed): RawRecord => record
const idOf = (type: RecordType, item: Listed): string => String(recordOf(item)[type.idField])
const nameOf = (item: Listed): string => String(recordOf(item).name)

const columnsOf = (type: RecordType, list: ListState): readonly Column<Listed>[] => [
  {
    label: 'Record',
    isRowHeader: true,
    className: 'name-cell',
    translate: 'no',
    cell: (item) => (
      <>
        <Anchor component={Link} href={recordAddress(type, idOf(type, item), list)} fw={550} inherit>
          {nameOf(item)}
        </Anchor>
        <Text size="xs" c="dimmed" fw={400}>
          {[...headlineOf(type, recordOf(item)), idOf(type, item)].join(' · ')}
        </Text>
      </>
    ),
  },
  {
    label: 'Possible problem',
    cell: ({ code, field, value, other, similar_to }) => (
      <>
        <Text size="sm">{LABELS[code]}</Text>
        {code === 'same_item' ? (
          <Text size="sm" c="dimmed">
            All values are those of{' '}
            <Anchor component={Link} href={recordAddress(type, similar_to ?? '', list)} inherit translate="no">
              {similar_to}
            </Anchor>
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            {fieldLabel(field)}: <span translate="no">{value}</span>
            {other !== undefined && ', name: '}
            {other !== undefined && <span translate="no">{other}</span>}
          </Text>
        )}
      </>
    ),
  },
]
