import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { useAuthorText } from '../author-text'
import { ChangeBadge } from '../changes/change-badge'
import { Differences } from '../record/differences'
import type { RecordVersion } from '../service/answers'
import { useSession } from '../session-context'
import { QueryResult } from '../widgets/query-result'
import { timeText } from '../wording'
import { writeAddress } from './history-address'

const VERSIONS_AT_ONCE = 10

/** The history of a record: who changed it and when, with old and new values. */
export function RecordHistory({ type, id }: { type: RecordType; id: string }) {
  const { client } = useSession()
  const versions = useInfiniteQuery({
    queryKey: ['record-history', type.name, id],
    queryFn: ({ pageParam, signal }) =>
      client.get('/admin/catalogs/v1/{type}/records/{entity_id}/history', {
        params: { type: type.name, entity_id: id },
        query: { limit: VERSIONS_AT_ONCE, offset: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ offset, count, has_more }) => (has_more ? offset + count : undefined),
  })
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }} component="section" aria-labelledby="record-history">
      <Stack>
        <Title order={2} size="h4" id="record-history">
          History
        </Title>
        <QueryResult query={versions} name="history" height={120}>
          {({ pages }) => (
            <Stack component="ol" className="plain-list" aria-labelledby="record-history" gap="lg">
              {pages
                .flatMap(({ items }) => items)
                .map((version) => (
                  <li key={version.revision}>
                    <Version type={type} version={version} />
                  </li>
                ))}
            </Stack>
          )}
        </QueryResult>
        {versions.hasNextPage && (
          <Button variant="default" loading={versions.isFetchingNextPage} onClick={() => versions.fetchNextPage()}>
            Show earlier changes
          </Button>
        )}
      </Stack>
    </Paper>
  )
}

function Version({ type, version }: { type: RecordType; version: RecordVersion }) {
  const { change, changed_at, changed_by, batch_id, fields } = version
  const authorOf = useAuthorText()
  const time = <time dateTime={changed_at}>{timeText(changed_at)}</time>
  const isPurged = change === 'updated' && Object.keys(fields).length === 0
  return (
    <Stack gap={4}>
      <Group gap="xs">
        {batch_id === null ? (
          <Text size="sm" fw={550}>
            {time}
          </Text>
        ) : (
          <Anchor component={Link} href={writeAddress(type, batch_id)} size="sm" fw={550}>
            {time}
          </Anchor>
        )}
        <ChangeBadge change={change} />
        <Text size="sm" c="dimmed" className="breakable">
          {changed_by === null ? 'Details of this change are no longer kept.' : `by ${authorOf(changed_by)}`}
        </Text>
      </Group>
      <Differences fields={fields} />
      {isPurged && <Text size="sm">The values before this change are no longer kept.</Text>}
    </Stack>
  )
}
