import { countOf, OUTCOME_LABELS, OUTCOMES } from '../counts'
import type { Write } from '../service/answers'

interface Count {
  label: string
  of: (write: Write) => number
}

/** What is counted of a write. */
export const SHOWN_COUNTS: readonly Count[] = [
  { label: 'Records', of: ({ total }) => total },
  ...OUTCOMES.map((outcome) => ({
    label: OUTCOME_LABELS[outcome],
    of: (write: Write) => countOf(write, outcome),
  })),
  { label: 'Warnings', of: ({ warnings }) => warnings },
]
