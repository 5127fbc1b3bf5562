import { createContext } from 'react'
import type { RecordType } from '#shared/records/record-type'

/** The catalog that a page shows, which its head names; undefined on pages of the whole workspace. */
export const ShownCatalog = createContext<RecordType | undefined>(undefined)

/** What a page is given that shows one catalog. */
export interface CatalogPageProps {
  type: RecordType
}
