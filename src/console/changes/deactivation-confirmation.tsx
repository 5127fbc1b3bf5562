import { Alert, Stack, Text, TextInput } from '@mantine/core'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import type { RecordType } from '#shared/records/record-type'
import type { Preview } from '../service/answers'
import { countText, numberText } from '../wording'
import { MODE_LABELS } from './change-texts'
import { asksForNumber } from './deactivation-share'

/** The cause of the deactivations, and what to do if they are not intended. */
const ADVICE: Readonly<Record<Preview['mode'], string>> = {
  upsert: ' The file says so in its column “Active”. Check that column if you did not expect this.',
  reconcile: ` If the file is a part of the catalog, choose “${MODE_LABELS.upsert}” next to the name of the file.`,
  restore: '',
}

/** Shown next to the button that writes. */
export const TYPE_THE_NUMBER = 'First type the number above.'
export const NOTHING_WRITTEN = 'Nothing is written yet.'

/** The notice about the records that a preview would deactivate. @param hasFile whether the file can be changed here */
export function useDeactivations(type: RecordType, check: Preview, hasFile = false) {
  const [isConfirmed, setConfirmed] = useState(false)
  const needsNumber = asksForNumber(check)
  return {
    isOpen: needsNumber && !isConfirmed,
    notice: (
      <DeactivationNotice
        type={type}
        check={check}
        advice={hasFile ? ADVICE[check.mode] : ''}
        needsNumber={needsNumber}
        onConfirm={setConfirmed}
      />
    ),
  }
}

interface DeactivationNoticeProps {
  type: RecordType
  check: Preview
  advice: string
  needsNumber: boolean
  onConfirm: (confirmed: boolean) => void
}

/**
 * Says how many records would be deactivated (the table below lists them). If there are many, the user must type the
 * number.
 */
function DeactivationNotice({ type, check, advice, needsNumber, onConfirm }: DeactivationNoticeProps) {
  const count = check.deactivated
  if (count === 0) return null
  const share = Math.round((count * 100) / Math.max(1, check.active_before))
  return (
    <Alert
      color="red"
      icon={<ShieldAlert />}
      title={`This would deactivate ${countText(count, type.title, type.plural)}`}
    >
      <Stack gap="sm">
        <Text size="sm">
          That is {share < 1 ? 'less than 1' : share} % of the {numberText(check.active_before)} active {type.plural}.
          Partners and this console would no longer find them.
          {advice}
        </Text>
        {needsNumber && <TypedNumber type={type} count={count} onConfirm={onConfirm} />}
      </Stack>
    </Alert>
  )
}

type TypedNumberProps = Pick<DeactivationNoticeProps, 'type' | 'onConfirm'> & { count: number }

function TypedNumber({ type, count, onConfirm }: TypedNumberProps) {
  const [text, setText] = useState('')
  return (
    <TextInput
      label={`To continue, type the number of ${type.plural} that would be deactivated`}
      description={`It is ${numberText(count)}.`}
      inputMode="numeric"
      maw={420}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        onConfirm(value.replace(/[\s,.]/g, '') === String(count))
      }}
    />
  )
}
