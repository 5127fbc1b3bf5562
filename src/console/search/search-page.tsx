import { SimpleGrid, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { recordTypes } from '#shared/records/record-types'
import { useSession } from '../session'
import type { CatalogPageProps } from '../shell/catalog-page-props'
import { Page } from '../widgets/page'
import { SearchCard } from './search-card'
import { TrialSearch } from './trial-search'

/** Where partner search looks, for each type, and the search to try. */
export default function SearchPage({ type }: CatalogPageProps) {
  const { can } = useSession()
  const [said, setSaid] = useState('')
  return (
    <Page
      title="Partner search"
      description={
        <>
          What your partners' programs find while somebody types. Switched on, it finds the active records of
          this workspace; switched off, those of the provider's medical database.
        </>
      }
    >
      <Stack gap="lg">
        {!can('catalog:write') && (
          <Text size="sm">Editors and admins of the workspace can switch it on and off.</Text>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
          {Object.values(recordTypes).map((one) => (
            <SearchCard key={one.name} type={one} onChanged={setSaid} />
          ))}
        </SimpleGrid>
        <VisuallyHidden role="status">{said}</VisuallyHidden>
        <TrialSearch type={type} />
      </Stack>
    </Page>
  )
}
