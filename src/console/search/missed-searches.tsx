import { Anchor, Button, Group, Paper, Radio, Stack, Text, Title } from '@mantine/core'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Data } from '#client/api'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { useCatalogChange, useRead } from '../queries'
import { recordAddress, WHOLE_LIST } from '../record/catalog-address'
import { Differences } from '../record/differences'
import { detailsOf } from '../record/record-matches'
import { itemsOf } from '../record/short-texts'
import { usePartnerSearch } from '../record/use-partner-search'
import { useSession } from '../session-context'
import { Dialog } from '../widgets/dialog'
import { tellDone } from '../widgets/done-notice'
import { type SubjectDialog, useSubject } from '../widgets/hooks'
import { actionsColumn, type Column, ItemList } from '../widgets/item-table'
import { FocusAfterwards } from '../widgets/kept-focus'
import { Problem } from '../widgets/problem'
import { QueryResult } from '../widgets/query-result'
import { SearchInput } from '../widgets/search-input'
import { numberText, timeText } from '../wording'

const MISSES = '/admin/catalogs/v1/{type}/search-misses'

type Misses = Data<'get', typeof MISSES>
type Miss = Misses['items'][number]

/** Texts that users searched for and did not find. Each can be added to a record as a name, or hidden. */
export function MissedSearches({ type }: { type: RecordType }) {
  const { can } = useSession()
  const params = { type: type.name }
  const naming = useSubject<Miss>()
  const misses = useRead(['search-misses', type.name], (client, signal) => client.get(MISSES, { params, signal }))
  const dismissal = useCatalogChange(type, (client, { text }: Miss) =>
    client.post(`${MISSES}/dismiss`, { params, body: { text } }),
  )
  const setting = useCatalogChange(type, (client, enabled: boolean) =>
    client.put(`${MISSES}/settings`, { params, body: { enabled } }),
  )
  const heading = useRef<HTMLHeadingElement>(null)
  const error = dismissal.error ?? setting.error
  const actions = actionsColumn((miss: Miss) => (
    <Group gap="xs" justify="flex-end">
      <Button size="xs" aria-label={`Add as a name of…: ${miss.text}`} onClick={() => naming.open(miss)}>
        Add as a name of…
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={`Not ours: ${miss.text}`}
        loading={dismissal.isPending && dismissal.variables === miss}
        onClick={() => dismissal.mutate(miss)}
      >
        Not ours
      </Button>
    </Group>
  ))
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }} component="section" aria-labelledby="missed-searches">
      <FocusAfterwards value={heading}>
        <Stack gap="md">
          <Group justify="space-between" align="flex-start">
            <Title order={2} size="h4" id="missed-searches" ref={heading} tabIndex={-1}>
              Searches without a result
            </Title>
            {misses.data !== undefined && can('workspace:admin') && (
              <Button
                size="xs"
                variant="subtle"
                loading={setting.isPending}
                onClick={() => setting.mutate(!misses.data.enabled)}
              >
                {misses.data.enabled ? 'Turn off and delete' : 'Turn on'}
              </Button>
            )}
          </Group>
          <Problem error={error} />
          <QueryResult query={misses} name="searches" height={160}>
            {({ enabled, items, total }) => (
              <>
                <Text size="sm" role="status">
                  {statusText(type, enabled, total)}
                </Text>
                {items.length > 0 && (
                  <ItemList
                    name="searches without a result"
                    items={items}
                    idOf={({ text }) => text}
                    columns={[...columnsOf(type), ...(can('catalog:write') ? [actions] : [])]}
                    minWidth={640}
                  />
                )}
                {total > items.length && (
                  <Text size="sm">{`The ${numberText(items.length)} most frequent are shown.`}</Text>
                )}
              </>
            )}
          </QueryResult>
        </Stack>
        <Dialog {...naming} onClose={naming.close} title={`Add “${naming.subject?.text}” as a name`} size="lg">
          {naming.subject && <NewName key={naming.subject.text} type={type} miss={naming.subject} dialog={naming} />}
        </Dialog>
      </FocusAfterwards>
    </Paper>
  )
}

function statusText({ plural }: RecordType, enabled: boolean, total: number): string {
  if (!enabled) return `Searches for ${plural} that find nothing are not kept.`
  return total === 0
    ? `Texts that people search for without finding any ${plural} appear here. None so far.`
    : `People searched for these texts and found no ${plural}. Who searched is not kept.`
}

const columnsOf = (type: RecordType): readonly Column<Miss>[] => [
  { label: 'Searched for', cell: ({ text }) => text, isRowHeader: true, className: 'name-cell', translate: 'no' },
  { label: 'Times', cell: ({ reports }) => numberText(reports) },
  { label: 'Last', cell: ({ last_at }) => timeText(last_at), className: 'time-cell' },
  {
    label: 'Similar',
    translate: 'no',
    cell: ({ suggestions }) =>
      suggestions.length === 0
        ? null
        : suggestions.map((record: RawRecord) => (
            <div key={String(record[type.idField])}>
              <Anchor component={Link} href={recordAddress(type, String(record[type.idField]), WHOLE_LIST)} size="sm">
                {String(record.name)}
              </Anchor>
            </div>
          )),
  },
]

interface NewNameProps {
  type: RecordType
  miss: Miss
  dialog: SubjectDialog<Miss>
}

/** Searches for the intended record, and adds the text to its names. */
function NewName({ type, miss: { text, suggestions }, dialog }: NewNameProps) {
  const [q, setQ] = useState('')
  const [chosen, setChosen] = useState<RawRecord>()
  const search = usePartnerSearch(type, q, 'workspace')
  const idOf = (record: RawRecord) => String(record[type.idField])
  const addition = useCatalogChange(type, (client, record: RawRecord) =>
    client.post('/admin/catalogs/v1/{type}/records/{entity_id}/added-names', {
      params: { type: type.name, entity_id: idOf(record) },
      body: { text },
    }),
  )
  const found: readonly RawRecord[] = q.trim() === '' ? suggestions : (search.data?.items ?? [])
  return (
    <Stack>
      <Group role="search" aria-label={`Search ${type.plural}`}>
        <SearchInput
          label={`Search for the ${type.title}`}
          placeholder={`What “${text}” means`}
          value={q}
          loading={search.isFetching}
          onSearch={setQ}
          isFirst
        />
      </Group>
      {found.length > 0 && (
        <Radio.Group
          label={q.trim() === '' ? 'Similar' : 'Found'}
          value={chosen === undefined ? null : idOf(chosen)}
          onChange={(id) => setChosen(found.find((record) => idOf(record) === id))}
        >
          <Stack gap="xs" mt={4} className="breakable" translate="no">
            {found.map((record) => (
              <Radio
                key={idOf(record)}
                value={idOf(record)}
                label={String(record.name)}
                description={[...detailsOf(type, record), idOf(record)].join(' · ')}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {search.data?.count === 0 && <Text size="sm">{`No ${type.title} matches “${q}”.`}</Text>}
      <Problem error={search.error ?? addition.error} />
      {chosen !== undefined && (
        <div role="status">
          <Text size="sm" fw={600} className="breakable" translate="no">
            {String(chosen.name)}
          </Text>
          <Differences fields={{ added_names: [chosen.added_names, [...itemsOf(chosen.added_names), text]] }} />
          <Text size="sm" c="dimmed">
            Uploads do not change added names.
          </Text>
        </div>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={dialog.close}>
          Cancel
        </Button>
        <Button
          disabled={chosen === undefined}
          loading={addition.isPending}
          onClick={() =>
            chosen !== undefined &&
            addition.mutate(chosen, {
              onSuccess: () => {
                dialog.close()
                tellDone(`“${text}” now finds ${String(chosen.name)}.`)
              },
            })
          }
        >
          Add name
        </Button>
      </Group>
    </Stack>
  )
}
