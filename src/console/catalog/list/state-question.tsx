import { Button, Group, ScrollArea, Stack, Text } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { RecordType } from '#shared/records/record-type'
import { PREVIEW } from '../../catalog-changed'
import type { Preview } from '../../service/answers'
import { useSession } from '../../session'
import { useDeactivations } from '../../upload/review/deactivation-notice'
import { Dialog } from '../../widgets/dialog'
import { Loaded } from '../../widgets/loaded'
import { Problem } from '../../widgets/problem'
import { takeFocus } from '../../widgets/take-focus'
import type { SubjectDialog } from '../../widgets/use-subject'
import { countText, numberText } from '../../wording'
import { planChange, type StateChangePlan } from './activation'
import type { Activation } from './use-activation'
import type { Selection } from './use-selection'

/** What is asked: the records as they were selected, so that the question stays as it is while it disappears. */
export interface Asked {
  active: boolean
  selection: Selection
}

interface StateQuestionProps extends Asked {
  type: RecordType
  question: SubjectDialog<Asked>
  activation: Activation
}

/** Shows what a change of state would do, and asks. Many deactivations are confirmed by their number. */
export function StateQuestion({ type, question, active, selection, activation }: StateQuestionProps) {
  const { client } = useSession()
  const { opened, close } = question
  const change = { ids: [...selection.names.keys()], active, list: selection.list }
  const planned = useQuery({
    queryKey: [PREVIEW, type.name, 'state', active, change.ids],
    queryFn: () => planChange(client, type, change),
    enabled: opened,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // The records hold numbers that are kept as they are written.
    structuralSharing: false,
  })
  const { moved } = activation
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={`${active ? 'Reactivate' : 'Deactivate'} ${countText(selection.names.size, type.title, type.plural)}?`}
      size="lg"
      locked={activation.isPending}
    >
      <StateDialog
        // Another plan is to be confirmed by itself.
        key={moved === undefined ? 'seen' : 'moved'}
        type={type}
        active={active}
        planned={{ ...planned, data: moved ?? planned.data }}
        activation={activation}
        error={opened ? activation.error : null}
        onConfirm={(plan) => activation.start(change, plan, close)}
        onClose={close}
      />
    </Dialog>
  )
}

interface StateDialogProps {
  type: RecordType
  active: boolean
  planned: Pick<UseQueryResult<StateChangePlan>, 'data' | 'error' | 'isPending' | 'refetch'>
  activation: Activation
  error: Error | null
  onConfirm: (plan: StateChangePlan) => void
  onClose: () => void
}

function StateDialog({ type, active, planned, activation, error, onConfirm, onClose }: StateDialogProps) {
  const plan = planned.data
  const check = plan?.check
  const deactivations = useDeactivations(type, check === undefined ? nothingOf(type) : withoutAdvice(check))
  const { isPending, moved } = activation
  const isIdle = plan !== undefined && check === undefined
  return (
    <Stack>
      <Text size="sm">{active ? WILL_BE_FOUND : WILL_BE_GONE}</Text>
      <Loaded query={planned} name="preview" height={120}>
        {({ records }) => (
          <Stack role="status" gap="sm">
            {isIdle && <Text size="sm">They are in that state already. There is nothing to change.</Text>}
            {moved !== undefined && (
              <Text size="sm" fw={600} ref={takeFocus} tabIndex={-1}>
                Somebody else has changed some of them meanwhile. Nothing was written; this is what would
                change now.
              </Text>
            )}
            {deactivations.notice}
            {records.length > 0 && <Names type={type} records={records} />}
          </Stack>
        )}
      </Loaded>
      {error !== null && <Problem title="That could not be done" error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={isPending} data-autofocus>
          {isIdle ? 'Close' : 'Cancel'}
        </Button>
        {!isIdle && (
          <Button
            {...(active ? {} : { color: 'red' })}
            loading={isPending}
            disabled={plan === undefined || deactivations.isOpen}
            onClick={() => plan !== undefined && onConfirm(plan)}
          >
            {active ? 'Reactivate' : 'Deactivate'}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

const WILL_BE_FOUND = 'They will be listed again, and partners will find them.'
const WILL_BE_GONE =
  'They will no longer be listed, and partners will not find them. Nothing is deleted: you can reactivate them.'

function Names({ type, records }: { type: RecordType; records: readonly Record<string, unknown>[] }) {
  const shown = records.slice(0, MOST_NAMES)
  return (
    <ScrollArea.Autosize mah={240} type="auto" viewportProps={{ tabIndex: 0 }}>
      <ul className="plain-list" aria-label="What would change">
        {shown.map((record) => (
          <li key={String(record[type.idField])} className="breakable">
            <Text size="sm">
              {String(record.name)} ({String(record[type.idField])})
            </Text>
          </li>
        ))}
        {records.length > shown.length && <li>and {numberText(records.length - shown.length)} more</li>}
      </ul>
    </ScrollArea.Autosize>
  )
}

const MOST_NAMES = 200

/** The advice of an upload is about its file. */
const withoutAdvice = (check: Preview): Preview => ({ ...check, mode: 'restore' })

/** Until it is known what would change. */
const nothingOf = ({ name }: RecordType): Preview => ({
  type: name,
  mode: 'restore',
  dry_run: true,
  total: 0,
  inserted: 0,
  updated: 0,
  reactivated: 0,
  unchanged: 0,
  deactivated: 0,
  active_before: 0,
  active_after: 0,
  revision: 0,
  epoch: '',
  warnings: [],
  diff: { inserted: [], updated: [], reactivated: [], deactivated: [] },
})
