import * as z from 'zod'
import { limit, offset } from './parameters'
import { count } from './values'

/** Lists that are read page by page (docs/contract.md#pages): the query and the answer of `storage/paged.ts`. */

export const listQuery = z.object({ limit, offset })

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    count,
    total: count,
    limit: count,
    offset: count,
    has_more: z.boolean(),
  })
