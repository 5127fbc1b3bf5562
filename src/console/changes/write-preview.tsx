import { Alert, Button, Paper, Stack, Text, Title } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { CircleCheck, Info } from 'lucide-react'
import { type ReactNode, startTransition, useEffect, useState } from 'react'
import type { Change } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import type { Preview } from '../service/answers'
import { ActionBar } from '../widgets/action-bar'
import { takeFocus } from '../widgets/hooks'
import { countText } from '../wording'
import { ChangeTable } from './change-table'
import { actionText, changeSentence, changesIn } from './counts'
import { NOTHING_WRITTEN, TYPE_THE_NUMBER, useDeactivations } from './deactivation-notice'

export interface WritePreviewProps {
  type: RecordType
  check: Preview
  /** Instead of what it changes. */
  title?: string | undefined
  /** What the catalog would be. */
  outcome: string
  /** What to say if somebody else has changed the catalog since an earlier preview; undefined if nobody has. */
  moved: string | undefined
  /** Whether the heading takes the focus: what had it is gone. */
  takesFocus?: boolean
  /** Whether the file that would be written can be changed here. */
  hasFile?: boolean
  /** What to look at or to answer before the list of changes. */
  children?: ReactNode
  /** Why it cannot be written yet, besides the number of deactivations. */
  open?: string | undefined
  note?: string
  /** Beside the button that writes. */
  buttons: ReactNode
  /** What the button says; what it does if this is left out. */
  action?: string | undefined
  /** Whether it can be written although nothing changes. */
  writesNothing?: boolean
  /** Whether it is being written, or looked at again. */
  pending?: boolean
  /** The full list as CSV, of one kind of change or of all. */
  onList: (change: Change | undefined) => Promise<Blob>
  onWrite: () => void
}

/** What a write would change, and the button that makes it so. */
export function WritePreview(props: WritePreviewProps) {
  const { type, check, moved, hasFile, children, open, note = NOTHING_WRITTEN, writesNothing = false } = props
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
          {moved !== undefined && (
            <Alert color="yellow" icon={<Info />} role="alert">
              {`The catalog was changed by somebody else in the meantime, and ${moved}`}
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

/** How many records are in use now, and would be afterwards. */
export function inUseText({ active_before, active_after }: Preview): string {
  const before = countText(active_before, 'record', 'records')
  const after =
    active_after === active_before ? 'and afterwards' : `${countText(active_after, 'record', 'records')} afterwards`
  return `in use: ${before} now, ${after}.`
}
