import { ApiError } from '#shared/errors/errors'
import { MISS_DAYS } from '#shared/limits'
import { anyOutputSchema } from '#shared/records/schema'
import { returnedForm } from '#shared/records/stored-form'
import { scope } from '#worker/auth/access'
import { catalogNamed } from '#worker/catalog/catalog'
import { CATALOGS_PATH } from '#worker/catalog/parameters'
import { configOf } from '#worker/env'
import { json } from '#worker/http/body/request-body'
import type { AppContext } from '#worker/http/context'
import { enveloped, envelopedAs } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { withDatabaseSlot } from '#worker/http/limits/database-slots'
import { deleteMisses, dismissMiss, listMisses, setKeepsMisses } from '#worker/search/misses'
import { additionOf, changeNames, deletionOf, type NameRequest } from './added-names'
import { acceptProblem, listProblems } from './problems'
import {
  acceptedProblemSchema,
  acceptedSchema,
  dismissedSchema,
  missesQuerySchema,
  missesSchema,
  missSettingsSchema,
  problemPageSchema,
  problemsQuerySchema,
  textBodySchema,
} from './schemas'

const MISSES_PATH = `${CATALOGS_PATH}/{type}/search-misses` as const
const NAMES_PATH = `${CATALOGS_PATH}/{type}/records/{entity_id}/added-names` as const

const quality = { tag: 'Data quality', errors: ['not_found'] } as const

const misses = endpoint(
  {
    ...quality,
    method: 'get',
    path: MISSES_PATH,
    operationId: 'listSearchMisses',
    summary: 'List what users searched for and did not find',
    description:
      'Texts that were reported most often come first. A text that a record now matches is deleted and not ' +
      `listed. A text that no one reports for ${MISS_DAYS} days is deleted, too.`,
    access: scope('catalog:read'),
    query: missesQuerySchema,
    answer: enveloped(missesSchema),
  },
  async ({ c, params, query: { limit }, now }) => {
    const { db, catalogKey, type } = catalogNamed(c, params.type)
    const list = await listMisses(db, catalogKey, { limit, now }, (read) => withDatabaseSlot(c, read))
    if (list.found.length > 0 && c.var.caller.state !== 'read_only') {
      await db.retry(() => db.all(deleteMisses(catalogKey, list.found)))
    }
    const items = list.items.map(({ text, reports, first_at, last_at, suggestions }) => ({
      text,
      reports,
      first_at: new Date(first_at).toISOString(),
      last_at: new Date(last_at).toISOString(),
      suggestions: suggestions.map((row) => returnedForm(type, row)),
    }))
    const { enabled, total } = list
    return {
      message: `Searches of the ${type.title} catalog without a match`,
      data: { enabled, items, count: items.length, total },
    }
  },
)

const dismiss = endpoint(
  {
    ...quality,
    method: 'post',
    path: `${MISSES_PATH}/dismiss`,
    operationId: 'dismissSearchMiss',
    summary: 'Hide a text that the catalog does not need',
    description: `The text is not listed for ${MISS_DAYS} days. If the text is not kept, the response is 404.`,
    access: scope('catalog:write'),
    body: json(textBodySchema),
    answer: envelopedAs('The text is hidden', dismissedSchema),
    writes: true,
  },
  async ({ c, params, body: { text }, now }) => {
    const { db, catalogKey } = catalogNamed(c, params.type)
    if (await dismissMiss(db, catalogKey, text, now)) return { dismissed: true as const }
    throw new ApiError('not_found', 'The catalog does not keep this text.')
  },
)

const settings = endpoint(
  {
    ...quality,
    method: 'put',
    path: `${MISSES_PATH}/settings`,
    operationId: 'setSearchMissSettings',
    summary: 'Turn reports of searches without a match on or off',
    description: 'Reports are on by default. Turning them off deletes the texts that the catalog keeps.',
    access: scope('workspace:admin'),
    body: json(missSettingsSchema),
    answer: enveloped(missSettingsSchema),
    writes: true,
  },
  async ({ c, params, body: { enabled } }) => {
    const { db, catalogKey } = catalogNamed(c, params.type)
    await setKeepsMisses(db, catalogKey, enabled)
    return { message: `Reports are turned ${enabled ? 'on' : 'off'}`, data: { enabled } }
  },
)

const PROBLEMS_PATH = `${CATALOGS_PATH}/{type}/problems` as const

const problems = endpoint(
  {
    ...quality,
    method: 'get',
    path: PROBLEMS_PATH,
    operationId: 'listProblems',
    summary: 'List the possible problems of a catalog',
    description:
      'Returns what the warnings `strength_conflict`, `same_item` and `check_digit` find in the stored active ' +
      'records. A problem that a user has accepted is not listed until its record changes.',
    access: scope('catalog:read'),
    query: problemsQuerySchema,
    answer: enveloped(problemPageSchema),
  },
  async ({ c, params, query }) => {
    const catalog = catalogNamed(c, params.type)
    const data = await listProblems(catalog, query, (read) => withDatabaseSlot(c, read))
    return { message: `Possible problems of the ${catalog.type.title} catalog`, data }
  },
)

const accept = endpoint(
  {
    ...quality,
    method: 'post',
    path: `${PROBLEMS_PATH}/accept`,
    operationId: 'acceptProblem',
    summary: 'Accept a possible problem',
    description:
      'The problem is not listed again until the record changes. If there is no active record with this ' +
      'ID, the response is 404.',
    access: scope('catalog:write'),
    body: json(acceptedProblemSchema),
    answer: envelopedAs('The problem is accepted', acceptedSchema),
    writes: true,
  },
  async ({ c, params, body: { id, code } }) => {
    await acceptProblem(catalogNamed(c, params.type), id, code)
    return { accepted: true as const }
  },
)

const nameRequest = (c: AppContext, now: Date): NameRequest => ({
  createdBy: c.var.caller.actor,
  requestId: c.var.requestId,
  now: now.getTime(),
  keepsVersions: configOf(c.env).historyDays > 0,
})

const names = {
  ...quality,
  access: scope('catalog:write'),
  answer: enveloped(anyOutputSchema),
  errors: ['not_found', 'conflict'],
} as const

const addNameEndpoint = endpoint(
  {
    ...names,
    method: 'post',
    path: NAMES_PATH,
    operationId: 'addRecordName',
    summary: 'Add a name to a record, which no upload removes',
    description:
      'Search finds the record by this name, as by an alias. The name is stored next to the record: writes, ' +
      'restores and undos do not change it. Returns the record.',
    body: json(textBodySchema),
  },
  async ({ c, params, body: { text }, now }) => {
    const catalog = catalogNamed(c, params.type)
    const data = await changeNames(catalog, params.entity_id, additionOf(text), nameRequest(c, now), c.var.deadline)
    return { message: 'The record has the name', data }
  },
)

const deleteNameEndpoint = endpoint(
  {
    ...names,
    method: 'delete',
    path: `${NAMES_PATH}/{text}`,
    operationId: 'deleteRecordName',
    summary: 'Delete a name that was added to a record',
    description: 'Case, accents, punctuation and symbols of the name do not matter. Returns the record.',
  },
  async ({ c, params, now }) => {
    const catalog = catalogNamed(c, params.type)
    const change = deletionOf(params.text)
    const data = await changeNames(catalog, params.entity_id, change, nameRequest(c, now), c.var.deadline)
    return { message: 'The record no longer has the name', data }
  },
)

/** What a catalog lacks, and its contradictions. */
export const qualityEndpoints = [
  problems,
  accept,
  misses,
  dismiss,
  settings,
  addNameEndpoint,
  deleteNameEndpoint,
] as const
