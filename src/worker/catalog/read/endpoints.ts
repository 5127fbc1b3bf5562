import type * as z from 'zod'
import { DRUG_FORMS } from '#shared/records/drug-forms'
import { anyOutputSchema } from '#shared/records/schema'
import { scope, scopeOrPartnerToken } from '#worker/auth/access'
import { catalogOf } from '#worker/catalog/catalog'
import { csvContentSchema, sendCsv, wantsCsv } from '#worker/catalog/csv-answer'
import { DATASETS_PATH } from '#worker/catalog/parameters'
import { drugFormsSchema, recordPageSchema } from '#worker/catalog/schemas'
import type { AppContext } from '#worker/http/context'
import { catalogDatabaseOf, nearestCatalogOf, nextPageCatalogOf } from '#worker/http/databases'
import { bare, enveloped, envelopedAs, orFile } from '#worker/http/endpoint/answers'
import { conditional, isConditional, notModified, withEntityTag } from '#worker/http/endpoint/conditional'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { bookmarkHeaderSchema, typeQuerySchema } from '#worker/http/endpoint/values'
import { streamSlots, withDatabaseSlot } from '#worker/http/limits/database-slots'
import type { Database } from '#worker/storage/database'
import { readTag } from './entity-tag'
import { exportCsv } from './export'
import { fieldConditions, isCheapPage } from './filter'
import { exportHeaders, getRecord, listRecords } from './list'
import { recordsQuerySchema } from './queries'

/** A list of changes since a time must be complete until now, which no read replica guarantees. */
function listDatabaseOf(c: AppContext, { offset, updated_since }: z.output<typeof recordsQuerySchema>): Database {
  if (updated_since !== undefined) return catalogDatabaseOf(c)
  return offset === 0 ? nearestCatalogOf(c) : nextPageCatalogOf(c)
}

export const listEndpoint = endpoint(
  {
    tag: 'Core',
    method: 'get',
    path: `${DATASETS_PATH}/`,
    operationId: 'listRecords',
    summary: 'List, filter and sort records, or download them as CSV',
    description:
      'Active records, newest first, unless the query says otherwise. A page ends early when it reaches 4 MB: ' +
      '`count` is then less than `limit`, and `has_more` is true. The CSV file has the whole matching catalog ' +
      'without `limit` and `offset`, and can be uploaded again. Responses have an `ETag`; a request with ' +
      '`If-None-Match` returns 304 if the catalog has not changed.',
    access: scopeOrPartnerToken('catalog:read'),
    query: recordsQuerySchema,
    headers: bookmarkHeaderSchema,
    answer: conditional(orFile(bare(recordPageSchema), { 'text/csv': csvContentSchema })),
  },
  async ({ c, query }) => {
    const { type, limit, offset, format, safe, ...filter } = query
    const catalog = catalogOf(c, type, listDatabaseOf(c, query))
    const isCsv = wantsCsv(c, format)
    const isCheap = isCheapPage(filter, { limit, offset })
    // A cheap page comes with its tag in one round trip, even if only the tag is needed.
    if (isCsv || (isConditional(c) && !isCheap)) {
      const headers = await (isCsv
        ? withDatabaseSlot(c, () => exportHeaders(catalog, filter))
        : { ETag: await readTag(catalog) })
      const unchanged = notModified(c, headers.ETag, { Vary: 'Accept' })
      if (unchanged) return unchanged
      if (isCsv) {
        // Before the response starts, because the filter may be rejected.
        const { conditions } = await withDatabaseSlot(c, () => fieldConditions(catalog, filter))
        const portions = exportCsv({ ...catalog, filter, conditions }, streamSlots(c), safe === '1')
        return sendCsv(c, `${type}.csv`, portions, headers)
      }
    }
    const read = () => listRecords(catalog, filter, { limit, offset })
    const { page, tag } = await (isCheap ? read() : withDatabaseSlot(c, read))
    c.header('Vary', 'Accept')
    return withEntityTag(c, tag, page)
  },
)

export const drugFormsEndpoint = endpoint(
  {
    tag: 'Catalog',
    method: 'get',
    path: `${DATASETS_PATH}/drug-forms/`,
    operationId: 'listDrugForms',
    summary: 'List the accepted dosage forms',
    description: 'A medication has the `form_id` of the form whose name or synonym is its `form_name`.',
    access: scope('catalog:read'),
    query: typeQuerySchema.partial(),
    answer: envelopedAs(`${DRUG_FORMS.length} accepted drug forms`, drugFormsSchema),
  },
  () => ({
    items: DRUG_FORMS.map((form) => ({ ...form, synonyms: [...form.synonyms] })),
    count: DRUG_FORMS.length,
  }),
)

/** Registered after the paths with fixed names, which are not allowed as IDs. */
export const getEndpoint = endpoint(
  {
    tag: 'Core',
    method: 'get',
    path: `${DATASETS_PATH}/{entity_id}/`,
    operationId: 'getRecord',
    summary: 'Get one record by its record ID',
    description: 'Also finds inactive records. Carries an `ETag`, as lists do.',
    access: scopeOrPartnerToken('catalog:read'),
    query: typeQuerySchema,
    headers: bookmarkHeaderSchema,
    answer: conditional(enveloped(anyOutputSchema)),
    errors: ['not_found'],
  },
  async ({ c, query: { type }, params }) => {
    const catalog = catalogOf(c, type, nearestCatalogOf(c))
    const { record, tag } = await getRecord(catalog, params.entity_id)
    return withEntityTag(c, tag, { message: `${catalog.type.title} found`, data: record })
  },
)
