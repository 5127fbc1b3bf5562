import { env } from 'cloudflare:workers'
import { callOperator, createWorkspace } from '../../support/credentials'
import { addMember, memberToken } from '../../support/members'
import { describedData } from '../../support/responses'
import { bearer, callService, type Fetch, jsonBody } from '../../support/service'

type Call = (path: string, body?: unknown, method?: 'DELETE' | 'PUT') => Promise<Response>

/** A user or operator who may manage the keys and members of a workspace. */
export interface Administrator {
  workspaceId: string
  /** Of a member. */
  email?: string
  /** Sends a request to an endpoint below the workspace, such as `/api-keys`. A body makes it a POST. */
  call: Call
  /** The same, expecting a 200 in the described form. */
  dataOf<T>(...request: Parameters<Call>): Promise<T>
}

const administrator = (
  { workspaceId, email }: Pick<Administrator, 'workspaceId' | 'email'>,
  base: string,
  call: Call,
): Administrator => ({
  workspaceId,
  ...(email === undefined ? {} : { email }),
  call,
  dataOf: async (path, body, method) =>
    describedData(method ?? (body === undefined ? 'GET' : 'POST'), base + path, await call(path, body, method)),
})

/** The operator, for a workspace. For a new one if none is given. */
export async function newOperator(workspaceId?: string): Promise<Administrator> {
  const id = workspaceId ?? (await createWorkspace())
  return administrator({ workspaceId: id }, `/platform/v1/workspaces/${id}`, (path, body, method) =>
    callOperator(`/workspaces/${id}${path}`, body, method),
  )
}

export const WORKSPACE = '/admin/workspace/v1'

/** Sends requests to endpoints of the own workspace with an access token. */
export const callingAs =
  (token: string, call: Fetch = callService): Call =>
  (path, body, method) => {
    const headers = bearer(token)
    return call(WORKSPACE + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      ...(body === undefined ? { headers } : jsonBody(body, headers)),
    })
  }

export const callAs = (token: string, ...request: Parameters<Call>): Promise<Response> => callingAs(token)(...request)

/** An admin of a workspace. Of a new one if none is given. */
export async function newAdmin(
  workspaceId?: string,
  email = 'admin@clinic.example',
): Promise<Administrator & { email: string; memberId: string; token: string }> {
  const id = workspaceId ?? (await createWorkspace())
  const memberId = await addMember(id, 'admin', email)
  const token = await memberToken(id, memberId, 'admin')
  const admin = administrator({ workspaceId: id, email }, WORKSPACE, callingAs(token))
  return { ...admin, email, memberId, token }
}

/** Both ways to manage a workspace. The same code serves both, so that few tests run for each. */
export const ADMINISTRATORS = [
  ['the operator', newOperator],
  ['an admin', newAdmin],
] as const satisfies readonly [string, () => Promise<Administrator>][]

/** Everything that administration may change. */
export async function stored(): Promise<unknown[]> {
  const tables = ['api_keys', 'partner_credentials', 'encryption_keys', 'members']
  const statements = tables.map((table) => env.DB.prepare(`select * from ${table} order by 1`))
  return (await env.DB.batch(statements)).map(({ results }) => results)
}
