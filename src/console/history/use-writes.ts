import type { RecordType } from '#shared/records/record-type'
import { useRead } from '../queries'

/** The state of a catalog, and its oldest stored state. */
export const useCatalogStatus = ({ name: type }: RecordType) =>
  useRead(['catalog-status', type], (client, signal) =>
    client.get('/admin/catalogs/v1/{type}', { params: { type }, signal }),
  )

/** One write of a catalog. */
export const useWrite = ({ name: type }: RecordType, id: string) =>
  useRead(['write', type, id], (client, signal) =>
    client.get('/admin/catalogs/v1/{type}/writes/{batch_id}', { params: { type, batch_id: id }, signal }),
  )
