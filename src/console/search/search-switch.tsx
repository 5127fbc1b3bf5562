import { Badge, Group, Switch, Text } from '@mantine/core'
import type { RecordType } from '#shared/records/record-type'
import { useSession } from '../session'
import type { PartnerSearch } from '../use-search-status'
import { ConfirmDialog } from '../widgets/confirm-dialog'
import { useSubject } from '../widgets/use-subject'
import { countText } from '../wording'

interface SwitchRequest {
  enabled: boolean
  activeRecords: number
}

interface SearchSwitchProps {
  type: RecordType
  isOn: boolean
  search: PartnerSearch
  onChanged: (said: string) => void
}

/** Switches partner search of a type. People who may not switch it see its state. */
export function SearchSwitch(props: SearchSwitchProps) {
  const { can } = useSession()
  const state = props.isOn ? 'On' : 'Off'
  if (can('catalog:write')) {
    return (
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={600} aria-hidden>
          {state}
        </Text>
        <Toggle {...props} />
      </Group>
    )
  }
  return (
    <Badge variant={props.isOn ? 'filled' : 'default'} tt="none">
      {state}
    </Badge>
  )
}

function Toggle({ type, isOn, search: { activeRecords, change }, onChanged }: SearchSwitchProps) {
  const { opened, subject, open, close } = useSubject<SwitchRequest>()
  const request = subject ?? { enabled: !isOn, activeRecords: 0 }

  const set = (enabled: boolean) =>
    change.mutate(enabled, {
      onSuccess: () => onChanged(`Partner search of ${type.plural} is switched ${enabled ? 'on' : 'off'}.`),
    })

  /** Counts again first: with an empty catalog, partners would find nothing. */
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
        {...questionOf(type, request)}
        opened={opened}
        onClose={close}
        onConfirm={() => {
          close()
          set(request.enabled)
        }}
      >
        <Text>{consequenceOf(type, request)}</Text>
        <Text size="sm" c="dimmed">
          It takes effect at once. You can switch back at any time, and try both searches below without
          switching.
        </Text>
      </ConfirmDialog>
    </>
  )
}

function questionOf({ plural }: RecordType, { enabled, activeRecords }: SwitchRequest) {
  if (!enabled) {
    return { title: `Switch partner search of ${plural} off?`, action: 'Switch off', cancel: 'Leave it on' }
  }
  const cancel = 'Leave it off'
  return activeRecords === 0
    ? { title: `Switch on without ${plural}?`, action: 'Switch on all the same', cancel, dangerous: true }
    : { title: `Switch partner search of ${plural} on?`, action: 'Switch on', cancel }
}

function consequenceOf({ title, plural }: RecordType, { enabled, activeRecords }: SwitchRequest): string {
  if (!enabled) {
    return `From now on, partners who search for ${plural} find those of the provider's medical database, and no longer your own.`
  }
  if (activeRecords === 0) {
    return `Your catalog has no active ${plural}. From now on, partners who search for ${plural} find nothing, until you upload some or switch it off again.`
  }
  return `From now on, partners who search for ${plural} find your ${countText(activeRecords, `active ${title}`, `active ${plural}`)}, and no longer those of the provider's medical database.`
}
