import { Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { DEFAULT_SEARCH_RESULTS } from '#shared/limits'
import type { RecordType } from '#shared/records/record-type'
import { WHOLE_LIST } from '../record/catalog-address'
import { RecordMatches } from '../record/record-matches'
import { usePartnerSearch } from '../record/use-partner-search'
import type { SearchResult, SearchSource } from '../service/answers'
import { Problem } from '../widgets/problem'
import { SearchInput } from '../widgets/search-input'
import { countText } from '../wording'

/** Where to search: where partners search now, or in one of the two catalogs, even if partner search is off. */
type TrialSource = SearchSource | 'partners'

const SOURCES: { value: TrialSource; label: string }[] = [
  { value: 'partners', label: 'As partners see it now' },
  { value: 'workspace', label: 'Own catalog' },
  { value: 'provider', label: "Provider's" },
]

/** Lets the user search as partners do, without changing anything for partners. */
export function TrialSearch({ type }: { type: RecordType }) {
  const [text, setText] = useState('')
  const [source, setSource] = useState<TrialSource>('partners')
  const isBlank = text.trim() === ''
  const search = usePartnerSearch(type, text, source === 'partners' ? undefined : source, {
    placeholderData: keepPreviousData,
  })
  const result = isBlank ? undefined : search.data
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }} component="section" aria-labelledby="trial-search">
      <Stack gap="md">
        <Title order={2} size="h4" id="trial-search">
          Try the search
        </Title>
        <SegmentedControl
          className="type-switch"
          aria-label="Where to search"
          data={SOURCES}
          value={source}
          onChange={setSource}
        />
        <Group role="search" aria-label={`Try the search of ${type.plural}`}>
          <SearchInput
            label={`Search ${type.plural}`}
            placeholder="Type as a user would"
            value={text}
            loading={!isBlank && search.isFetching}
            onSearch={setText}
          />
        </Group>
        <Text size="sm" role="status" mih={22}>
          {result === undefined
            ? isBlank
              ? `${SOURCE_TEXTS[source]}, best match first, at most ${DEFAULT_SEARCH_RESULTS}.`
              : ''
            : matchText(result)}
        </Text>
        <Problem title="The search did not work" error={search.error} onRetry={() => search.refetch()} />
        {result !== undefined && result.count > 0 && <MatchGroups type={type} result={result} />}
      </Stack>
    </Paper>
  )
}

/** The matches in groups. Every group except ordinary matches has a heading. */
function MatchGroups({ type, result: { items, groups, source } }: { type: RecordType; result: SearchResult }) {
  const starts = groups.map((_, n) => groups.slice(0, n).reduce((sum, { count }) => sum + count, 0))
  return groups.map((group, n) => {
    const start = starts[n] ?? 0
    const heading = headingOf(group, start > 0)
    return (
      <Stack key={heading} gap="xs">
        {group.match !== 'exact' && (
          <Title order={3} size="h6">
            {heading}
          </Title>
        )}
        <RecordMatches
          type={group.match === 'exact' ? 'ordered' : 'unordered'}
          aria-label={heading}
          recordType={type}
          records={items.slice(start, start + group.count)}
          // Only records of the workspace's own catalog have a page.
          list={source === 'workspace' ? WHOLE_LIST : undefined}
        />
      </Stack>
    )
  })
}

/**
 * What the records of a group have in common, as partners should show it to their users.
 *
 * @param isBelowOthers whether it follows other matches, which may contain what these lack
 */
function headingOf({ match, query, left_out }: SearchResult['groups'][number], isBelowOthers: boolean): string {
  const missing = left_out.map((text) => `‘${text}’`).join(', ')
  switch (match) {
    case 'exact':
      return 'Matches'
    case 'beginning':
      return `Numbers that begin with ${query?.split(' ').at(-1)}`
    case 'misspelt':
      return `Similar names: ${query}`
    case 'left_out':
      if (!/^\d/.test(left_out[0] ?? '')) return `Without ${missing}`
      return isBelowOthers
        ? `Other ${query}, without ${left_out.join(', ')}`
        : `Nothing with ${left_out.join(', ')}. Other ${query}`
  }
}

const SOURCE_TEXTS: Readonly<Record<TrialSource, string>> = {
  partners: 'What partners find now',
  workspace: 'What partners would find in your own catalog',
  provider: "What partners would find in the provider's medical database",
}

function matchText({ count, approximate, source }: SearchResult): string {
  const where = source === 'workspace' ? 'your own catalog' : "the provider's medical database"
  const matches = count === 0 ? 'No match' : countText(count, 'match', 'matches')
  return `${matches} in ${where}${approximate > 0 ? `, ${approximate} of them only approximate` : ''}`
}
