import * as z from 'zod'
import type { ErrorCode } from '#errors'
import type { Endpoint } from '#http/endpoint'
import { enveloped } from '#http/enveloped'
import { anyInput, anyOutput } from '#records/schema'
import { listQuery, pageQuery, searchStatusBody, typeQuery, writeQuery } from './queries'
import { batchPage, drugForms, recordPage, searchStatus, writeResult } from './response-schemas'

const BASE = '/admin/datasets/v1'

const ERRORS: readonly ErrorCode[] = ['invalid_request', 'unauthorized', 'forbidden', 'rate_limited']

const csv = z.string().meta({ description: 'A CSV file; see the format rules.' })

const changes = z
  .string()
  .meta({ description: 'The diff of a dry run, with `include=diff` and `format=csv`.' })

export const catalogEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: `${BASE}/`,
    operationId: 'listRecords',
    tag: 'Catalog',
    summary: 'List records, newest first, or download the catalog as CSV',
    access: 'catalog:read',
    partnerToken: true,
    query: listQuery,
    response: { 'application/json': recordPage, 'text/csv': csv },
    errors: ERRORS,
  },
  {
    method: 'post',
    path: `${BASE}/`,
    operationId: 'writeRecords',
    tag: 'Catalog',
    summary: 'Write records: upsert or reconcile, as JSON or CSV',
    description:
      'All or nothing: where a record is not valid, nothing is written and `errors` names every failing record, field ' +
      'and value. The shrink guard and a stale `expected_revision` answer 409.\n\n' +
      'A dry run with `include=diff` also tells which records would change, and how: the first of each kind in JSON, all ' +
      'of them with `format=csv`, in the columns `change`, `id`, `name`, `field`, `old`, `new`. The file has a line for ' +
      'each field that would change, and one without a field for a record that would be inserted, reactivated or ' +
      'deactivated: the records sent in the order of the request, then, by id, what a reconcile leaves out. All of it is ' +
      'of one revision: when the catalog moves on while the file is sent, the connection breaks off.',
    access: 'catalog:write',
    query: writeQuery,
    body: {
      'application/json': z.union([z.array(anyInput), z.object({ records: z.array(anyInput) })]),
      'text/csv': csv,
      'application/csv': csv,
      'application/vnd.ms-excel': csv,
      'multipart/form-data': z.object({ file: z.string().meta({ contentMediaType: 'text/csv' }) }),
    },
    response: { ...enveloped(writeResult), 'text/csv': changes },
    errors: [...ERRORS, 'conflict', 'unsupported_media_type'],
  },
  {
    method: 'get',
    path: `${BASE}/{entity_id}/`,
    operationId: 'getRecord',
    tag: 'Catalog',
    summary: "Get one record by the caller's own id",
    access: 'catalog:read',
    partnerToken: true,
    query: typeQuery,
    response: enveloped(anyOutput),
    errors: [...ERRORS, 'not_found'],
  },
  {
    method: 'get',
    path: `${BASE}/batches/`,
    operationId: 'listBatches',
    tag: 'Catalog',
    summary: 'CSV uploads that were written, newest first',
    access: 'catalog:read',
    query: pageQuery,
    response: enveloped(batchPage),
    errors: ERRORS,
  },
  {
    method: 'get',
    path: `${BASE}/search-status/`,
    operationId: 'getSearchStatus',
    tag: 'Catalog',
    summary: 'Whether partner search runs on the own catalog',
    access: 'catalog:read',
    query: typeQuery,
    response: enveloped(searchStatus),
    errors: ERRORS,
  },
  {
    method: 'post',
    path: `${BASE}/search-status/`,
    operationId: 'setSearchStatus',
    tag: 'Catalog',
    summary: 'Switch partner search to the own catalog, or back',
    access: 'catalog:write',
    query: typeQuery,
    body: { 'application/json': searchStatusBody },
    response: enveloped(searchStatus),
    errors: [...ERRORS, 'unsupported_media_type'],
  },
  {
    method: 'get',
    path: `${BASE}/drug-forms/`,
    operationId: 'listDrugForms',
    tag: 'Catalog',
    summary: 'Accepted drug forms',
    access: 'catalog:read',
    response: enveloped(drugForms),
    errors: ['unauthorized', 'forbidden', 'rate_limited'],
  },
]
