import { recordTypes } from '#shared/records/record-types'
import { Page } from '../widgets/page'
import { tellDone } from '../widgets/tell-done'
import { CatalogWatch } from './catalog-watch'

/** Which catalogs programs should keep up to date, and who is told if they do not. */
export default function WatchPage() {
  return (
    <Page
      title="Watch"
      description="Which catalogs programs should bring up to date in time. The overview shows how each catalog stands, and webhooks tell other programs."
    >
      <div className="cards">
        {Object.values(recordTypes).map((type) => (
          <CatalogWatch key={type.name} type={type} onDone={tellDone} />
        ))}
      </div>
    </Page>
  )
}
