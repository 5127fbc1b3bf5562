import * as z from 'zod'
import { RECORD_TYPES } from '#shared/records/record-type'
import { scope } from '#worker/auth/access'
import { catalogNamed } from '#worker/catalog/catalog'
import { CATALOGS_PATH } from '#worker/catalog/parameters'
import { json } from '#worker/http/body/request-body'
import { catalogDatabaseOf } from '#worker/http/databases'
import { enveloped, envelopedAs } from '#worker/http/endpoint/answers'
import { conditional, withContentTag } from '#worker/http/endpoint/conditional'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { deletedSchema } from '#worker/http/endpoint/values'
import { firstOf } from '#worker/storage/database'
import { activityEndpoint } from './activity'
import { readStatuses } from './catalog-status'
import { catalogStatusesSchema, catalogStatusSchema, newWatchSchema, watchSchema } from './schemas'
import { deleteWatch, readWatch, setWatch } from './watch'

const statusQuerySchema = z.object({
  include: z
    .literal('held', { error: 'must be held, or absent' })
    .optional()
    .meta({ description: 'Also returns the pending uploads of clients.' }),
})

const status = {
  tag: 'History',
  access: scope('catalog:read'),
  method: 'get',
  query: statusQuerySchema,
  description:
    'Carries an `ETag` that covers all that is in it; a request with `If-None-Match` returns 304 if nothing has ' +
    'changed.',
} as const

/** The status of catalogs: their contents, and whether they are up to date. */
export const statusEndpoints = [
  activityEndpoint,
  endpoint(
    {
      ...status,
      path: `${CATALOGS_PATH}/`,
      operationId: 'listCatalogStatuses',
      summary: 'Get the status of the four catalogs',
      answer: conditional(envelopedAs('Status of the catalogs', catalogStatusesSchema)),
    },
    async ({ c, query: { include }, now }) => {
      const items = await readStatuses(catalogDatabaseOf(c), c.var.caller.workspaceId, RECORD_TYPES, { include, now })
      return withContentTag(c, { items })
    },
  ),
  endpoint(
    {
      ...status,
      path: `${CATALOGS_PATH}/{type}`,
      operationId: 'getCatalogStatus',
      errors: ['not_found'],
      summary: 'Get the status of a catalog',
      answer: conditional(enveloped(catalogStatusSchema)),
    },
    async ({ c, params, query: { include }, now }) => {
      const catalog = catalogNamed(c, params.type)
      const { workspaceId, type } = catalog.catalogKey
      const data = firstOf(await readStatuses(catalog.db, workspaceId, [type], { include, now }))
      return withContentTag(c, { message: `Status of the ${catalog.type.title} catalog`, data })
    },
  ),
] as const

const watch = { tag: 'History', path: `${CATALOGS_PATH}/{type}/watch`, errors: ['not_found'] } as const

/** Sync monitoring: notices that a nightly job died. */
export const syncEndpoints = [
  endpoint(
    {
      ...watch,
      method: 'get',
      access: scope('catalog:read'),
      operationId: 'getWatch',
      summary: 'Get the sync monitoring of a catalog',
      description: '`data` is null if the catalog is not monitored.',
      answer: enveloped(watchSchema.nullable()),
    },
    async ({ c, params }) => {
      const { db, catalogKey: of, type } = catalogNamed(c, params.type)
      const data = await readWatch(db, of)
      return { message: `The ${type.title} catalog is ${data === null ? 'not ' : ''}watched`, data }
    },
  ),
  endpoint(
    {
      ...watch,
      method: 'put',
      access: scope('catalog:write'),
      operationId: 'setWatch',
      summary: 'Turn on sync monitoring for a catalog',
      description:
        'Sets how often clients should update the catalog. The status then says whether they do (`sync`), and ' +
        'webhooks are notified when that changes. Only uploads with client credentials count. The first is due ' +
        '`every_hours` plus `grace_hours` after this request.',
      body: json(newWatchSchema),
      answer: envelopedAs('Sync monitoring is on', watchSchema),
      writes: true,
    },
    ({ c, params, body, now }) => {
      const { db, catalogKey: of } = catalogNamed(c, params.type)
      return setWatch(db, of, body, c.var.caller.actor, now)
    },
  ),
  endpoint(
    {
      ...watch,
      method: 'delete',
      access: scope('catalog:write'),
      operationId: 'deleteWatch',
      summary: 'Turn off sync monitoring for a catalog',
      description: 'Does nothing if the catalog is not monitored.',
      answer: envelopedAs('Sync monitoring is off', deletedSchema),
      writes: true,
    },
    ({ c, params }) => {
      const { db, catalogKey: of } = catalogNamed(c, params.type)
      return deleteWatch(db, of)
    },
  ),
] as const
