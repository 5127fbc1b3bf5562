import type { QueryClient } from '@tanstack/react-query'
import type { RecordType } from '#shared/records/record-type'

/** The first part of the query key of a preview, which only the person refreshes. */
export const PREVIEW = 'restore-preview'

/** Reads again what is on screen of a catalog. The second part of the query keys of a catalog is its type. */
export async function invalidateCatalog(queries: QueryClient, { name }: RecordType): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['catalog-statuses'] }),
    queries.invalidateQueries({
      predicate: ({ queryKey: [what, type] }) => type === name && what !== PREVIEW,
    }),
  ])
}
