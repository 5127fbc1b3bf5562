import { scope } from '#worker/auth/access'
import { catalogNamed } from '#worker/catalog/requested-catalog'
import { json } from '#worker/http/body/request-body'
import { enveloped, envelopedAs } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { deleted } from '#worker/http/endpoint/values'
import { newWatchSchema, watchSchema } from './schemas'
import { deleteWatch, readWatch, setWatch } from './watch'

const watch = {
  tag: 'History',
  path: '/admin/catalogs/v1/{type}/watch',
  errors: ['not_found'],
} as const

/** Whether somebody notices that a nightly job died. */
export const syncEndpoints = [
  endpoint(
    {
      ...watch,
      method: 'get',
      access: scope('catalog:read'),
      operationId: 'getWatch',
      summary: 'Tell how often programs should bring a catalog up to date',
      description: '`data` is null for a catalog that is not watched.',
      answer: enveloped(watchSchema.nullable()),
    },
    async ({ c, params }) => {
      const { db, scope: of, type } = catalogNamed(c, params.type)
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
      summary: 'Watch a catalog: programs should bring it up to date in time',
      description:
        'The status then says whether they do (`sync`), and webhooks are told when that changes. Only uploads with client ' +
        'credentials count. The first is due `every_hours` and `grace_hours` after the watch was set.',
      body: json(newWatchSchema),
      answer: envelopedAs('The catalog is watched', watchSchema),
      writes: true,
    },
    ({ c, params, body, now }) => {
      const { db, scope: of } = catalogNamed(c, params.type)
      return setWatch(db, of, body, c.var.caller.actor, now)
    },
  ),
  endpoint(
    {
      ...watch,
      method: 'delete',
      access: scope('catalog:write'),
      operationId: 'deleteWatch',
      summary: 'Stop watching a catalog',
      description: 'Does nothing if it is not watched.',
      answer: envelopedAs('The catalog is not watched', deleted),
      writes: true,
    },
    ({ c, params }) => {
      const { db, scope: of } = catalogNamed(c, params.type)
      return deleteWatch(db, of)
    },
  ),
] as const
