import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { scope } from '#worker/auth/access'
import { missingScope } from '#worker/auth/access-token'
import type { AppContext } from '#worker/http/context'
import { controlDatabaseOf } from '#worker/http/databases'
import { envelopedAs } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import type { Database } from '#worker/storage/database'
import { apiKeys, clients } from '#worker/storage/schema/control'
import type { AdminContext } from './admin-context'
import { apiKeyEndpoints } from './api-keys'
import type { Administration } from './collection-endpoints'
import { encryptionKeyEndpoints } from './encryption-keys'
import { memberEndpoints } from './members'
import { partnerCredentialEndpoints } from './partner-credentials'

const MOST_PROGRAMS = 1000

const programsSchema = z.strictObject({
  items: z.array(
    z
      .strictObject({ client_id: z.string(), name: z.string().meta({ example: 'Pharmacy system' }) })
      .meta({ id: 'Program', description: 'A client, as histories name it.' }),
  ),
})

/** The clients that have, or had, an API key of a workspace, by name. */
async function listPrograms({ orm }: Database, workspaceId: string): Promise<z.output<typeof programsSchema>> {
  const items = await orm
    .selectDistinct({ client_id: clients.clientId, name: clients.name })
    .from(apiKeys)
    .innerJoin(clients, eq(clients.clientId, apiKeys.clientId))
    .where(eq(apiKeys.workspaceId, workspaceId))
    .orderBy(clients.name, clients.clientId)
    .limit(MOST_PROGRAMS)
  return { items }
}

/** The admin, from the token. Each change checks that the caller still is an admin. */
export function adminOf(c: AppContext): Required<AdminContext> {
  const { workspaceId, memberId, actor } = c.var.caller
  // This requires a user, even if a client's token has the scope.
  if (memberId === undefined) throw missingScope('workspace:admin')
  return { database: controlDatabaseOf(c), workspaceId, memberId, actor }
}

export const programEndpoints = [
  endpoint(
    {
      tag: 'Workspace',
      method: 'get',
      path: '/admin/workspace/v1/programs',
      access: scope('catalog:read'),
      operationId: 'listPrograms',
      summary: 'List the names of the clients of the workspace',
      description:
        'Returns the clients that have, or had, an API key of the workspace, because histories contain only ' +
        'their IDs.',
      answer: envelopedAs('Programs.', programsSchema),
    },
    ({ c }) => listPrograms(controlDatabaseOf(c), c.var.caller.workspaceId),
  ),
] as const

export const administrationEndpoints = <const Base extends string>(
  administration: Administration<Base, AdminContext>,
) =>
  [
    ...apiKeyEndpoints(administration),
    ...partnerCredentialEndpoints(administration),
    ...encryptionKeyEndpoints(administration),
    ...memberEndpoints(administration),
  ] as const

/** Admins manage keys and members with the same requests as the operator. The last admin cannot be removed. */
export const workspaceEndpoints = administrationEndpoints({
  tag: 'Workspace',
  access: scope('workspace:admin'),
  base: '/admin/workspace/v1',
  prefix: 'Workspace',
  adminOf,
})
