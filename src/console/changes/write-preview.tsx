import { Alert, Button, Paper, Stack, Text, Title } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { CircleCheck, Info } from 'lucide-react'
import { type ReactNode, startTransition, useEffect, useState } from 'react'
import type { ChangeKind } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import type { Preview } from '../service/answers'
import { ActionBar } from '../widgets/action-bar'
import { takeFocus } from '../widgets/hooks'
import { countText } from '../wording'
import { ChangeTable } from './change-table'
import { actionText, changeSentence, changesIn } from './change-texts'
import { NOTHING_WRITTEN, TYPE_THE_NUMBER, useDeactivations } from './deactivation-confirmation'

export interface WritePreviewProps {
  type: RecordType
  check: Preview
  /** Shown in place of the sentence that says how much would change. */
  title?: string | undefined
  outcome: string
  /** Whether somebody else has changed the catalog since an earlier preview. */
  isChangedByOthers: boolean
  /** Whether the heading takes the focus: what had it is gone. */
  takesFocus?: boolean
  /** Whether the file that would be written can be changed here. */
  hasFile?: boolean
  /** Notices and questions above the list of changes. */
  children?: ReactNode
  /** What the person must do before it can be written, besides typing the number of deactivations. */
  open?: string | undefined
  note?: string
  buttons: ReactNode
  /** The label of the button; left out, it says how much the write changes. */
  action?: string | undefined
  writesNothing?: boolean
  /** Whether it is being written, or the preview is read again. */
  pending?: boolean
  /** The full list as CSV, of one kind of change or of all. */
  onList: (change: ChangeKind | undefined) => Promise<Blob>
  onWrite: () => void
}

/** Shows what a write would change, and the button that writes. */
export function WritePreview(props: WritePreviewProps) {
  const {
    type,
    check,
    isChangedByOthers,
    hasFile,
    children,
    open,
    note = NOTHING_WRITTEN,
    writesNothing = false,
  } = props
  const deactivations = useDeactivations(type, check, hasFile)
  const { online } = useNetwork()
  const changes = changesIn(check)
  const isOpen = open !== undefined || deactivations.isOpen
  // The sentence comes first: the page could not react while it shows that and hundreds of cells at once.
  const [showsTable, setShowsTable] = useState(false)
  useEffect(() => startTransition(() => setShowsTable(true)), [])
  return (
    <Stack gap="sm">
      <Paper withBorder px="sm" py={6} component="section" aria-labelledby="preview">
        <Stack gap="xs">
          <div role="status">
            <Title order={2} size="h3" id="preview" {...(props.takesFocus && { tabIndex: -1, ref: takeFocus })}>
              {props.title ?? changeSentence(check)}
            </Title>
            <Text size="sm" c="dimmed" className="breakable">
              {props.outcome}
            </Text>
          </div>
          {isChangedByOthers && (
            <Alert color="yellow" icon={<Info />} role="alert">
              Someone else has just changed the catalog. Nothing was written. This is what would change now.
            </Alert>
          )}
          {deactivations.notice}
          {children}
          {changes > 0 && showsTable && <ChangeTable type={type} check={check} onList={props.onList} />}
        </Stack>
      </Paper>
      <ActionBar note={open ?? (deactivations.isOpen ? TYPE_THE_NUMBER : note)}>
        {props.buttons}
        {(changes > 0 || writesNothing) && (
          <Button
            {...(check.deactivated > 0 && { color: 'red' })}
            leftSection={<CircleCheck size={18} />}
            // Offline nothing is sent, so that nothing can be lost.
            disabled={isOpen || !online}
            loading={props.pending ?? false}
            onClick={props.onWrite}
          >
            {props.action ?? actionText(check)}
          </Button>
        )}
      </ActionBar>
    </Stack>
  )
}

/** How many records are active now, and would be afterwards. */
export function activityText({ active_before, active_after }: Preview): string {
  const before = countText(active_before, 'record', 'records')
  const after =
    active_after === active_before ? 'and afterwards' : `${countText(active_after, 'record', 'records')} afterwards`
  return `active: ${before} now, ${after}.`
}
