import { Badge, Group, Switch, Text } from '@mantine/core'
import type { RecordType } from '#records/record-type'
import { useSession } from '../session'
import { useSubject } from '../shell/use-subject'
import type { PartnerSearch } from '../use-search-status'
import { SwitchDialog, type SwitchRequest } from './switch-dialog'

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
      <SwitchDialog
        type={type}
        opened={opened}
        request={request}
        onClose={close}
        onConfirm={() => {
          close()
          set(request.enabled)
        }}
      />
    </>
  )
}
