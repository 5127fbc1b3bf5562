import type { Batch } from '../service/answers'

interface Count {
  label: string
  of: (batch: Batch) => number
}

/** What became of the records of an upload, in plain words. The service counts unchanged records among the updated. */
export const COUNTS: readonly Count[] = [
  { label: 'Records', of: ({ total }) => total },
  { label: 'Added', of: ({ inserted }) => inserted },
  { label: 'Changed', of: ({ updated, unchanged }) => updated - unchanged },
  { label: 'Unchanged', of: ({ unchanged }) => unchanged },
  { label: 'Reactivated', of: ({ reactivated }) => reactivated },
  { label: 'Deactivated', of: ({ deactivated }) => deactivated },
  { label: 'Warnings', of: ({ warnings }) => warnings },
]
