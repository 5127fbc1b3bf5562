import { BackLink } from '../catalog/back-link'
import type { CatalogPageProps } from '../shell/catalog-page-props'
import { UploadView } from '../uploads/upload-view'
import { UploadsView } from '../uploads/uploads-view'
import { Restricted } from '../widgets/restricted'
import { useHistoryPlace, writeAddress } from './address'
import { ComparisonView } from './comparison-view'
import { RestoreView } from './restore-view'
import { WriteView } from './write-view'
import { WritesView } from './writes-view'

/** All writes of a catalog, one of them, the way back, or two states beside each other, as the address says. */
export default function HistoryPage({ type }: CatalogPageProps) {
  const place = useHistoryPlace()
  if (place.is === 'list') {
    return place.shown === null ? <WritesView type={type} /> : <UploadsView type={type} shown={place.shown} />
  }
  if (place.is === 'upload') return <UploadView key={place.id} type={type} id={place.id} />
  if (place.is === 'comparison') return <ComparisonView type={type} from={place.from} to={place.to} />
  if (place.is === 'write') return <WriteView key={place.id} type={type} id={place.id} />
  return (
    <Restricted
      scope="catalog:write"
      title={place.is === 'undo' ? 'Undo' : 'Go back'}
      above={<BackLink href={writeAddress(type, place.id)} label="What it did" />}
    >
      <RestoreView key={`${place.id}/${place.is}`} type={type} id={place.id} target={place.is} />
    </Restricted>
  )
}
