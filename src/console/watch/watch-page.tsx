import { Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { recordTypes } from '#shared/records/record-types'
import { useSession } from '../session'
import { DoneMessage } from '../widgets/done-message'
import { Page } from '../widgets/page'
import { CatalogWatch } from './catalog-watch'
import { Webhooks } from './webhooks'

/** Which catalogs programs should keep up to date, and who is told if they do not. */
export default function WatchPage() {
  const { can } = useSession()
  const [done, setDone] = useState<string>()
  return (
    <Page
      title="Watch and webhooks"
      description="Which catalogs programs should bring up to date in time, and which other programs are told of it. The overview shows how each catalog stands."
    >
      <Stack gap="sm" component="section" aria-labelledby="watch">
        <Title order={2} size="h4" id="watch">
          Watch
        </Title>
        <div className="cards">
          {Object.values(recordTypes).map((type) => (
            <CatalogWatch key={type.name} type={type} onDone={setDone} />
          ))}
        </div>
      </Stack>
      {can('workspace:admin') && (
        <Stack gap={0} component="section" aria-labelledby="webhooks">
          <Title order={2} size="h4" id="webhooks">
            Webhooks
          </Title>
          <Webhooks onDone={setDone} />
        </Stack>
      )}
      <DoneMessage text={done} onClose={() => setDone(undefined)} />
    </Page>
  )
}
