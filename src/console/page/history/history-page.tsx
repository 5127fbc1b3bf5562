import { useSession } from '../session'
import type { CatalogPageProps } from '../shell/catalog-page-props'
import { useHistoryPlace } from './address'
import { ComparisonView } from './comparison-view'
import { RestoreView } from './restore-view'
import { WriteView } from './write-view'
import { WritesView } from './writes-view'

/** All writes of a catalog, one of them, the way back, or two states beside each other, as the address says. */
export default function HistoryPage({ type }: CatalogPageProps) {
  const { can } = useSession()
  const place = useHistoryPlace()
  if (place.is === 'list') return <WritesView type={type} />
  if (place.is === 'comparison') return <ComparisonView type={type} from={place.from} to={place.to} />
  if (place.is === 'write' || !can('catalog:write')) {
    return <WriteView key={place.id} type={type} id={place.id} />
  }
  return <RestoreView key={`${place.id}/${place.is}`} type={type} id={place.id} target={place.is} />
}
