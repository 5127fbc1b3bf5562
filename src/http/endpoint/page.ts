import * as z from 'zod'
import { limit, offset } from './parameters'
import { count } from './values'

/** Lists that are read page by page (docs/contract.md#pages). */

export const listQuery = z.object({ limit, offset })

export type PageRequest = z.output<typeof listQuery>

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    /** Items of this page. */
    count,
    /** Items of all pages. */
    total: count,
    limit: count,
    offset: count,
    has_more: z.boolean(),
  })

export type Page<Item> = z.output<ReturnType<typeof pageOf<z.ZodType<Item>>>>

export const asPage = <Item>(items: Item[], total: number, { limit, offset }: PageRequest): Page<Item> => ({
  items,
  count: items.length,
  total,
  limit,
  offset,
  has_more: offset + items.length < total,
})
