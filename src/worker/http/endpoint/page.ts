import * as z from 'zod'
import { limitSchema, offsetSchema } from './parameters'
import { countSchema } from './values'

/** Lists that are read page by page (docs/contract.md#pages): the query and the answer of `storage/paged.ts`. */

export const listQuerySchema = z.object({ limit: limitSchema, offset: offsetSchema })

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    count: countSchema,
    total: countSchema,
    limit: countSchema,
    offset: countSchema,
    has_more: z.boolean(),
  })
