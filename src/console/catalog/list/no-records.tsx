import { Button, EmptyState } from '@mantine/core'
import { List, SearchX } from 'lucide-react'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import type { ListState } from '../../record/catalog-address'
import { countFilters, hasForms, isFiltered, NO_FILTERS } from '../../record/filters'
import { useSession } from '../../session-context'

const TITLES: Readonly<Record<ListState['states'], (plural: string) => string>> = {
  active: (plural) => `There are no active ${plural}`,
  inactive: (plural) => `There are no inactive ${plural}`,
  all: (plural) => `There are no ${plural} yet`,
  problems: (plural) => `There are no possible problems in the ${plural}`,
}

interface NoRecordsProps {
  type: RecordType
  list: ListState
  onChange: (change: Partial<ListState>) => void
}

/** Why the list is empty, and what to do about it. */
export function NoRecords({ type, list, onChange }: NoRecordsProps) {
  const { can } = useSession()
  const isSearch = list.q.trim() !== ''
  const hasFilters = countFilters({ ...list, states: NO_FILTERS.states }) > 0
  const isEmpty = !isFiltered(list)
  const change = (label: string, to: Partial<ListState>) => (
    <Button variant="default" onClick={() => onChange(to)}>
      {label}
    </Button>
  )
  return (
    <EmptyState {...(isEmpty ? emptyText(type, list, can('catalog:write')) : nothingFoundText(type, list.q))}>
      <EmptyState.Actions>
        {isEmpty && can('catalog:write') && (
          <Button component={Link} href={`/${type.name}/upload`}>
            Upload {type.plural}
          </Button>
        )}
        {isSearch && change('Clear the search', { q: '' })}
        {hasFilters && change('Clear the filters', { ...NO_FILTERS, states: list.states })}
        {list.states === 'active' && change('Show inactive records too', { states: 'all' })}
      </EmptyState.Actions>
    </EmptyState>
  )
}

const emptyText = ({ plural }: RecordType, { states }: ListState, mayWrite: boolean) => ({
  icon: <List />,
  title: TITLES[states](plural),
  description: mayWrite
    ? 'Upload a file to fill the catalog.'
    : 'An editor or admin of the workspace can upload a file.',
})

function nothingFoundText(type: RecordType, q: string) {
  const icon = <SearchX />
  if (q.trim() === '') {
    const title = `No ${type.title} matches the filters`
    return { icon, title, description: 'Change or clear the filters to see more.' }
  }
  return {
    icon,
    title: `No ${type.title} matches “${q}”`,
    description:
      'Every word must be in a name, an alias, the id' +
      (hasForms(type) ? ', a generic name, the strength, a code or the manufacturer.' : ' or a code.'),
  }
}
