import { NativeSelect, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { useAuthorText } from '../author-text'
import { changesIn } from '../changes/change-texts'
import type { CatalogStatus, Write } from '../service/answers'
import { useSession } from '../session-context'
import { BackLink } from '../widgets/back-link'
import { Page } from '../widgets/page'
import { QueryResult } from '../widgets/query-result'
import { timeText } from '../wording'
import { ChangedRecords } from './changed-records'
import { comparisonAddress, historyAddress, type Span } from './history-address'
import { useCatalogStatus } from './use-writes'
import { countsText, titleText } from './write-text'

const COMPARISON_PATH = '/admin/catalogs/v1/{type}/comparison'

/** Writes whose states can be chosen; an address may name an earlier one. */
const MOST_CHOICES = 200

/** Compares two states of a catalog. */
export function ComparisonView({ type, ...span }: { type: RecordType } & Span) {
  const status = useCatalogStatus(type)
  return (
    <Page
      above={<BackLink href={historyAddress(type)} label={`History of the ${type.plural}`} />}
      title="Compare two points in time"
      description={`Which ${type.plural} differ between them, whatever happened in between.`}
    >
      <QueryResult query={status} name="history" height={120}>
        {(data) => <ComparedStates type={type} status={data} {...span} />}
      </QueryResult>
    </Page>
  )
}

function ComparedStates({ type, status, ...span }: { type: RecordType; status: CatalogStatus } & Span) {
  const { client } = useSession()
  const [, navigate] = useLocation()
  const { revision, oldest_restorable_revision: oldest } = status
  const to = span.to ?? revision
  const from = span.from ?? Math.max(oldest, to - 1)
  const show = (earlier: number, later: number) =>
    // If the later state is chosen as the earlier one, the two change places.
    navigate(comparisonAddress(type, { from: Math.min(earlier, later), to: Math.max(earlier, later) }))
  const choices = useStates(type, status, [from, to])
  const params = { type: type.name }
  const states = { from, to }
  return (
    <Stack gap="lg">
      <Paper withBorder p="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect
            label="The earlier state"
            data={choices}
            value={String(from)}
            onChange={({ currentTarget }) => show(Number(currentTarget.value), to)}
          />
          <NativeSelect
            label="The later state"
            data={choices}
            value={String(to)}
            onChange={({ currentTarget }) => show(from, Number(currentTarget.value))}
          />
        </SimpleGrid>
      </Paper>
      <ChangedRecords
        type={type}
        address={comparisonAddress(type, states)}
        queryKey={['comparison', type.name, from, to]}
        read={(range, signal) => client.get(COMPARISON_PATH, { params, query: { ...states, ...range }, signal })}
        readFile={async () => {
          const query = { ...states, format: 'csv', safe: '1' } as const
          return (await client.file('get', COMPARISON_PATH, { params, query })).blob()
        }}
        none="The two states are the same."
        summary={(page) =>
          page.total > 0 && (
            <Text role="status" fw={600}>
              {countsText({ ...page, unchanged: 0 })}
            </Text>
          )
        }
      />
    </Stack>
  )
}

/** The states that can be chosen, newest first: those after the writes that changed something. */
function useStates(type: RecordType, status: CatalogStatus, shownStates: readonly number[]) {
  const { client } = useSession()
  const authorOf = useAuthorText()
  const { revision, oldest_restorable_revision: oldest } = status
  const writes = useQuery({
    queryKey: ['writes', type.name, 'states'],
    queryFn: ({ signal }) =>
      client.get('/admin/catalogs/v1/{type}/writes', {
        params: { type: type.name },
        query: { limit: MOST_CHOICES },
        signal,
      }),
  })
  const restorable = (writes.data?.items ?? []).filter((write) => changesIn(write) > 0 && write.revision >= oldest)
  const labels = new Map(
    restorable.map((write) => [write.revision, stateLabel(write, authorOf(write.created_by), revision)]),
  )
  const unlabelled = shownStates.filter((state) => !labels.has(state))
  const emptyState = oldest === 0 ? [0] : []
  return [...new Set([...labels.keys(), ...unlabelled, ...emptyState])]
    .toSorted((a, b) => b - a)
    .map((state) => ({
      value: String(state),
      label: state === 0 ? 'The empty catalog, before the first write' : (labels.get(state) ?? `State ${state}`),
    }))
}

const stateLabel = (write: Write, author: string, present: number): string =>
  `${write.revision === present ? 'Now: ' : ''}${timeText(write.created_at)}, after “${titleText(write)}” by ${author}`
