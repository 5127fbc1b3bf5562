import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { wordsOf } from '#shared/records/search-text'
import { type RecordRow, returnedForm } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import { listedPage, searchedPage, totalOf, type WantedPage } from '#worker/catalog/read/sql/list'
import type { FoundRow } from '#worker/catalog/read/sql/page'
import { scannedPage } from '#worker/catalog/read/sql/scan'
import type { recordPageSchema } from '#worker/catalog/schemas'
import { firstOf, int, type Query } from '#worker/storage/database'
import { asPage, type PageRequest } from '#worker/storage/paged'
import { tagOf, tagStatement } from './entity-tag'
import { fieldConditions } from './field-conditions'
import { type ListFilter, needsScan } from './filter'

/** What the database says of a page; `tag` is the entity tag of the catalog then. */
interface ReadPage {
  rows: RecordRow[]
  total: number
  tag: string
}

/** One page, which ends early when it reaches `MAX_PAGE_BYTES`, and the entity tag of the catalog. */
export async function listRecords(
  catalog: Catalog,
  filter: ListFilter,
  request: PageRequest,
): Promise<{ page: z.output<typeof recordPageSchema>; tag: string }> {
  const { rows, total, tag } = needsScan(filter)
    ? await readScannedPage(catalog, filter, request)
    : await readPage(catalog, { scope: catalog.scope, filter, words: wordsOf(filter.q), ...request })
  const items = rows.map((row) => returnedForm(catalog.type, row))
  return { page: asPage(items, total, request), tag }
}

async function readPage(catalog: Catalog, wanted: WantedPage): Promise<ReadPage> {
  if (wanted.words.length > 0) return readFoundPage(catalog, searchedPage(wanted))
  const [rows, [state]] = await catalog.db.batch([listedPage(wanted), tagStatement(wanted.scope, totalOf(wanted))])
  return { rows, total: state?.total ?? 0, tag: tagOf(state) }
}

async function readFoundPage({ db, scope }: Catalog, statement: Query<FoundRow>): Promise<ReadPage> {
  const [rows, [tagRow]] = await db.batch([statement, tagStatement(scope)])
  return {
    rows: rows.filter((row) => row.record_id !== null),
    total: firstOf(rows).total,
    tag: tagOf(tagRow),
  }
}

async function readScannedPage(
  catalog: Catalog,
  filter: ListFilter,
  { limit, offset }: PageRequest,
): Promise<ReadPage> {
  const { conditions, tag } = await fieldConditions(catalog, filter)
  const window = sql`limit ${int(limit)} offset ${int(offset)}`
  const page = await readFoundPage(catalog, scannedPage(catalog.scope, filter, conditions, window))
  // The older one: what was written after the conditions were made may be missing from the page.
  return { ...page, tag: tag ?? page.tag }
}
