import type { Role } from '#shared/access/caller'
import type { Login } from '../service/access'

/** The message that invites a member: where the console is, and how to log in. */
export function invitationText(
  { email, role }: { email: string; role: Role },
  { workspace_id, workspaces }: Pick<Login, 'workspace_id' | 'workspaces'>,
  origin: string,
): string {
  const workspace = workspaces.find((one) => one.workspace_id === workspace_id)?.name ?? workspace_id
  return [
    `You have access to the catalogs of ${workspace} (role: ${role}).`,
    `Open ${origin}/console/ and log in with the address ${email}.`,
    `If you are asked for a workspace, choose ${workspace}.`,
  ].join('\n')
}
