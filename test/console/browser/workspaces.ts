import { inject } from 'vitest'
import type { Service } from './setup'

/** Where the dataset endpoints are. */
export const DATASETS = '/admin/datasets/v1/'

/** The service of this worker. */
export const service = (): Service => inject('services')[Number(process.env.VITEST_POOL_ID) - 1]!

/** Posts to an endpoint of the operator, or deletes there if there is no body. */
export async function callOperator<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${service().origin}/platform/v1${path}`, {
    headers: { Authorization: `Bearer ${inject('operatorToken')}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? { method: 'DELETE' } : { method: 'POST', body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { message: string; data: T }
  if (!response.ok) throw new Error(`${path}: ${answer.message}`)
  return answer.data
}

export const ADMIN = 'admin@demo.example'
export const VIEWER = 'viewer@demo.example'

/** The ids of the workspaces below, by their names. */
const workspaceIds = new Map<string, string>()

export function idOfWorkspace(name: string): string {
  const id = workspaceIds.get(name)
  if (id === undefined) throw new Error(`There is no workspace “${name}”.`)
  return id
}

/** A new, empty workspace of both people, who are members of the demo workspace as well. */
export async function newWorkspace(name: string): Promise<string> {
  const { workspace_id } = await callOperator<{ workspace_id: string }>('/workspaces', { name })
  workspaceIds.set(name, workspace_id)
  await callOperator(`/workspaces/${workspace_id}/members`, { email: ADMIN, role: 'admin' })
  await callOperator(`/workspaces/${workspace_id}/members`, { email: VIEWER, role: 'viewer' })
  return workspace_id
}

export interface Client {
  client_id: string
  client_secret: string
}

/** A client of a workspace, for which its admins may make keys: it had one, which is revoked. */
export async function clientOf(workspaceId: string): Promise<Client> {
  const client = await callOperator<Client>('/clients', { name: 'Pharmacy system' })
  const { client_id } = client
  const keys = `/workspaces/${workspaceId}/api-keys`
  const { api_key_id } = await callOperator<{ api_key_id: string }>(keys, { client_id })
  await callOperator(`${keys}/${api_key_id}`)
  return client
}

/** An access token for a workspace, as a program has it. */
export async function programToken(workspaceId: string): Promise<string> {
  const client = await callOperator<{ client_id: string; client_secret: string }>('/clients', {
    name: 'Nightly sync',
  })
  const { api_key } = await callOperator<{ api_key: string }>(`/workspaces/${workspaceId}/api-keys`, {
    client_id: client.client_id,
  })
  const response = await fetch(`${service().origin}/api/v1/auth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-KEY': api_key },
    body: JSON.stringify({ ...client, grant_type: 'client_credentials' }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Calls the API with an access token. A body is posted: a text or a form as it is, anything else as JSON. */
export const callService = (token: string, path: string, body?: unknown): Promise<Response> => {
  const isForm = body instanceof FormData
  return fetch(`${service().origin}${path}`, {
    headers: { Authorization: `Bearer ${token}`, ...(isForm ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined
      ? {}
      : { method: 'POST', body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

/** Writes to a catalog through the API: records, a text with them, or a form with a file. */
export async function writeRecords(token: string, type: string, records: unknown): Promise<void> {
  const response = await callService(token, `${DATASETS}?type=${type}`, records)
  if (!response.ok) throw new Error(`The ${type} records were refused: ${await response.text()}`)
}

/** The answer with a record, as text. */
export async function rawRecord(token: string, type: string, id: string): Promise<string> {
  const response = await callService(token, `${DATASETS}${encodeURIComponent(id)}?type=${type}`)
  return response.text()
}

export async function storedRecord(
  token: string,
  type: string,
  id: string,
): Promise<Record<string, unknown>> {
  return (JSON.parse(await rawRecord(token, type, id)) as { data: Record<string, unknown> }).data
}
