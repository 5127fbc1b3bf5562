import type { QueryClient } from '@tanstack/react-query'
import type { RecordType } from '#records/record-type'

/** The first part of the key of a preview, which changes only where the person looks again. */
export const PREVIEW = 'restore-preview'

/** What was loaded of a catalog before a write is out of date. The second part of its keys is the type. */
export function catalogChanged(queries: QueryClient, { name }: RecordType): void {
  queries.invalidateQueries({ queryKey: ['catalog-statuses'] })
  queries.invalidateQueries({
    predicate: ({ queryKey: [what, type] }) => type === name && what !== PREVIEW,
  })
}
