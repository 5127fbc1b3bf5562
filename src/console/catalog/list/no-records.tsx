import { Button, EmptyState } from '@mantine/core'
import { List, SearchX } from 'lucide-react'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import type { ListState } from '../../record/address'
import { countFilters, hasForms, isFiltered, NO_FILTERS } from '../../record/filters'
import { useSession } from '../../session'

const TITLES: Readonly<Record<ListState['states'], (plural: string) => string>> = {
  active: (plural) => `There are no active ${plural}`,
  inactive: (plural) => `There are no inactive ${plural}`,
  all: (plural) => `There are no ${plural} yet`,
}

interface NoRecordsProps {
  type: RecordType
  list: ListState
  onChange: (change: Partial<ListState>) => void
}

/** Why the list is empty, and what to do about it. */
export function NoRecords({ type, list, onChange }: NoRecordsProps) {
  const { can } = useSession()
  const showInactive = list.states === 'active' && (
    <Button variant="default" onClick={() => onChange({ states: 'all' })}>
      Show inactive records too
    </Button>
  )
  if (isFiltered(list)) {
    const isSearch = list.q.trim() !== ''
    const hasFilters = countFilters({ ...list, states: NO_FILTERS.states }) > 0
    return (
      <EmptyState
        icon={<SearchX />}
        title={isSearch ? `No ${type.title} matches “${list.q}”` : `No ${type.title} matches the filters`}
        description={
          isSearch
            ? 'Every word has to occur in a name, an alias, the id' +
              (hasForms(type) ? ', a generic name, the strength, a code or the manufacturer.' : ' or a code.')
            : 'Change or clear the filters to see more.'
        }
      >
        <EmptyState.Actions>
          {isSearch && (
            <Button variant="default" onClick={() => onChange({ q: '' })}>
              Clear the search
            </Button>
          )}
          {hasFilters && (
            <Button variant="default" onClick={() => onChange({ ...NO_FILTERS, states: list.states })}>
              Clear the filters
            </Button>
          )}
          {showInactive}
        </EmptyState.Actions>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<List />}
      title={TITLES[list.states](type.plural)}
      description={
        can('catalog:write')
          ? 'Upload a file to fill the catalog.'
          : 'An editor or admin of the workspace can upload a file.'
      }
    >
      <EmptyState.Actions>
        {can('catalog:write') && (
          <Button component={Link} href={`/${type.name}/upload`}>
            Upload {type.plural}
          </Button>
        )}
        {showInactive}
      </EmptyState.Actions>
    </EmptyState>
  )
}
