import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import type { SectionProps } from '../keys/access-list'
import { apiKeys, encryptionKeys, partnerCredentials } from '../keys/credential-kinds'
import { Credentials } from '../keys/credentials'
import { EmbedSnippet } from '../search/embed-snippet'
import { Webhooks } from '../watch/webhooks'
import { tellDone } from '../widgets/done-notice'
import { Page } from '../widgets/page'

interface Tab {
  name: string
  label: string
  show: (props: SectionProps) => ReactNode
}

const TABS: readonly Tab[] = [
  { name: 'api-keys', label: 'API keys', show: (props) => <Credentials kind={apiKeys} {...props} /> },
  {
    name: 'partner-credentials',
    label: 'Partner credentials',
    show: (props) => <Credentials kind={partnerCredentials} {...props} />,
  },
  {
    name: 'encryption-keys',
    label: 'Encryption keys',
    show: (props) => <Credentials kind={encryptionKeys} {...props} />,
  },
  { name: 'webhooks', label: 'Webhooks', show: (props) => <Webhooks {...props} /> },
  { name: 'search-box', label: 'Search box', show: () => <EmbedSnippet /> },
]

/** What programs and partners need. */
export default function DevelopersPage() {
  const [parameters, setParameters] = useSearchParams()
  const named = parameters.get('tab')
  const current = TABS.find(({ name }) => name === named) ?? TABS[0]!

  return (
    <Page
      title="Developers"
      description="What programs and partners need: keys, messages, and the search box for pages of partners."
    >
      <Tabs
        value={current.name}
        onChange={(name) => {
          setParameters({ tab: name ?? current.name }, { replace: true })
        }}
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
            {show({ onDone: tellDone })}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}
