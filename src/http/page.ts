import * as z from 'zod'
import { limit, offset } from './parameters'
import { count } from './values'

/** Lists that are read page by page (docs/contract.md#pages). */

export const listQuery = z.object({ limit, offset })

export type PageRequest = z.output<typeof listQuery>

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    count,
    total: count,
    limit: count,
    offset: count,
    has_more: z.boolean(),
  })

export interface Page<Item> extends PageRequest {
  items: Item[]
  /** Items of this page. */
  count: number
  /** Items of all pages. */
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
