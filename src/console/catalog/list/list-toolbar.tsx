import { Button, Collapse, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { SlidersHorizontal, X } from 'lucide-react'
import { DRUG_FORMS } from '#shared/records/drug-forms'
import type { RecordType } from '#shared/records/record-type'
import { KINDS } from '#shared/records/types/lab-test'
import type { ListState } from '../../record/catalog-address'
import { countFilters, hasForms, hasKinds, LINKED, type ListFilters, NO_FILTERS, UNLINKED } from '../../record/filters'
import { shownSort, sortChoices, sortNamed } from '../../record/sort'
import { useNarrow } from '../../widgets/hooks'
import { SearchInput } from '../../widgets/search-input'
import { valueLabel } from '../../wording'

interface ListToolbarProps {
  type: RecordType
  list: ListState
  loading: boolean
  onChange: (change: Partial<ListState>, options?: { replace: boolean }) => void
}

const searchHint = (type: RecordType): string => `Name, ${hasForms(type) ? 'generic, strength, ' : 'alias, '}ID or code`

/** The search and the filters of a list. On small screens, a button opens the filters and the order. */
export function ListToolbar(props: ListToolbarProps) {
  const { type, list, loading, onChange } = props
  const isNarrow = useNarrow()
  const [opened, { toggle }] = useDisclosure(false)
  const count = countFilters(list)
  return (
    <Stack role="search" aria-label={`Search ${type.plural}`} gap="xs">
      <Group align="flex-end" gap="sm">
        <SearchInput
          label="Search"
          placeholder={searchHint(type)}
          value={list.q}
          loading={loading}
          onSearch={(q) => onChange({ q }, { replace: true })}
        />
        {isNarrow ? (
          <Button
            variant="default"
            aria-expanded={opened}
            leftSection={<SlidersHorizontal size={16} />}
            onClick={toggle}
          >
            {count === 0 ? 'Filters' : `Filters (${count})`}
          </Button>
        ) : (
          <FilterInputs {...props} />
        )}
      </Group>
      {isNarrow && (
        <Collapse expanded={opened}>
          <Stack gap="xs">
            <FilterInputs {...props} />
          </Stack>
        </Collapse>
      )}
    </Stack>
  )
}

export const STATE_CHOICES: { value: ListState['states']; label: string }[] = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'all', label: 'Active and inactive' },
  { value: 'problems', label: 'Possible problems' },
]

export const stateNamed = (name: string): ListState['states'] =>
  STATE_CHOICES.find(({ value }) => value === name)?.value ?? NO_FILTERS.states

const FORM_CHOICES = [
  { value: '', label: 'Any' },
  { value: LINKED, label: 'Linked to an accepted form' },
  { value: UNLINKED, label: 'Not linked to a form' },
  {
    group: 'Accepted forms',
    items: DRUG_FORMS.map(({ form_id, name }) => ({ value: form_id, label: name })).toSorted((a, b) =>
      a.label.localeCompare(b.label),
    ),
  },
]

const KIND_CHOICES: { value: string; label: string }[] = [
  { value: '', label: 'Any' },
  ...KINDS.map((kind) => ({ value: kind, label: valueLabel({}, kind) })),
]

function FilterInputs({ type, list, onChange }: ListToolbarProps) {
  const isNarrow = useNarrow()
  const select = (name: keyof ListFilters, label: string, data: typeof FORM_CHOICES | typeof STATE_CHOICES) => (
    <NativeSelect
      label={label}
      data={data}
      {...(isNarrow ? {} : { flex: '0 1 150px' })}
      value={list[name]}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  )
  return (
    <>
      {select('states', 'State', STATE_CHOICES)}
      {hasForms(type) && select('form', 'Dosage form', FORM_CHOICES)}
      {hasKinds(type) && select('kind', 'Kind', KIND_CHOICES)}
      <TextInput
        type="date"
        label="Updated since"
        value={list.since}
        onChange={({ currentTarget }) => onChange({ since: currentTarget.value }, { replace: true })}
      />
      <NativeSelect
        label="Sort by"
        value={shownSort(list)}
        data={sortChoices(list)}
        {...(isNarrow ? {} : { flex: '0 1 150px' })}
        onChange={({ currentTarget }) => onChange({ sort: sortNamed(currentTarget.value) })}
      />
      {countFilters(list) > 0 && (
        <Button variant="subtle" leftSection={<X size={16} />} onClick={() => onChange(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </>
  )
}
