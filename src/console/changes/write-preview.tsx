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
  /** Replaces the sentence about the number of changes. */
  title?: string | undefined
  outcome: string
  /** Whether someone else has changed the catalog since an earlier preview. */
  isChangedByOthers: boolean
  /** Whether the heading takes the focus, because the element that had it is gone. */
  takesFocus?: boolean
  /** Whether the file to write can be changed here. */
  hasFile?: boolean
  /** Notices and questions above the list of changes. */
  children?: ReactNode
  /** What the user must do first, in addition to typing the number of deactivations. */
  open?: string | undefined
  note?: string
  buttons: ReactNode
  /** The label of the button. If omitted, it shows the number of changes. */
  action?: string | undefined
  writesNothing?: boolean
  /** Whether it is being written, or the preview is being reloaded. */
  pending?: boolean
  /** Returns the full list as CSV, for one kind of change or all. */
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
  // The sentence comes first: rendering it together with hundreds of cells would block the page.
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
            // Nothing is sent while offline, so that nothing is lost.
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

/** The number of active records now and afterwards. */
export function activityText({ active_before, active_after }: Preview): string {
  const before = countText(active_before, 'record', 'records')
  const after =
    active_after === active_before ? 'and afterwards' : `${countText(active_after, 'record', 'records')} afterwards`
  return `active: ${before} now, ${after}.`
}
