import { inject } from 'vitest'

/** Posts to an endpoint of the operator. */
export async function callOperator<T>(path: string, body: unknown): Promise<T> {
  const response = await fetch(`${inject('origin')}/platform/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${inject('operatorToken')}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { message: string; data: T }
  if (!response.ok) throw new Error(`${path}: ${answer.message}`)
  return answer.data
}

export const ADMIN = 'admin@demo.example'
export const VIEWER = 'viewer@demo.example'

/** A new, empty workspace. The administrator is a member of the demo workspace as well. */
export async function newWorkspace(name: string): Promise<string> {
  const { workspace_id } = await callOperator<{ workspace_id: string }>('/workspaces', { name })
  await callOperator(`/workspaces/${workspace_id}/members`, { email: ADMIN, role: 'admin' })
  return workspace_id
}

/** An access token for a workspace, as a program has it. */
export async function programToken(workspaceId: string): Promise<string> {
  const client = await callOperator<{ client_id: string; client_secret: string }>('/clients', {
    name: 'Nightly sync',
  })
  const { api_key } = await callOperator<{ api_key: string }>(`/workspaces/${workspaceId}/api-keys`, {
    client_id: client.client_id,
  })
  const response = await fetch(`${inject('origin')}/api/v1/auth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-KEY': api_key },
    body: JSON.stringify({ ...client, grant_type: 'client_credentials' }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}
