import { inject } from 'vitest'
import { ServiceClient } from '#client/client'
import { clientCredentials } from '#client/credentials'
import type { Service } from './setup'

/** Path of the dataset endpoints. */
export const DATASETS = '/admin/datasets/v1/'

export const service = (): Service => inject('service')!

/** The operator of the service. */
export const operator = (): ServiceClient =>
  new ServiceClient({ baseUrl: service().origin, tokens: { token: async () => inject('operatorToken') } })

const WORKSPACES = '/platform/v1/workspaces'

/** Adds a user to a workspace, or changes their role. */
export async function addMember(workspace_id: string, email: string, role: 'admin' | 'viewer'): Promise<void> {
  await operator().post(`${WORKSPACES}/{workspace_id}/members`, {
    params: { workspace_id },
    body: { email, role },
  })
}

export const ADMIN = 'admin@demo.example'
export const VIEWER = 'viewer@demo.example'

/** The IDs of the workspaces below, by their names. */
const workspaceIds = new Map<string, string>()

export function idOfWorkspace(name: string): string {
  const id = workspaceIds.get(name)
  if (id === undefined) throw new Error(`There is no workspace “${name}”.`)
  return id
}

/** A new, empty workspace of both users, who are also members of the demo workspace. */
export async function newWorkspace(name: string): Promise<string> {
  const { workspace_id } = await operator().post(WORKSPACES, { body: { name } })
  workspaceIds.set(name, workspace_id)
  await addMember(workspace_id, ADMIN, 'admin')
  await addMember(workspace_id, VIEWER, 'viewer')
  return workspace_id
}

const KEYS = `${WORKSPACES}/{workspace_id}/api-keys` as const

/** An access token for a workspace, as integrations use it. */
export async function programToken(workspace_id: string): Promise<string> {
  const {
    client_id = '',
    client_secret = '',
    api_key,
  } = await operator().post(KEYS, { params: { workspace_id }, body: { client_name: 'Nightly sync' } })
  const access = { clientId: client_id, clientSecret: client_secret, apiKey: api_key }
  return clientCredentials({ baseUrl: service().origin, ...access }).token()
}

/**
 * Sends a request to the API with an access token, for tests that check the response itself. A text or a form is sent
 * unchanged, anything else as JSON.
 */
export function callService(token: string, path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') {
  const isForm = body instanceof FormData
  return fetch(`${service().origin}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(isForm ? {} : { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

/** Writes to a catalog through the API: records, a text with them, or a form with a file. */
export async function writeRecords(token: string, type: string, records: unknown): Promise<void> {
  const response = await callService(token, `${DATASETS}?type=${type}`, records)
  if (!response.ok) throw new Error(`The ${type} records were refused: ${await response.text()}`)
}

/** A new workspace with a catalog. @returns an access token for it */
export async function filledWorkspace(name: string, type: string, records: unknown): Promise<string> {
  const token = await programToken(await newWorkspace(name))
  await writeRecords(token, type, records)
  return token
}

/** The response with a record, as text. */
export async function rawRecord(token: string, type: string, id: string): Promise<string> {
  const response = await callService(token, `${DATASETS}${encodeURIComponent(id)}?type=${type}`)
  return response.text()
}

export async function storedRecord(token: string, type: string, id: string): Promise<Record<string, unknown>> {
  return (JSON.parse(await rawRecord(token, type, id)) as { data: Record<string, unknown> }).data
}

/** The IDs of all active records. */
export async function storedIds(token: string, type: string): Promise<unknown[]> {
  const response = await callService(token, `${DATASETS}?type=${type}&limit=1000`)
  const { items } = (await response.json()) as { items: Record<string, unknown>[] }
  return items.map((item) => item[`${type}_id`])
}
