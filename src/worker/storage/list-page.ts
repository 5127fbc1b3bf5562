import { count, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import type { SelectedFields, SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Database, firstOf } from './database'

export interface PageRequest {
  limit: number
  offset: number
}

/** A page of a list (docs/contract.md#pages). */
export interface Page<Item> extends PageRequest {
  items: Item[]
  count: number
  total: number
  has_more: boolean
}

export const asPage = <Item>(items: Item[], total: number, { limit, offset }: PageRequest): Page<Item> => ({
  items,
  count: items.length,
  total,
  limit,
  offset,
  has_more: offset + items.length < total,
})

export function timeOf(ms: number): string
export function timeOf(ms: number | null): string | null
export function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

export const isoTime = <Column extends SQLiteColumn>(column: Column) =>
  sql`${column}`.mapWith((ms: number) => timeOf(ms)) as SQL<
    Column['_']['notNull'] extends true ? string : string | null
  >

type Rows<Row> = BatchItem<'sqlite'> & { _: { result: Row[] } }

/** A page of the rows of a table, oldest first. */
export async function readPage<Columns extends SelectedFields>(
  database: Database,
  table: SQLiteTable & { createdAt: SQLiteColumn },
  columns: Columns,
  where: SQL | undefined,
  page: PageRequest,
): Promise<Page<SelectResultFields<Columns>>> {
  const [rows, counts] = await database.orm.batch(oldestFirst(database, table, columns, where, page))
  return asPage(rows, firstOf(counts).total, page)
}

/** The two statements of `readPage`, for a batch: the rows, and the total. */
export function oldestFirst<Columns extends SelectedFields>(
  { orm }: Database,
  table: SQLiteTable & { createdAt: SQLiteColumn },
  columns: Columns,
  where: SQL | undefined,
  { limit, offset }: PageRequest,
) {
  const all = orm
    .select(columns as Record<string, SQLiteColumn>)
    .from(table)
    .where(where)
  const rows = all.orderBy(table.createdAt, sql`rowid`).limit(limit).offset(offset)
  const total = orm.select({ total: count() }).from(table).where(where)
  return [rows as unknown as Rows<SelectResultFields<Columns>>, total] as const
}
