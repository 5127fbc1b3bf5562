import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { RecordType } from '#shared/records/record-type'
import { useSearchStatus } from '../use-search-status'
import { Loading } from '../widgets/loaded'
import { Problem } from '../widgets/problem'
import { countText, timeText, titleCase } from '../wording'
import { SearchSwitch } from './search-switch'

/** Partner search of one type: where it looks, and its switch. */
export function SearchCard({ type, onChanged }: { type: RecordType; onChanged: (said: string) => void }) {
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
            <SearchSwitch type={type} isOn={isOn} search={search} onChanged={onChanged} />
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
                ? `Switched ${timeText(status.data.updated_at)}.`
                : status.data !== undefined && 'Never switched on.'}
            </Text>
          </>
        )}
        {error !== null && (
          <Problem
            title="That did not work"
            error={error}
            onRetry={status.error === null ? undefined : status.refetch}
          />
        )}
      </Stack>
    </Paper>
  )
}
