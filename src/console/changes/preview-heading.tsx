import { Alert, Text, Title } from '@mantine/core'
import { Info } from 'lucide-react'
import type { Preview } from '../service/answers'
import { takeFocus } from '../widgets/hooks'
import { countText } from '../wording'

interface PreviewHeadingProps {
  title: string
  /** What the catalog would be. */
  outcome: string
  /** What to say if somebody else has changed the catalog since an earlier preview; undefined if nobody has. */
  moved: string | undefined
  /** Whether it takes the focus: what had it is gone. */
  takesFocus?: boolean
}

/** The head of a preview, within a section that is labelled by `preview`. */
export function PreviewHeading({ title, outcome, moved, takesFocus = false }: PreviewHeadingProps) {
  return (
    <>
      <div role="status">
        <Title order={2} size="h3" id="preview" {...(takesFocus && { tabIndex: -1, ref: takeFocus })}>
          {title}
        </Title>
        <Text size="sm" c="dimmed" className="breakable">
          {outcome}
        </Text>
      </div>
      {moved !== undefined && (
        <Alert color="yellow" icon={<Info />} role="alert">
          {`The catalog was changed by somebody else in the meantime, and ${moved}`}
        </Alert>
      )}
    </>
  )
}

/** How many records are in use now, and would be afterwards. */
export function inUseText({ active_before, active_after }: Preview): string {
  const before = countText(active_before, 'record', 'records')
  const after =
    active_after === active_before
      ? 'and afterwards'
      : `${countText(active_after, 'record', 'records')} afterwards`
  return `in use: ${before} now, ${after}.`
}
