import { NativeSelect, Text } from '@mantine/core'
import { useSession } from '../session'
import { useLeaveLogin } from './leave-guard'

/** The workspace that everything is about; for members of several, the choice of it. */
export function WorkspaceName() {
  const { login, changeWorkspace } = useSession()
  const leaveLogin = useLeaveLogin()
  const { workspace_id: current, workspaces } = login
  if (workspaces.length > 1) {
    return (
      <NativeSelect
        size="xs"
        maw={220}
        aria-label="Workspace"
        value={current}
        onChange={({ currentTarget: { value } }) => leaveLogin(() => changeWorkspace(value))}
        data={workspaces.map(({ workspace_id: value, name: label }) => ({ value, label }))}
      />
    )
  }
  return (
    <Text c="dimmed" truncate>
      {workspaces[0]?.name ?? current}
    </Text>
  )
}
