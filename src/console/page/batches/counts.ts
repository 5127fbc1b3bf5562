import { countOf, OUTCOME_LABELS, OUTCOMES } from '../counts'
import type { Batch } from '../service/answers'

interface Count {
  label: string
  of: (batch: Batch) => number
}

/** What is counted of an upload. */
export const COUNTS: readonly Count[] = [
  { label: 'Records', of: ({ total }) => total },
  ...OUTCOMES.map((outcome) => ({
    label: OUTCOME_LABELS[outcome],
    of: (batch: Batch) => countOf(batch, outcome),
  })),
  { label: 'Warnings', of: ({ warnings }) => warnings },
]
