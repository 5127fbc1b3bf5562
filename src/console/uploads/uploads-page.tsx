import type { CatalogPageProps } from '../shell/catalog-page-props'
import { useUploadId } from './address'
import { UploadView } from './upload-view'
import { UploadsView } from './uploads-view'

/** What arrived for a catalog, or one upload, as the address says. */
export default function UploadsPage({ type }: CatalogPageProps) {
  const id = useUploadId()
  return id === '' ? <UploadsView type={type} /> : <UploadView key={id} type={type} id={id} />
}
