import { Button, Group, ScrollArea, Stack, Text } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { RecordType } from '#shared/records/record-type'
import { PREVIEW } from '../../catalog-changed'
import { changesIn } from '../../changes/counts'
import { type Preview, withDiff } from '../../service/answers'
import { useSession } from '../../session'
import { useDeactivations } from '../../upload/review/deactivation-notice'
import { Dialog } from '../../widgets/dialog'
import { Loaded } from '../../widgets/loaded'
import { Problem } from '../../widgets/problem'
import type { SubjectDialog } from '../../widgets/use-subject'
import { countText, numberText } from '../../wording'
import { changeState } from './activation'
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
  const change = { ids: [...selection.names.keys()], active }
  const preview = useQuery({
    queryKey: [PREVIEW, type.name, 'state', active, change.ids],
    queryFn: async ({ signal }) =>
      withDiff(await changeState(client, type, change, { dry_run: true, include: 'diff' }, signal)),
    enabled: opened,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={`${active ? 'Reactivate' : 'Deactivate'} ${countText(selection.names.size, type.title, type.plural)}?`}
      size="lg"
      locked={activation.isPending}
    >
      <StateDialog
        type={type}
        active={active}
        preview={preview}
        isPending={activation.isPending}
        error={opened ? activation.error : null}
        onConfirm={(check) => activation.start(change, check.shrink_guard !== undefined, close)}
        onClose={close}
      />
    </Dialog>
  )
}

interface StateDialogProps {
  type: RecordType
  active: boolean
  preview: Pick<UseQueryResult<Preview>, 'data' | 'error' | 'isPending' | 'refetch'>
  isPending: boolean
  error: Error | null
  onConfirm: (check: Preview) => void
  onClose: () => void
}

function StateDialog({ type, active, preview, isPending, error, onConfirm, onClose }: StateDialogProps) {
  const check = preview.data
  const deactivations = useDeactivations(type, check === undefined ? nothingOf(type) : withoutAdvice(check))
  const isIdle = check !== undefined && changesIn(check) === 0
  return (
    <Stack>
      <Text size="sm">{active ? WILL_BE_FOUND : WILL_BE_GONE}</Text>
      <Loaded query={preview} name="preview" height={120}>
        {({ diff, ...counts }) => (
          <Stack role="status" gap="sm">
            {isIdle && <Text size="sm">They are in that state already. There is nothing to change.</Text>}
            {deactivations.notice}
            <Names
              records={active ? diff.reactivated : diff.deactivated}
              count={active ? counts.reactivated : counts.deactivated}
            />
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
            disabled={check === undefined || deactivations.isOpen}
            onClick={() => check !== undefined && onConfirm(check)}
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

/** The first records that would change. @param count how many there are */
function Names({ records, count }: { records: readonly { id: string; name: string }[]; count: number }) {
  if (count === 0) return null
  return (
    <ScrollArea.Autosize mah={240} type="auto" viewportProps={{ tabIndex: 0 }}>
      <ul className="plain-list" aria-label="What would change">
        {records.map(({ id, name }) => (
          <li key={id} className="breakable">
            <Text size="sm">
              {name} ({id})
            </Text>
          </li>
        ))}
        {count > records.length && <li>and {numberText(count - records.length)} more</li>}
      </ul>
    </ScrollArea.Autosize>
  )
}

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
