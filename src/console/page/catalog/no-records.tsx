import { Button, EmptyState } from '@mantine/core'
import { List, SearchX } from 'lucide-react'
import { Link } from 'wouter'
import type { RecordType } from '#records/record-type'
import type { ListState } from '../record/address'
import { useSession } from '../session'

interface NoRecordsProps {
  type: RecordType
  list: ListState
  onChange: (change: Partial<ListState>) => void
}

/** Why the list is empty, and what to do about it. */
export function NoRecords({ type, list, onChange }: NoRecordsProps) {
  const { can } = useSession()
  const showInactive = !list.inactive && (
    <Button variant="default" onClick={() => onChange({ inactive: true })}>
      Show inactive records too
    </Button>
  )
  if (list.q.trim() !== '') {
    return (
      <EmptyState
        icon={<SearchX aria-hidden />}
        title={`No ${type.title} matches “${list.q}”`}
        description="Every word has to occur in the name, the display name or an alias."
      >
        <EmptyState.Actions>
          <Button variant="default" onClick={() => onChange({ q: '' })}>
            Clear the search
          </Button>
          {showInactive}
        </EmptyState.Actions>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<List aria-hidden />}
      title={list.inactive ? `There are no ${type.plural} yet` : `There are no active ${type.plural}`}
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
