import { Anchor, List, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { DEFAULT_SEARCH_RESULTS } from '#shared/limits'
import type { RecordType } from '#shared/records/record-type'
import { type ListState, recordAddress } from '../../record/address'
import { countFilters, NO_FILTERS } from '../../record/filters'
import { shortText, summaryFields } from '../../record/short-texts'
import type { RecordPage } from '../../service/answers'
import { useSession } from '../../session'

/** If a search finds fewer records than this, similar ones are shown too. As in partner search. */
const ENOUGH_FOUND = 5

interface SimilarRecordsProps {
  type: RecordType
  list: ListState
  found: RecordPage
  /** What stands there if there is nothing to show at all. */
  children: ReactNode
}

/** Active records with names similar to the search. Nothing if the search finds enough, or if there are filters. */
export function SimilarRecords({ type, list, found, children }: SimilarRecordsProps) {
  const { client, can } = useSession()
  const isWhole = countFilters({ ...list, states: NO_FILTERS.states }) === 0 && list.states !== 'inactive'
  const isWanted = list.q.trim() !== '' && found.total < ENOUGH_FOUND && isWhole && can('search')
  const search = useQuery({
    queryKey: ['similar-records', type.name, list.q],
    queryFn: ({ signal }) =>
      client.get('/medical-db/v1/search/', {
        query: { type: type.name, q: list.q, limit: DEFAULT_SEARCH_RESULTS, source: 'workspace' },
        signal,
      }),
    enabled: isWanted,
  })
  const listed = new Set(found.items.map((record) => record[type.idField]))
  const similar = (isWanted ? (search.data?.items ?? []) : []).filter(
    (record) => !listed.has(record[type.idField]),
  )
  if (similar.length === 0) return found.total === 0 && !search.isLoading ? children : null
  return (
    <Paper withBorder p="md">
      <Stack component="section" aria-labelledby="similar-records" gap="xs">
        <div role="status">
          <Title order={2} size="h5" id="similar-records">
            {found.total === 0 ? `No ${type.title} matches “${list.q}”. Similar names:` : 'Similar names'}
          </Title>
        </div>
        <List size="sm" spacing={6} listStyleType="none">
          {similar.map((record) => {
            const id = String(record[type.idField])
            const details = summaryFields(type).map((field) => shortText(field, record[field.name]))
            return (
              <List.Item key={id} className="breakable">
                <Anchor component={Link} href={recordAddress(type, id, list)} inherit>
                  {String(record.name)}
                </Anchor>{' '}
                <Text span size="xs" c="dimmed">
                  {[...details, id].filter((text) => text !== '').join(' · ')}
                </Text>
              </List.Item>
            )
          })}
        </List>
      </Stack>
    </Paper>
  )
}
