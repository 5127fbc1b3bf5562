import * as z from 'zod'
import { DEFAULT_LISTED_MISSES, MAX_LISTED_MISSES } from '#shared/limits'
import { anyOutputSchema } from '#shared/records/schema'
import { countSchema, searchTextSchema, timestampSchema, wholeNumber } from '#worker/http/endpoint/values'

export const missesQuerySchema = z.object({
  limit: wholeNumber(1, MAX_LISTED_MISSES, 'Texts to return at most.').default(DEFAULT_LISTED_MISSES),
})

export const missesSchema = z
  .strictObject({
    enabled: z.boolean().meta({ description: 'Whether the catalog keeps searches without a match.' }),
    items: z.array(
      z.strictObject({
        text: z.string().meta({ description: 'The text, normalized for search.', example: 'htn' }),
        reports: countSchema.meta({ description: 'How often it was reported.' }),
        first_at: timestampSchema,
        last_at: timestampSchema,
        suggestions: z
          .array(anyOutputSchema)
          .meta({ description: 'Up to three records that approximate search finds.' }),
      }),
    ),
    count: countSchema,
    total: countSchema.meta({ description: 'Texts that are kept and not dismissed.' }),
  })
  .meta({ id: 'SearchMisses', description: 'Searches without a match, those reported most often first.' })

export const textBodySchema = z.strictObject({
  text: searchTextSchema.meta({ description: 'Compared as text search compares it.', example: 'htn' }),
})

export const dismissedSchema = z.strictObject({ dismissed: z.literal(true) })

export const missSettingsSchema = z.strictObject({
  enabled: z.boolean({ error: 'must be true or false' }).meta({
    description: 'Whether the catalog keeps searches without a match. If false, those that it has are deleted.',
  }),
})
