import { NativeSelect } from '@mantine/core'
import { useLocation } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { isOutcome, isWritten, OUTCOME_TEXTS } from '../uploads/outcome-text'
import { historyAddress, type Shown, uploadsAddress } from './address'

/** What can be listed besides what was written. */
const OUTCOMES = Object.entries(OUTCOME_TEXTS).filter(([outcome]) => isOutcome(outcome) && !isWritten({ outcome }))

const CHOICES = [
  { value: '', label: 'What was written' },
  { value: 'arrived', label: 'All that arrived' },
  ...OUTCOMES.map(([value, label]) => ({ value, label })),
]

/** What of the history is listed. */
export function HistoryFilter({ type, shown }: { type: RecordType; shown: Shown | undefined }) {
  const [, navigate] = useLocation()
  return (
    <NativeSelect
      aria-label="What is listed"
      data={CHOICES}
      value={shown ?? ''}
      onChange={({ currentTarget: { value } }) => {
        if (value === 'arrived' || isOutcome(value)) navigate(uploadsAddress(type, value))
        else navigate(historyAddress(type))
      }}
    />
  )
}
