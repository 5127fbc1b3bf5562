import { sql } from 'drizzle-orm'
import { createMiddleware } from 'hono/factory'
import { ApiError } from '#shared/errors/errors'
import {
  CREDENTIAL_CACHE_SECONDS,
  MAX_MISS_CHARACTERS,
  MAX_MISS_DIGITS,
  MAX_MISS_WORDS,
  MIN_MISS_CHARACTERS,
} from '#shared/limits'
import { recordTypes } from '#shared/records/record-types'
import { returnedForm } from '#shared/records/stored-form'
import { scopeOrPartnerToken } from '#worker/auth/access'
import { json } from '#worker/http/body/request-body'
import type { AppContext, AppEnv } from '#worker/http/context'
import { catalogDatabaseOf, controlDatabaseOf, nearestCatalogOf } from '#worker/http/databases'
import { enveloped } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { bookmarkHeaderSchema } from '#worker/http/endpoint/values'
import { withDatabaseSlot } from '#worker/http/limits/database-slots'
import { partnerSearch } from '#worker/search/query/search'
import { PROVIDER_WORKSPACE } from '#worker/search/query/statement'
import type { Database } from '#worker/storage/database'
import { timedCache } from '#worker/storage/timed-cache'
import { reportMiss } from './misses'
import {
  type Search,
  searchBodySchema,
  searchMissBodySchema,
  searchMissResultSchema,
  searchQuerySchema,
  searchResultSchema,
} from './schemas'

/** @throws ApiError 403 if a partner chooses the catalog: for partners, the workspace's setting decides */
function refusePartnersChoice(c: AppContext, source: string | undefined): void {
  if (c.var.caller.partner === undefined || source === undefined) return
  throw new ApiError('forbidden', 'Partners cannot choose a source. Omit `source`.')
}

/** Checks the query parameter, because permissions are checked before the query. */
const refusePartnersQuery = createMiddleware<AppEnv>(async (c, next) => {
  refusePartnersChoice(c, c.req.query('source'))
  await next()
})

const searchAccess = scopeOrPartnerToken('search')

/** One entry: the binding of the provider's database. */
const providerBindings = timedCache<string>(CREDENTIAL_CACHE_SECONDS * 1000, 1)

/** The D1 binding of the provider's database; null (not cached) until the operator creates it. */
async function providerDatabaseBinding(control: Database, now: Date): Promise<string | null> {
  const cachedBinding = providerBindings.get(PROVIDER_WORKSPACE)
  if (cachedBinding !== undefined) return cachedBinding
  const [row] = await control.all<{ database_binding: string }>(
    sql`select database_binding from workspaces where workspace_id = ${PROVIDER_WORKSPACE}`,
  )
  if (row === undefined) return null
  providerBindings.set(PROVIDER_WORKSPACE, row.database_binding, { start: now.getTime() })
  return row.database_binding
}

async function answerSearch(c: AppContext, search: Search) {
  const provider = async () => {
    const databaseBinding = await providerDatabaseBinding(controlDatabaseOf(c), new Date())
    return databaseBinding === null ? null : nearestCatalogOf(c, { workspaceId: PROVIDER_WORKSPACE, databaseBinding })
  }
  const page = await withDatabaseSlot(c, () =>
    partnerSearch(nearestCatalogOf(c), c.var.caller.workspaceId, provider, {
      ...search,
      source: search.source ?? null,
    }),
  )
  const { source, rows, groups, hasMore } = page
  const items = rows.map((row) => returnedForm(recordTypes[search.type], row))
  const approximate = groups
    .filter(({ match }) => match === 'misspelt' || match === 'left_out')
    .reduce((sum, { count }) => sum + count, 0)
  const data = { type: search.type, source, items, count: items.length, approximate, groups, has_more: hasMore }
  return { message: `${items.length} ${items.length === 1 ? 'match' : 'matches'}`, data }
}

const medicalDatabase = {
  path: '/medical-db/v1/search/',
  tag: 'Core',
  headers: bookmarkHeaderSchema,
  answer: enveloped(searchResultSchema),
} as const

const searchMedicalDatabase = endpoint(
  {
    ...medicalDatabase,
    method: 'get',
    operationId: 'searchMedicalDatabase',
    summary: 'Search the medical database while a user types',
    description:
      "Searches the workspace's own active records if partner search is on for the type, otherwise the provider's " +
      'medical database. A record matches if it matches each word of `q`. A word matches if a word of a name, an ' +
      'alias, a generic name, the strength or the ICD-10 term begins with it. A number, with or without a unit, ' +
      'matches the same amount in any unit. In medications, a dosage form or its abbreviation (`tab`), a release ' +
      'type (`er`) and a salt (`hcl`) match by their meaning. A record also matches if the whole of `q` is its ' +
      'record ID or one of its codes (`sku`, `generic_id`, `generic_list_ids`, `loinc`, `snomed_id`, `icd10`), ' +
      'ignoring punctuation, symbols and whitespace. When fewer than five records match, approximate matches ' +
      'follow: first with misspelled words corrected, then with one word, number or form ignored. `groups` says ' +
      'which items they are. A code, a word with a digit and a word that the catalog has are never changed.',
    access: { ...searchAccess, middlewares: [...searchAccess.middlewares, refusePartnersQuery] },
    query: searchQuerySchema,
  },
  ({ c, query }) => answerSearch(c, query),
)

const searchMedicalDatabaseByPost = endpoint(
  {
    ...medicalDatabase,
    method: 'post',
    operationId: 'searchMedicalDatabaseByPost',
    summary: 'Search the medical database, with the text in the body',
    description:
      'Returns the same response as GET. Because the URL does not change while a user types, browsers send one ' +
      'CORS preflight for many searches, and search terms do not appear in URL logs. Accepts no query parameters.',
    access: searchAccess,
    body: json(searchBodySchema),
    takesEncrypted: true,
  },
  ({ c, body }) => {
    refusePartnersChoice(c, body.source)
    return answerSearch(c, body)
  },
)

const reportSearchMiss = endpoint(
  {
    tag: 'Partner search',
    method: 'post',
    path: '/medical-db/v1/search/misses',
    operationId: 'reportSearchMiss',
    summary: 'Report that a user gave up a search',
    description:
      'For search boxes. Send this if the box listed no match for the text, or only approximate ones, and the user ' +
      "left it or sent the form without choosing a record. The text is kept if partner search uses the workspace's " +
      'own catalog and the catalog keeps such texts. No record may match it other than approximately. It must have ' +
      `one to ${MAX_MISS_WORDS} words, ${MIN_MISS_CHARACTERS} to ${MAX_MISS_CHARACTERS} characters, no @ and at ` +
      `most ${MAX_MISS_DIGITS} digits in a row. Nothing is kept about the user.`,
    access: searchAccess,
    body: json(searchMissBodySchema),
    answer: enveloped(searchMissResultSchema),
    writes: true,
  },
  async ({ c, body: { type, q }, now }) => {
    const catalogKey = { workspaceId: c.var.caller.workspaceId, type }
    const kept = await withDatabaseSlot(c, () => reportMiss(catalogDatabaseOf(c), catalogKey, q, now))
    return { message: kept ? 'The text is kept' : 'The text is not kept', data: { kept } }
  },
)

export const searchEndpoints = [searchMedicalDatabase, searchMedicalDatabaseByPost, reportSearchMiss] as const
