import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { type AccessKind, AccessList } from '../keys/access-list'
import { apiKeys, encryptionKeys, partnerCredentials } from '../keys/credential-kinds'
import { PartnerCredentials } from '../keys/partner-credentials'
import { tellDone } from '../widgets/done-notice'
import { Page } from '../widgets/page'
import { titleCase } from '../wording'
import { EmbedSnippet } from './embed-snippet'
import { Webhooks } from './webhooks'

interface Tab {
  name: string
  label: string
  show: () => ReactNode
}

const TABS: readonly Tab[] = [
  { name: 'api-keys', label: 'API keys', show: () => <Credentials kind={apiKeys} /> },
  {
    name: 'partner-credentials',
    label: 'Partner credentials',
    show: () => <PartnerCredentials onEnded={tellRevoked(partnerCredentials)} />,
  },
  { name: 'encryption-keys', label: 'Encryption keys', show: () => <Credentials kind={encryptionKeys} /> },
  { name: 'webhooks', label: 'Webhooks', show: () => <Webhooks /> },
  { name: 'search-box', label: 'Search box', show: () => <EmbedSnippet /> },
]

const Credentials = <Item, Body, Created>({ kind }: { kind: AccessKind<Item, Body, Created> }) => (
  <AccessList kind={kind} onEnded={tellRevoked(kind)} />
)

const tellRevoked =
  <Item, Body, Created>({ nameOf }: AccessKind<Item, Body, Created>) =>
  (item: Item) =>
    tellDone(`${titleCase(nameOf(item))} is revoked.`)

/** What developers of integrations and partners need. */
export default function DevelopersPage() {
  const [parameters, setParameters] = useSearchParams()
  const tabName = parameters.get('tab')
  const current = TABS.find(({ name }) => name === tabName)?.name ?? 'api-keys'

  return (
    <Page title="Developers" description="Keys, webhooks and the search box for partner pages.">
      <Tabs
        value={current}
        onChange={(name) => setParameters({ tab: name ?? current }, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List aria-label="For developers" className="key-tabs">
          {TABS.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ name, show }) => (
          <Tabs.Panel key={name} value={name}>
            {show()}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}
