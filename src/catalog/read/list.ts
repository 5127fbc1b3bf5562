import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Catalog } from '#catalog/catalog'
import { pageStatement, totalOf, type WantedPage } from '#catalog/read/sql/list'
import { scannedPage } from '#catalog/read/sql/scan'
import type { recordPage } from '#catalog/schemas'
import { asPage, type PageRequest } from '#http/endpoint/page'
import { wordsOf } from '#records/search-text'
import { type RecordRow, returnedForm } from '#records/stored-form'
import { int } from '#storage/database'
import type { Statement } from '#storage/statements'
import { fieldConditions } from './field-conditions'
import { type ListFilter, needsScan } from './filter'
import { type TagRow, tagOf, tagStatement } from './tag'

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
): Promise<{ page: z.output<typeof recordPage>; tag: string }> {
  const { rows, total, tag } = needsScan(filter)
    ? await readScannedPage(catalog, filter, request)
    : await readPage(catalog, { scope: catalog.scope, filter, words: wordsOf(filter.q), ...request })
  const items = rows.map((row) => returnedForm(catalog.type, row))
  return { page: asPage(items, total, request), tag }
}

async function readPage(catalog: Catalog, wanted: WantedPage): Promise<ReadPage> {
  const page = pageStatement(wanted)
  if (wanted.words.length > 0) return readFoundPage(catalog, page)
  const [rows, states] = await catalog.db.batch([page, tagStatement(wanted.scope, totalOf(wanted))])
  const state = states![0] as unknown as (TagRow & { total: number }) | undefined
  return { rows: rows as unknown as RecordRow[], total: state?.total ?? 0, tag: tagOf(state) }
}

/** @param statement a page with the total in each row; an empty page is one row without a `record_id` */
async function readFoundPage({ db, scope }: Catalog, statement: SQL | Statement): Promise<ReadPage> {
  const [rows, tagged] = await db.batch([statement, tagStatement(scope)])
  return {
    rows: (rows as unknown as RecordRow[]).filter(({ record_id }) => record_id !== null),
    total: rows![0]!.total as number,
    tag: tagOf(tagged![0] as unknown as TagRow | undefined),
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
