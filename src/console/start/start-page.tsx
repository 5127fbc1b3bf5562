import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ROLE_MEANINGS } from '../roles'
import { useSession } from '../session'
import { Loaded } from '../widgets/loaded'
import { Page } from '../widgets/page'
import { CatalogCard } from './catalog-card'
import { NextStepNotice } from './next-step-notice'

/** How the four catalogs stand, and what to do next. */
export default function StartPage() {
  const { client, login } = useSession()
  const statuses = useQuery({
    queryKey: ['catalog-statuses'],
    queryFn: async ({ signal }) =>
      (await client.get('/admin/catalogs/v1/', { query: { include: 'held' }, signal })).items,
  })
  const workspace = login.workspaces.find(({ workspace_id }) => workspace_id === login.workspace_id)
  return (
    <Page
      title="Overview"
      description={
        <span className="breakable">
          The catalogs of {workspace?.name ?? login.workspace_id}. You are logged in as {login.email}. Your
          role is {login.role}: {ROLE_MEANINGS[login.role]}.
        </span>
      }
    >
      <Loaded query={statuses} name="catalogs" height={320}>
        {(items) => (
          <Stack gap="lg">
            <NextStepNotice statuses={items} />
            <div className="cards">
              {items.map((status) => (
                <CatalogCard key={status.type} status={status} />
              ))}
            </div>
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}
