import * as z from 'zod'
import { ApiError, invalidField } from '#shared/errors/errors'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { json } from '#worker/http/body/request-body'
import type { AppContext } from '#worker/http/context'
import { bucketOf, catalogDatabaseOf, controlDatabaseOf } from '#worker/http/databases'
import { enveloped, envelopedAs } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { flag, listQuerySchema, pageOf, pathParameter } from '#worker/http/endpoint/values'
import { boundDatabases, type Database, databaseAccess } from '#worker/storage/database'
import { withoutCopies } from '#worker/storage/placement/served-database'
import { beingErased } from '#worker/storage/placement/workspace-database'
import { lateSchema, listLate } from '#worker/sync/late-list'
import { webhookAdministration, webhookAdminOf } from '#worker/webhooks/endpoints'
import { type AdminContext, noSuchWorkspace } from '#worker/workspace/admin-context'
import { collectionEndpoints } from '#worker/workspace/collection-endpoints'
import { administrationEndpoints } from '#worker/workspace/endpoints'
import { revocation } from '#worker/workspace/revocable-rows'
import { createClient, listClients, revokeClient } from './clients'
import { listDatabases } from './databases'
import { bindingsOf, countRemains, endErasures, eraseNext, settlesAt } from './erase'
import { checkHealth, problemsOf } from './health'
import { operator } from './operator-access'
import { reseal } from './reseal'
import {
  clientSchema,
  clientSecretSchema,
  databaseSchema,
  erasureSchema,
  healthSchema,
  listedWorkspaceSchema,
  newClientSchema,
  newQuotaSchema,
  newStateSchema,
  newWorkspaceSchema,
  quotaSchema,
  resealResultSchema,
  workspaceSchema,
  workspaceStateSchema,
} from './schemas'
import { beginErasure, findWorkspace, setState } from './workspace-state'
import { createWorkspace, listWorkspaces, readQuota, setQuota } from './workspaces'

const common = { tag: 'Operator', access: operator } as const

const WORKSPACES_PATH = '/platform/v1/workspaces'

/** The operator names the workspace; each function checks that it exists. */
const operatorOn = (c: AppContext): AdminContext => ({
  database: controlDatabaseOf(c),
  workspaceId: pathParameter(c, 'workspace_id'),
  actor: 'operator',
})

const ofWorkspace = { ...common, base: `${WORKSPACES_PATH}/{workspace_id}`, prefix: '' } as const

const QUOTA_PATH = `${ofWorkspace.base}/quota` as const

/** The database of the workspace in the path. @throws ApiError 404; 409 if the workspace is being erased */
async function databaseOfWorkspace(c: AppContext): Promise<Database> {
  const workspaceId = pathParameter(c, 'workspace_id')
  const { databaseBinding, state, moveTarget } = await findWorkspace(controlDatabaseOf(c), workspaceId)
  // The workspace has no rows anymore, and must not get new ones.
  if (state === 'erased') throw noSuchWorkspace()
  if (state === 'erasing') throw beingErased()
  return catalogDatabaseOf(c, { workspaceId, databaseBinding, isMoving: moveTarget !== null })
}

const accessOf = (c: AppContext) => databaseAccess(c.env, c.var.meter)

const workspaceDatabases = (c: AppContext) => {
  const access = accessOf(c)
  return Promise.all(boundDatabases(c.env).map((name) => withoutCopies(access, name)))
}

const ERASING_MS = 10_000
const ERASING_STATEMENTS = 500

async function erase(c: AppContext, workspaceId: string, confirm: string, now: Date) {
  if (confirm !== workspaceId) throw invalidField('confirm', 'not_allowed', 'must be the ID of the workspace', confirm)
  const access = accessOf(c)
  const bucket = bucketOf(c)
  const workspace = await beginErasure(access.control, workspaceId)
  for (const binding of bindingsOf(workspace)) {
    if (boundDatabases(c.env).includes(binding)) continue
    throw new ApiError('unavailable', `The database ${binding} is not bound, so the workspace cannot be erased in it.`)
  }
  const until = Date.now() + ERASING_MS
  const mayGoOn = () => Date.now() < until && access.meter.statements < ERASING_STATEMENTS
  await eraseNext(access, bucket, workspace, mayGoOn)
  const left = await countRemains(access, bucket, workspace)
  const isEmpty = Object.values(left).every((count) => count === 0)
  const waitSeconds = Math.ceil((settlesAt(workspace) - now.getTime()) / 1000)
  if (isEmpty && waitSeconds <= 0) {
    await endErasures(access, [workspace], now)
    return { message: 'The workspace is erased.', data: { erased: true as const } }
  }
  if (!isEmpty)
    return c.json({ success: true, message: 'Not everything is erased yet. Repeat the request.', data: { left } }, 202)
  const message =
    'Everything is erased. Requests that began before the suspension may still be running, but store nothing. ' +
    `Repeat the request in ${waitSeconds} seconds for a final count.`
  return c.json({ success: true, message, data: { left } }, 202, { 'Retry-After': String(waitSeconds) })
}

/** The endpoints of the operator (docs/contract.md#operator-endpoints). */
export const platformEndpoints = [
  endpoint(
    {
      ...common,
      method: 'post',
      path: WORKSPACES_PATH,
      operationId: 'createWorkspace',
      summary: 'Create a workspace',
      description:
        'The workspace gets a new ID unless the body contains one. Its catalogs are in the database with ' +
        'the fewest workspaces unless the body names one.',
      body: json(newWorkspaceSchema),
      answer: envelopedAs('Workspace created.', workspaceSchema),
      errors: ['conflict'],
      writes: true,
    },
    ({ c, body, now }) => createWorkspace(c.env, controlDatabaseOf(c), c.var.meter, body, now),
  ),
  endpoint(
    {
      ...common,
      method: 'get',
      path: WORKSPACES_PATH,
      operationId: 'listWorkspaces',
      summary: 'List the workspaces, oldest first',
      description: 'Returns pages of workspaces with their states. The ID and the times of an erased workspace remain.',
      query: listQuerySchema,
      answer: envelopedAs('Workspaces.', pageOf(listedWorkspaceSchema)),
    },
    ({ c, query }) => listWorkspaces(controlDatabaseOf(c), query),
  ),
  endpoint(
    {
      ...common,
      method: 'get',
      path: '/platform/v1/health',
      operationId: 'checkHealth',
      summary: 'Check every component of the service',
      description:
        'Returns 200 even if a component has a problem: see `ok`. With `strict=true`, it then returns 503, and ' +
        'the message names the component. Checks all components at the same time, and waits at most 5 seconds. ' +
        'For checks every few seconds, use `GET /health`.',
      query: z.object({ strict: flag('Return 503 if a component has a problem.').default(false) }),
      answer: enveloped(healthSchema),
    },
    async ({ c, query: { strict }, now }) => {
      const health = await checkHealth(c.env, now, c.var.meter)
      if (strict && !health.ok) throw new ApiError('unavailable', problemsOf(health).join('; '))
      return { message: health.ok ? 'All components are healthy.' : 'A component has a problem.', data: health }
    },
  ),
  endpoint(
    {
      ...common,
      method: 'get',
      path: '/platform/v1/databases',
      operationId: 'listDatabases',
      summary: 'List the databases that hold workspaces',
      description: 'Shows how full each of them is. Old copies of workspaces that have moved are not counted.',
      answer: envelopedAs('Databases.', z.strictObject({ items: z.array(databaseSchema) })),
    },
    async ({ c }) => ({ items: await listDatabases(c.env, c.var.meter) }),
  ),
  endpoint(
    {
      ...common,
      method: 'get',
      path: '/platform/v1/late',
      operationId: 'listLate',
      summary: 'List the monitored catalogs that are late or rejected, longest first',
      description: 'Covers all workspaces and databases, page by page. The state is that at the time of the request.',
      query: listQuerySchema,
      answer: envelopedAs('Late catalogs.', pageOf(lateSchema)),
    },
    async ({ c, query, now }) => listLate(controlDatabaseOf(c), await workspaceDatabases(c), query, now),
  ),
  endpoint(
    {
      ...common,
      method: 'put',
      path: `${WORKSPACES_PATH}/{workspace_id}/state`,
      operationId: 'setWorkspaceState',
      summary: 'Set the state of a workspace',
      description:
        '`read_only`: writes return 503 with `Retry-After`; reads still work. `suspended`: every request is ' +
        'rejected, and the data stays. A new state takes effect everywhere within 60 seconds. If the workspace is ' +
        'being moved, it gets the state when the move finishes.',
      body: json(newStateSchema),
      answer: envelopedAs('State set.', workspaceStateSchema),
      errors: ['not_found', 'conflict'],
      writes: true,
    },
    ({ c, body, params, now }) => setState(controlDatabaseOf(c), params.workspace_id, body, now),
  ),
  endpoint(
    {
      ...common,
      method: 'delete',
      path: `${WORKSPACES_PATH}/{workspace_id}`,
      operationId: 'eraseWorkspace',
      summary: 'Erase a suspended workspace',
      description:
        'Deletes everything that belongs to it. Returns 202 with what is left: repeat the request until it returns ' +
        '200, or leave the rest to the scheduled run. That is at the earliest 90 seconds after the suspension, ' +
        'because requests that started before must end first. The ID is not used again. Backups still contain the ' +
        'workspace.',
      query: z.object({
        confirm: z
          .string({ error: 'must be the ID of the workspace' })
          .meta({ description: 'The ID of the workspace again.', example: 'ws_example' }),
      }),
      answer: { ...enveloped(erasureSchema), accepted: true },
      errors: ['not_found', 'conflict'],
      writes: true,
    },
    ({ c, query, params, now }) => erase(c, params.workspace_id, query.confirm, now),
  ),
  ...collectionEndpoints(
    { ...common, base: '/platform/v1', prefix: '', adminOf: controlDatabaseOf },
    {
      segment: 'clients',
      idParameter: 'client_id',
      noun: 'Client',
      create: {
        summary: 'Create a client',
        description: 'The secret is shown once, in this response.',
        body: newClientSchema,
        answer: envelopedAs('Client created. Its secret is not shown again.', clientSecretSchema),
        run: createClient,
      },
      list: {
        summary: 'List the clients that are not revoked, oldest first',
        description: 'Returns pages of clients without their secrets.',
        message: 'Clients.',
        itemSchema: clientSchema,
        run: listClients,
      },
      remove: revocation('Revoke a client, its API keys and their access tokens', 'Client revoked.', revokeClient),
    },
  ),
  endpoint(
    {
      ...common,
      method: 'post',
      path: QUOTA_PATH,
      operationId: 'setQuota',
      summary: 'Set the quota of a workspace, for all of its catalogs together',
      description:
        'Limits every write that adds records or bytes. Stored records stay, even if they are over the quota.',
      body: json(newQuotaSchema),
      answer: envelopedAs('Quota set.', quotaSchema),
      errors: ['not_found'],
      writes: true,
    },
    async ({ c, params, body }) => setQuota(await databaseOfWorkspace(c), params.workspace_id, body),
  ),
  endpoint(
    {
      ...common,
      method: 'get',
      path: QUOTA_PATH,
      operationId: 'getQuota',
      summary: 'Get the quota of a workspace, and how much of it is used',
      description: 'Inactive records are counted, too.',
      answer: envelopedAs('Quota.', quotaSchema),
      errors: ['not_found'],
    },
    async ({ c, params }) => readQuota(await databaseOfWorkspace(c), params.workspace_id),
  ),
  ...administrationEndpoints({ ...ofWorkspace, adminOf: operatorOn }),
  ...webhookAdministration({ ...ofWorkspace, adminOf: webhookAdminOf(operatorOn, databaseOfWorkspace) }),
  endpoint(
    {
      ...common,
      method: 'post',
      path: '/platform/v1/reseal',
      operationId: 'reseal',
      summary: 'Re-encrypt secrets with the current master key',
      description:
        'For the rotation of the master key. Each request re-encrypts some of the secrets. Repeat it until ' +
        '`remaining` is 0. Then the previous master keys are no longer needed.',
      answer: enveloped(resealResultSchema),
      writes: true,
    },
    async ({ c }) => {
      const result = await reseal(controlDatabaseOf(c), await workspaceDatabases(c), await masterKeysOf(c.env))
      return { message: `${result.resealed} secrets re-encrypted, ${result.remaining} remaining.`, data: result }
    },
  ),
] as const
