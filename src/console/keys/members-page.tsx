import { useSession } from '../session'
import { Page } from '../widgets/page'
import { tellDone } from '../widgets/tell-done'
import { Members } from './members'

/** The people of the workspace. */
export default function MembersPage() {
  const { login } = useSession()
  return (
    <Page title="Members" description={`The people of this workspace. Your own role is ${login.role}.`}>
      <Members onDone={tellDone} />
    </Page>
  )
}
