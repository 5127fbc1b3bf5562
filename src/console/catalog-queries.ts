import type { QueryClient } from '@tanstack/react-query'
import type { RecordType } from '#shared/records/record-type'

/** The first part of the key of a preview, which changes only if the person looks again. */
export const PREVIEW = 'restore-preview'

/**
 * What was loaded of a catalog before a write is out of date. The second part of its keys is the type.
 *
 * @returns done when everything on screen was read again
 */
export async function invalidateCatalog(queries: QueryClient, { name }: RecordType): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['catalog-statuses'] }),
    queries.invalidateQueries({
      predicate: ({ queryKey: [what, type] }) => type === name && what !== PREVIEW,
    }),
  ])
}
