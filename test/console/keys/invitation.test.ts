import { expect, it } from 'vitest'
import { invitationText } from '#console/keys/invitation'

const login = {
  workspace_id: 'w-1',
  workspaces: [
    { workspace_id: 'w-0', name: 'Other clinic', role: 'viewer' as const },
    { workspace_id: 'w-1', name: 'City clinic', role: 'admin' as const },
  ],
}

it('an invitation names the workspace, the role, the console and the address to log in with', () => {
  const text = invitationText({ email: 'asha@clinic.example', role: 'editor' }, login, 'https://catalog.example')
  expect(text).toContain('the catalogs of City clinic (role: editor)')
  expect(text).toContain('Open https://catalog.example/console/ and log in with the address asha@clinic.example.')
  expect(text).not.toContain('Other clinic')
})

it('an invitation to a workspace that is not in the list has its id', () => {
  const text = invitationText({ email: 'a@b.example', role: 'viewer' }, { ...login, workspaces: [] }, '')
  expect(text).toContain('the catalogs of w-1')
})
