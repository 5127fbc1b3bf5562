import { useState } from 'react'
import { useSession } from '../session'
import { DoneMessage } from '../widgets/done-message'
import { Page } from '../widgets/page'
import { Members } from './members'

/** The people of the workspace. */
export default function MembersPage() {
  const { login } = useSession()
  const [done, setDone] = useState<string>()
  return (
    <Page title="Members" description={`The people of this workspace. Your own role is ${login.role}.`}>
      <Members onDone={setDone} />
      <DoneMessage text={done} onClose={() => setDone(undefined)} />
    </Page>
  )
}
