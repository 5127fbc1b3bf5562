import * as z from 'zod'
import { scope, scopeOrPartnerToken } from '#auth/access'
import { listBatches } from '#catalog/history/batches'
import { exportCsv } from '#catalog/read/export'
import { fieldConditions } from '#catalog/read/field-conditions'
import { isCheap } from '#catalog/read/filter'
import { getRecord } from '#catalog/read/get'
import { listRecords } from '#catalog/read/list'
import { listQuery, searchStatusBody, writeQuery } from '#catalog/read/queries'
import { readTag } from '#catalog/read/tag'
import { diffCsv } from '#catalog/write/diff-csv'
import { csvContent, uploadBody } from '#catalog/write/upload-body'
import { writeRecords } from '#catalog/write/write'
import { json } from '#http/body/request-body'
import type { AppContext } from '#http/context'
import { catalogDatabaseOf, followingCatalogOf, nearestCatalogOf } from '#http/databases'
import { bare, enveloped, envelopedAs, orFile } from '#http/endpoint/answers'
import { conditional, isConditional, notModified, tagged } from '#http/endpoint/conditional'
import { endpoint } from '#http/endpoint/endpoint'
import { bookmarkHeader, pageQuery, typeQuery } from '#http/endpoint/parameters'
import { expensiveRead, pacedRead } from '#http/sharing/expensive-reads'
import { CHEAP_LIST_RECORDS } from '#limits'
import { DRUG_FORMS } from '#records/drug-forms'
import { anyOutput } from '#records/schema'
import { searchStatus } from '#search/schemas'
import { readSearchStatus, setSearchStatus } from '#search/status'
import type { Database } from '#storage/database'
import {
  catalogOf,
  changeOptions,
  diffCsvOptions,
  maxShrinkOf,
  noteResult,
  sendCsv,
  wantsCsv,
  writeMessage,
} from './endpoint-parts'
import { batchPage, drugForms, recordPage, writeResult } from './schemas'

/** The dataset endpoints, in the order in which paths are compared. */

const BASE = '/admin/datasets/v1'

const common = { tag: 'Catalog' } as const

/** What has changed since a time has to be complete until now. No copy can promise that. */
function listDatabaseOf(c: AppContext, { offset, updated_since }: z.output<typeof listQuery>): Database {
  if (updated_since !== undefined) return catalogDatabaseOf(c)
  return offset === 0 ? nearestCatalogOf(c) : followingCatalogOf(c)
}

const list = endpoint(
  {
    ...common,
    method: 'get',
    path: `${BASE}/`,
    operationId: 'listRecords',
    summary: 'List, filter and sort records, or download them as CSV',
    description:
      'Active records, newest first, unless the query says otherwise. A page ends early when it reaches 4 MB: `count` ' +
      'is then less than `limit`, and `has_more` is true. The CSV file has the whole matching catalog without `limit` ' +
      'and `offset`, and can be uploaded again. Answers carry an `ETag`; a request with `If-None-Match` is answered 304 ' +
      'when the catalog has not changed.',
    access: scopeOrPartnerToken('catalog:read'),
    query: listQuery,
    headers: bookmarkHeader,
    answer: conditional(orFile(bare(recordPage), { 'text/csv': csvContent })),
  },
  async ({ c, query }) => {
    const { type, limit, offset, format, safe, ...filter } = query
    const catalog = catalogOf(c, type, listDatabaseOf(c, query))
    const isCsv = wantsCsv(c, format)
    const isCheapPage = isCheap(filter) && offset + limit <= CHEAP_LIST_RECORDS
    // A cheap page comes with its tag in one trip, even if only the tag is needed.
    if (isCsv || (isConditional(c) && !isCheapPage)) {
      const readEtag = () => readTag(catalog)
      const ETag = await (isCsv ? expensiveRead(c, readEtag) : readEtag())
      const unchanged = notModified(c, ETag, { Vary: 'Accept' })
      if (unchanged) return unchanged
      if (isCsv) {
        // Before the answer begins, because the filter may be refused.
        const { conditions } = await expensiveRead(c, () => fieldConditions(catalog, filter))
        const portions = exportCsv({ ...catalog, filter, conditions }, pacedRead(c), safe === '1')
        return sendCsv(c, `${type}.csv`, portions, { ETag })
      }
    }
    const read = () => listRecords(catalog, filter, { limit, offset })
    const { page, tag } = await (isCheapPage ? read() : expensiveRead(c, read))
    c.header('Vary', 'Accept')
    return tagged(c, tag, page)
  },
)

const changesFile = z
  .string()
  .meta({ description: 'The diff of a dry run, with `include=diff` and `format=csv`.' })

const write = endpoint(
  {
    ...common,
    method: 'post',
    path: `${BASE}/`,
    operationId: 'writeRecords',
    summary: 'Write records: upsert or reconcile, as JSON or CSV',
    description:
      'All or nothing: when a record is not valid, nothing is written and `errors` names every failing record, field ' +
      'and value. The shrink guard and a stale `expected_revision` answer 409.\n\n' +
      'A dry run says in `emptied` which fields would lose their values. With `include=diff` it also says which records would change, and how: the first of each kind in JSON, all ' +
      'of them with `format=csv`, in the columns `change`, `id`, `name`, `field`, `old`, `new`. The file has a line for ' +
      'each field that would change, and for each field of a new record. The records sent come first, in the order of the request; then, by id, those that a ' +
      'reconcile leaves out. The whole file is of one revision: when the catalog changes while the file is sent, the ' +
      'connection is closed.',
    access: scope('catalog:write'),
    query: writeQuery,
    body: uploadBody,
    answer: orFile(enveloped(writeResult), { 'text/csv': changesFile }),
    errors: ['conflict', 'unsupported_media_type'],
  },
  async ({ c, query, body: received, now }) => {
    const catalog = catalogOf(c, query.type)
    const csvOptions = diffCsvOptions(c, query)
    if (csvOptions !== undefined) {
      const start = async () =>
        diffCsv(catalog, (await received.read(catalog.type)).source, query.mode, csvOptions)
      const portions = await expensiveRead(c, start)
      return sendCsv(c, `${query.type}-changes.csv`, portions)
    }
    const options = {
      ...changeOptions(c, query, now),
      mode: query.mode,
      maxShrink: query.mode === 'reconcile' ? maxShrinkOf(query) : null,
    }
    const write = async () => {
      const { source, ...file } = await received.read(catalog.type)
      return writeRecords(catalog, source, { ...options, ...file }, c.var.deadline)
    }
    const result = await (options.dryRun ? expensiveRead(c, write) : write())
    noteResult(c, result)
    return { message: writeMessage(result), data: result }
  },
)

const batches = endpoint(
  {
    ...common,
    method: 'get',
    path: `${BASE}/batches/`,
    operationId: 'listBatches',
    summary: 'List CSV uploads that were written, newest first',
    description: 'Dry runs and refused uploads are not in the list.',
    access: scope('catalog:read'),
    query: pageQuery,
    answer: enveloped(batchPage),
  },
  async ({ c, query: { type, limit, offset } }) => {
    const page = await expensiveRead(c, () => listBatches(catalogOf(c, type), { limit, offset }))
    return { message: page.latest === null ? 'No CSV upload yet' : 'Latest CSV uploads', data: page }
  },
)

const getSearchStatus = endpoint(
  {
    ...common,
    method: 'get',
    path: `${BASE}/search-status/`,
    operationId: 'getSearchStatus',
    summary: 'Tell whether partner search uses the own catalog',
    description: 'It uses the catalog of the provider until it is switched.',
    access: scope('catalog:read'),
    query: typeQuery,
    answer: enveloped(searchStatus),
  },
  async ({ c, query: { type } }) => {
    const { db, scope } = catalogOf(c, type)
    const status = await readSearchStatus(db, scope)
    return { message: `Search is ${status.enabled ? 'enabled' : 'disabled'}`, data: status }
  },
)

const switchSearch = endpoint(
  {
    ...common,
    method: 'post',
    path: `${BASE}/search-status/`,
    operationId: 'setSearchStatus',
    summary: 'Switch partner search to the own catalog, or back',
    description: 'Takes effect with the next search.',
    access: scope('catalog:write'),
    query: typeQuery,
    body: json(searchStatusBody),
    answer: enveloped(searchStatus),
    writes: true,
  },
  async ({ c, query: { type }, body: { enabled }, now }) => {
    const { db, scope } = catalogOf(c, type)
    const status = await setSearchStatus(db, scope, enabled, now)
    return { message: `Search ${status.enabled ? 'enabled' : 'disabled'}`, data: status }
  },
)

const listDrugForms = endpoint(
  {
    ...common,
    method: 'get',
    path: `${BASE}/drug-forms/`,
    operationId: 'listDrugForms',
    summary: 'List the accepted drug forms',
    description: 'A medication has the `form_id` of the form whose name or synonym is its `form_name`.',
    access: scope('catalog:read'),
    query: typeQuery.partial(),
    answer: envelopedAs(`${DRUG_FORMS.length} accepted drug forms`, drugForms),
  },
  () => ({ items: [...DRUG_FORMS], count: DRUG_FORMS.length }),
)

/** Comes after the paths with fixed names. These names are refused as ids. */
const get = endpoint(
  {
    ...common,
    method: 'get',
    path: `${BASE}/{entity_id}/`,
    operationId: 'getRecord',
    summary: "Get one record by the caller's own id",
    description: 'Also finds inactive records. Carries an `ETag`, as lists do.',
    access: scopeOrPartnerToken('catalog:read'),
    query: typeQuery,
    headers: bookmarkHeader,
    answer: conditional(enveloped(anyOutput)),
    errors: ['not_found'],
  },
  async ({ c, query: { type }, params }) => {
    const catalog = catalogOf(c, type, nearestCatalogOf(c))
    const { record, tag } = await getRecord(catalog, params.entity_id)
    return tagged(c, tag, { message: `${catalog.type.title} found`, data: record })
  },
)

export const catalogEndpoints = [
  list,
  write,
  batches,
  getSearchStatus,
  switchSearch,
  listDrugForms,
  get,
] as const
