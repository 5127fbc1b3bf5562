import { Badge, Button, Group, Modal, Paper, Skeleton, Stack, Switch, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { RecordType } from '../../../catalog/record-type'
import { useSession } from '../session'
import { Problem } from '../shell/problem'
import { countText, timeText, titleCase } from '../wording'
import { useSearchStatus } from './use-search-status'

/** The switch of one type. */
export function SearchCard({ type, onChanged }: { type: RecordType; onChanged: (said: string) => void }) {
  const { can } = useSession()
  const { status, activeRecords, change } = useSearchStatus(type)
  const [isAsking, asking] = useDisclosure(false)
  const title = titleCase(type.plural)

  const set = (enabled: boolean) =>
    change.mutate(enabled, {
      onSuccess: () => onChanged(`Partner search of ${type.plural} is switched ${enabled ? 'on' : 'off'}.`),
    })

  /** Counts anew: an empty catalog would leave partners without a single match. */
  const request = async (enabled: boolean) => {
    if (change.isPending) return
    if (!enabled) return set(false)
    const { data: active } = await activeRecords.refetch()
    if (active === 0) asking.open()
    else if (active !== undefined) set(true)
  }

  const error = status.error ?? change.error ?? activeRecords.error
  const isOn = change.isPending ? change.variables : status.data?.enabled
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={`search-${type.name}`}>
      <Stack gap="xs" h="100%">
        <Group justify="space-between" wrap="nowrap" mih={24}>
          <Title order={2} size="h5" id={`search-${type.name}`}>
            {title}
          </Title>
          {isOn !== undefined &&
            (can('catalog:write') ? (
              <Group gap="xs" wrap="nowrap">
                <Text size="sm" fw={600} aria-hidden>
                  {isOn ? 'On' : 'Off'}
                </Text>
                <Switch
                  aria-label={`Partner search of ${type.plural}`}
                  size="md"
                  checked={isOn}
                  aria-busy={change.isPending}
                  onChange={({ currentTarget }) => request(currentTarget.checked)}
                />
              </Group>
            ) : (
              <Badge variant={isOn ? 'filled' : 'default'} tt="none">
                {isOn ? 'On' : 'Off'}
              </Badge>
            ))}
        </Group>
        {status.isPending || activeRecords.isPending ? (
          <Skeleton height={64} aria-label={`Loading the state of ${type.plural}`} />
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
            {...(status.error === null ? {} : { onRetry: () => status.refetch() })}
          />
        )}
      </Stack>
      <Modal
        opened={isAsking}
        onClose={asking.close}
        title={`Switch on without ${type.plural}?`}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Text size="sm">
          Your catalog has no active {type.plural}. Once this is on, partners who search for {type.plural}{' '}
          find nothing, until you upload some or switch it off again.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={asking.close} data-autofocus>
            Leave it off
          </Button>
          <Button
            color="red"
            onClick={() => {
              asking.close()
              set(true)
            }}
          >
            Switch on all the same
          </Button>
        </Group>
      </Modal>
    </Paper>
  )
}
