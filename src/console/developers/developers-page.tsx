import { Tabs } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'wouter'
import { apiKeys } from '../keys/api-keys'
import { Credentials } from '../keys/credentials'
import { encryptionKeys } from '../keys/encryption-keys'
import { partnerCredentials } from '../keys/partner-credentials'
import type { SectionProps } from '../keys/section'
import { EmbedSnippet } from '../search/embed-snippet'
import { Webhooks } from '../watch/webhooks'
import { DoneMessage } from '../widgets/done-message'
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
  const [done, setDone] = useState<string>()
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
          setDone(undefined)
          setParameters({ tab: name ?? current.name }, { replace: true })
        }}
        keepMounted={false}
        // Room to scroll what the message covers above it.
        pb={done === undefined ? 0 : 120}
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
            {show({ onDone: setDone })}
          </Tabs.Panel>
        ))}
      </Tabs>
      <DoneMessage text={done} onClose={() => setDone(undefined)} />
    </Page>
  )
}
