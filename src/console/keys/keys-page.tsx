import { Tabs } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useSession } from '../session'
import { DoneMessage } from '../widgets/done-message'
import { Page } from '../widgets/page'
import { apiKeys } from './api-keys'
import { Credentials } from './credentials'
import { encryptionKeys } from './encryption-keys'
import { Members } from './members'
import { partnerCredentials } from './partner-credentials'
import type { SectionProps } from './section'

interface Tab {
  name: string
  label: string
  show: (props: SectionProps) => ReactNode
}

const TABS: readonly Tab[] = [
  { name: 'members', label: 'Members', show: (props) => <Members {...props} /> },
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
]

/** Who has access to the workspace: people, programs and partners. */
export default function KeysPage() {
  const { login } = useSession()
  const [parameters, setParameters] = useSearchParams()
  const [done, setDone] = useState<string>()
  const named = parameters.get('tab')
  const current = TABS.find(({ name }) => name === named) ?? TABS[0]!

  return (
    <Page
      title="Keys and members"
      description={`Who has access to this workspace: people, programs and partners. Your own role is ${login.role}.`}
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
        <Tabs.List aria-label="What has access" className="key-tabs">
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
