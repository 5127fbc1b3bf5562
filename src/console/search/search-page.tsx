import { Group, Paper, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core'
import type { RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import type { CatalogPageProps } from '../frame/shown-catalog'
import { useCatalogChange, useRead } from '../queries'
import { useSession } from '../session-context'
import { ConfirmDialog } from '../widgets/dialog'
import { tellDone } from '../widgets/done-notice'
import { useSubject } from '../widgets/hooks'
import { Page } from '../widgets/page'
import { Problem } from '../widgets/problem'
import { Loading } from '../widgets/query-result'
import { countText, timeText, titleCase } from '../wording'
import { MissedSearches } from './missed-searches'
import { TrialSearch } from './trial-search'

const STATUS = '/admin/datasets/v1/search-status/'

function useSearchStatus(type: RecordType) {
  const query = { type: type.name }
  return {
    status: useRead(['search-status', type.name], (client, signal) => client.get(STATUS, { query, signal })),
    activeRecords: useRead(
      ['records', type.name, 'active'],
      async (client, signal) =>
        (await client.get('/admin/datasets/v1/', { query: { ...query, limit: 1 }, signal })).total,
    ),
    change: useCatalogChange(type, (client, enabled: boolean) => client.post(STATUS, { query, body: { enabled } })),
  }
}

type PartnerSearch = ReturnType<typeof useSearchStatus>

/** Turns partner search on and off for each type, and lets the user try it. */
export default function SearchPage({ type }: CatalogPageProps) {
  const { can } = useSession()
  return (
    <Page
      title="Partner search"
      description={
        <>
          What partners find while someone types. If it is on, they find the active records of this workspace. If it is
          off, they find records of the provider's medical database.
        </>
      }
    >
      <Stack gap="lg">
        {!can('catalog:write') && <Text size="sm">Editors and admins of the workspace can turn it on and off.</Text>}
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
          {Object.values(recordTypes).map((one) => (
            <SearchCard key={one.name} type={one} />
          ))}
        </SimpleGrid>
        <TrialSearch type={type} />
        <MissedSearches key={type.name} type={type} />
      </Stack>
    </Page>
  )
}

function SearchCard({ type }: { type: RecordType }) {
  const { can } = useSession()
  const search = useSearchStatus(type)
  const { status, activeRecords, change } = search
  const error = status.error ?? change.error ?? activeRecords.error
  const isOn = change.isPending ? change.variables : status.data?.enabled
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={`search-${type.name}`}>
      <Stack gap="xs" h="100%">
        <Group justify="space-between" wrap="nowrap" mih={24}>
          <Title order={2} size="h5" id={`search-${type.name}`}>
            {titleCase(type.plural)}
          </Title>
          {isOn !== undefined && (
            <Group gap="xs" wrap="nowrap">
              <Text size="sm" fw={600} aria-hidden={can('catalog:write')}>
                {isOn ? 'On' : 'Off'}
              </Text>
              {can('catalog:write') && <SearchSwitch type={type} isOn={isOn} search={search} />}
            </Group>
          )}
        </Group>
        {status.isPending || activeRecords.isPending ? (
          <Loading name={`state of ${type.plural}`} height={64} />
        ) : (
          <>
            <Text size="sm">
              {isOn
                ? 'Partners find your own active records.'
                : "Partners find records of the provider's medical database."}
            </Text>
            <Text size="sm" c="dimmed" mt="auto">
              {activeRecords.data !== undefined &&
                `${countText(activeRecords.data, 'active record', 'active records')} in your catalog. `}
              {status.data?.updated_at
                ? `Changed ${timeText(status.data.updated_at)}.`
                : status.data !== undefined && 'Not turned on yet.'}
            </Text>
          </>
        )}
        <Problem title="That did not work" error={error} onRetry={status.error === null ? undefined : status.refetch} />
      </Stack>
    </Paper>
  )
}

interface SwitchRequest {
  enabled: boolean
  activeRecords: number
}

interface SearchSwitchProps {
  type: RecordType
  isOn: boolean
  search: PartnerSearch
}

function SearchSwitch({ type, isOn, search: { activeRecords, change } }: SearchSwitchProps) {
  const { opened, subject, open, close } = useSubject<SwitchRequest>()
  const request = subject ?? { enabled: !isOn, activeRecords: 0 }
  const { text, ...question } = questionOf(type, request)

  const set = (enabled: boolean) =>
    change.mutate(enabled, {
      onSuccess: () => tellDone(`Partner search of ${type.plural} is turned ${enabled ? 'on' : 'off'}.`),
    })

  /** Counts the records first: with an empty catalog, partners would find nothing. */
  const ask = async (enabled: boolean) => {
    if (change.isPending) return
    const { data: active } = await activeRecords.refetch()
    if (active !== undefined) open({ enabled, activeRecords: active })
  }

  return (
    <>
      <Switch
        aria-label={`Partner search of ${type.plural}`}
        size="md"
        checked={isOn}
        aria-busy={change.isPending}
        onChange={({ currentTarget }) => ask(currentTarget.checked)}
      />
      <ConfirmDialog
        {...question}
        opened={opened}
        onClose={close}
        onConfirm={() => {
          close()
          set(request.enabled)
        }}
      >
        <Text>{text}</Text>
        <Text size="sm" c="dimmed">
          This takes effect immediately. You can change it back at any time, and try both searches below without
          changing it.
        </Text>
      </ConfirmDialog>
    </>
  )
}

function questionOf({ title, plural }: RecordType, { enabled, activeRecords }: SwitchRequest) {
  const provider = "the provider's medical database"
  const start = `From now on, partners who search for ${plural} find`
  if (!enabled) {
    return {
      title: `Turn off partner search of ${plural}?`,
      action: 'Turn off',
      cancel: 'Keep it on',
      text: `${start} those of ${provider}, and no longer your own.`,
    }
  }
  const cancel = 'Keep it off'
  if (activeRecords === 0) {
    return {
      title: `Turn on with no active ${plural}?`,
      action: 'Turn on anyway',
      cancel,
      dangerous: true,
      text: `Your catalog has no active ${plural}. ${start} nothing, until you upload some or turn it off again.`,
    }
  }
  const own = countText(activeRecords, `active ${title}`, `active ${plural}`)
  return {
    title: `Turn on partner search of ${plural}?`,
    action: 'Turn on',
    cancel,
    text: `${start} your ${own}, and no longer those of ${provider}.`,
  }
}
