import { usePathname } from 'wouter/use-browser-location'
import type { RecordType } from '#shared/records/record-type'
import type { Upload } from '../service/answers'

/** Where the uploads of a catalog are listed. @param outcome only those with this outcome */
export const uploadsAddress = ({ name }: RecordType, outcome?: Upload['outcome']): string =>
  `/${name}/uploads${outcome === undefined ? '' : `?outcome=${outcome}`}`

export const uploadAddress = ({ name }: RecordType, uploadId: string): string =>
  `/${name}/uploads/${uploadId}`

/** The id of the upload that the address names; empty for the list. */
export function useUploadId(): string {
  const [, , , , id = ''] = usePathname().split('/')
  return id
}
