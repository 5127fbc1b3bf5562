import { useState } from 'react'
import { recordTypes } from '#shared/records/record-types'
import { DoneMessage } from '../widgets/done-message'
import { Page } from '../widgets/page'
import { CatalogWatch } from './catalog-watch'

/** Which catalogs programs should keep up to date, and who is told if they do not. */
export default function WatchPage() {
  const [done, setDone] = useState<string>()
  return (
    <Page
      title="Watch"
      description="Which catalogs programs should bring up to date in time. The overview shows how each catalog stands, and webhooks tell other programs."
    >
      <div className="cards">
        {Object.values(recordTypes).map((type) => (
          <CatalogWatch key={type.name} type={type} onDone={setDone} />
        ))}
      </div>
      <DoneMessage text={done} onClose={() => setDone(undefined)} />
    </Page>
  )
}
