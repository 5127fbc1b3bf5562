import { Anchor, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { errorOf } from '#client/service-error'
import { RECORD_TYPES, type RecordType, type RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { CopyValue } from '../widgets/copy-value'
import { QueryResult } from '../widgets/query-result'
import { titleCase } from '../wording'

interface Release {
  path: string
  /** The value of the script's `integrity` attribute. */
  integrity: string
}

/** The newest release. @throws Error if the request fails or there is no release */
async function newestRelease(signal: AbortSignal): Promise<Release> {
  const response = await fetch('/embed/', { signal })
  if (!response.ok) throw await errorOf(response)
  const { versions } = (await response.json()) as { versions: Release[] }
  const [newest] = versions
  if (newest === undefined) throw new Error('No version of the search element is released.')
  return newest
}

const snippetOf = ({ name, title }: RecordType, { path, integrity }: Release): string => {
  const id = name.replace('_', '-')
  return `<script type="module" src="${location.origin}${path}"
  integrity="${integrity}" crossorigin="anonymous"></script>
<label for="${id}">${title[0]?.toUpperCase()}${title.slice(1)}</label>
<catalog-search type="${name}" token-url="/catalog-token" name="${name}_id">
  <input id="${id}" name="${name}_text">
</catalog-search>`
}

/** HTML with a search box to paste into a partner's page, and its requirements. */
export function EmbedSnippet() {
  const [name, setName] = useState<RecordTypeName>('medication')
  const type = recordTypes[name]
  const release = useQuery({
    queryKey: ['element-release'],
    queryFn: ({ signal }) => newestRelease(signal),
  })
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }} component="section" aria-labelledby="embed-snippet">
      <Stack gap="md">
        <Title order={2} size="h4" id="embed-snippet">
          On a partner's page
        </Title>
        <Text size="sm">
          A search box that your partners' developers put on their pages.{' '}
          <Anchor href="/embed/demo/" inherit>
            Try it
          </Anchor>
          {', or read the '}
          <Anchor href="/docs/partners" inherit>
            partner guide
          </Anchor>
          .
        </Text>
        <NativeSelect
          label="Catalog"
          maw={240}
          value={name}
          data={RECORD_TYPES.map((one) => ({ value: one, label: titleCase(recordTypes[one].plural) }))}
          onChange={({ currentTarget: { value } }) =>
            setName(RECORD_TYPES.find((one) => one === value) ?? 'medication')
          }
        />
        <QueryResult query={release} name="search box for partners" height={160}>
          {(newest) => <CopyValue label={`Search box for ${type.plural}`} value={snippetOf(type, newest)} />}
        </QueryResult>
        <Text size="sm">
          It needs a{' '}
          <Anchor component={Link} href="/developers?tab=partner-credentials" inherit>
            partner credential
          </Anchor>{' '}
          with the web origin of the page, a backend at <code>token-url</code>, and the origin of this service,{' '}
          {location.origin}, in the page's content security policy. The guide explains each.
        </Text>
      </Stack>
    </Paper>
  )
}
