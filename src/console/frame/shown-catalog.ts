import { createContext } from 'react'
import type { RecordType } from '#shared/records/record-type'

/** The catalog of the current page, named above its title; undefined on pages of the whole workspace. */
export const ShownCatalog = createContext<RecordType | undefined>(undefined)

/** The props of a page that shows one catalog. */
export interface CatalogPageProps {
  type: RecordType
}
