import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { DEFAULT_MAX_SHRINK } from '#shared/limits'
import { scope } from '#worker/auth/access'
import { missingScope } from '#worker/auth/access-token'
import { json } from '#worker/http/body/request-body'
import type { AppContext } from '#worker/http/context'
import { controlDatabaseOf, requireWritableWorkspace } from '#worker/http/databases'
import { envelopedAs } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { required } from '#worker/http/endpoint/values'
import { type Database, firstOf } from '#worker/storage/database'
import { apiKeys, clients, workspaces } from '#worker/storage/schema/control'
import { apiKeyEndpoints } from './api-keys'
import { type Authority, changeAs, ifAuthorized } from './authority'
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

/** What a workspace can set for the people who use the console (docs/contract.md#workspace-settings). */

export const settingsSchema = z.strictObject({
  confirm_deactivation_percent: z
    .int(required('must be a whole number'))
    .min(0, 'must not be less than 0')
    .max(DEFAULT_MAX_SHRINK, `must not be more than ${DEFAULT_MAX_SHRINK}`)
    .meta({
      description:
        'Share of the active records, in percent. Before a file deactivates as many or more, the console has the ' +
        'person type how many. 0: always. Above 50 the shrink guard asks in any case.',
      example: 10,
    }),
})

type Settings = z.output<typeof settingsSchema>

async function readSettings({ orm }: Database, workspaceId: string): Promise<Settings> {
  const columns = { confirm_deactivation_percent: workspaces.confirmDeactivationPercent }
  return firstOf(await orm.select(columns).from(workspaces).where(eq(workspaces.workspaceId, workspaceId)))
}

async function changeSettings(authority: Authority, settings: Settings, now: Date): Promise<Settings> {
  const { workspaceId, database } = authority
  const change = database.orm
    .update(workspaces)
    .set({ confirmDeactivationPercent: settings.confirm_deactivation_percent })
    .where(and(eq(workspaces.workspaceId, workspaceId), ifAuthorized(authority)))
  await changeAs(authority, [change], now)
  return settings
}

/** The admin who calls, from the token. Each change checks that the caller still is an admin. */
export function adminOf(c: AppContext): Required<Authority> {
  const { workspaceId, memberId, actor } = c.var.caller
  // A person is needed, even if the token has the scope.
  if (memberId === undefined) throw missingScope('workspace:admin')
  return { database: controlDatabaseOf(c), workspaceId, memberId, actor }
}

const settings = { tag: 'Workspace', path: '/admin/workspace/v1/settings' } as const

export const settingsEndpoints = [
  endpoint(
    {
      tag: 'Workspace',
      method: 'get',
      path: '/admin/workspace/v1/programs',
      access: scope('catalog:read'),
      operationId: 'listPrograms',
      summary: 'List the names of the programs of the workspace',
      description: 'Clients that have, or had, an API key of the workspace: histories name them by their ids.',
      answer: envelopedAs('Programs.', programsSchema),
    },
    ({ c }) => listPrograms(controlDatabaseOf(c), c.var.caller.workspaceId),
  ),
  endpoint(
    {
      ...settings,
      method: 'get',
      access: scope('catalog:read'),
      operationId: 'readWorkspaceSettings',
      summary: 'Read the settings of the workspace',
      description: 'For the console, which asks people as the settings say.',
      answer: envelopedAs('Settings.', settingsSchema),
    },
    ({ c }) => readSettings(controlDatabaseOf(c), c.var.caller.workspaceId),
  ),
  endpoint(
    {
      ...settings,
      method: 'post',
      access: scope('workspace:admin'),
      operationId: 'changeWorkspaceSettings',
      summary: 'Change the settings of the workspace',
      description: 'All of them at once. They hold for all catalogs of the workspace.',
      body: json(settingsSchema),
      answer: envelopedAs('Settings changed.', settingsSchema),
      writes: true,
    },
    ({ c, body, now }) => {
      requireWritableWorkspace(c)
      return changeSettings(adminOf(c), body, now)
    },
  ),
] as const

export const administrationEndpoints = <const Base extends string>(administration: Administration<Base, Authority>) =>
  [
    ...apiKeyEndpoints(administration),
    ...partnerCredentialEndpoints(administration),
    ...encryptionKeyEndpoints(administration),
    ...memberEndpoints(administration),
  ] as const

/** Admins manage keys and members with the same calls as the operator. The last admin cannot be removed. */
export const workspaceEndpoints = administrationEndpoints({
  tag: 'Workspace',
  access: scope('workspace:admin'),
  base: '/admin/workspace/v1',
  prefix: 'Workspace',
  adminOf,
})
