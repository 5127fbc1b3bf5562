import { Group, Switch } from '@mantine/core'
import type { RecordType } from '#records/record-type'
import type { ListState } from '../record/address'
import { SearchInput } from '../shell/search-input'

interface ListFilterProps {
  type: RecordType
  list: ListState
  loading: boolean
  onChange: (change: Partial<ListState>, options?: { replace: boolean }) => void
}

/** What of a catalog is listed. */
export const ListFilter = ({ type, list, loading, onChange }: ListFilterProps) => (
  <Group role="search" aria-label={`Search ${type.plural}`} align="flex-end" gap="md">
    <SearchInput
      label="Search"
      placeholder="Name, display name or alias"
      value={list.q}
      loading={loading}
      onSearch={(q) => onChange({ q }, { replace: true })}
    />
    <Switch
      label="Show inactive records too"
      mb={8}
      checked={list.inactive}
      onChange={(event) => onChange({ inactive: event.currentTarget.checked })}
    />
  </Group>
)
