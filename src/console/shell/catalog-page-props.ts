import type { RecordType } from '#shared/records/record-type'

/** What a page is given that shows one catalog. */
export interface CatalogPageProps {
  type: RecordType
}
