import * as z from 'zod'
import { DEFAULT_LISTED_MISSES, MAX_LISTED_MISSES } from '#shared/limits'
import { PROBLEM_CODES } from '#shared/records/problem-codes'
import { anyOutputSchema } from '#shared/records/schema'
import {
  countSchema,
  listQuerySchema,
  oneOf,
  pageOf,
  searchTextSchema,
  text,
  timestampSchema,
  wholeNumber,
} from '#worker/http/endpoint/values'

export const missesQuerySchema = z.object({
  limit: wholeNumber(1, MAX_LISTED_MISSES, 'Maximum number of texts to return.').default(DEFAULT_LISTED_MISSES),
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
    total: countSchema.meta({ description: 'Number of texts that are kept and not hidden.' }),
  })
  .meta({ id: 'SearchMisses', description: 'Searches without a match, those reported most often first.' })

export const textBodySchema = z.strictObject({
  text: searchTextSchema.meta({
    description: 'The text to hide. Case, accents, punctuation and symbols do not matter.',
    example: 'htn',
  }),
})

export const dismissedSchema = z.strictObject({ dismissed: z.literal(true) })

export const missSettingsSchema = z.strictObject({
  enabled: z.boolean({ error: 'must be true or false' }).meta({
    description: 'Whether the catalog keeps searches without a match. `false` also deletes the texts that it keeps.',
  }),
})

const problemCodeSchema = oneOf(PROBLEM_CODES).meta({
  description:
    '`strength_conflict`: the quantities of the name and of the strength contradict each other. `same_item`: ' +
    'another active record is identical except for its ID, `sku`, `refid` and `aliases`. `check_digit`: a code ' +
    'has a wrong check digit.',
  example: 'strength_conflict',
})

export const problemsQuerySchema = listQuerySchema.extend({
  code: problemCodeSchema.optional().meta({ description: 'Only problems of this kind.' }),
})

export const problemPageSchema = pageOf(
  z.strictObject({
    record: anyOutputSchema,
    code: problemCodeSchema,
    field: z.string().meta({ example: 'strength' }),
    value: z.string().meta({ description: 'The value of the field.', example: '100mg' }),
    other: z.string().optional().meta({
      description: 'With `strength_conflict`: the name that the strength contradicts.',
      example: 'Levothyroxine 100mcg',
    }),
    similar_to: z.string().optional().meta({ description: 'With `same_item`: the ID of the other record.' }),
  }),
)
  .extend({
    by_code: z.strictObject({ check_digit: countSchema, same_item: countSchema, strength_conflict: countSchema }),
  })
  .meta({ id: 'ProblemPage', description: 'Possible problems of a catalog, by code and ID.' })

export const acceptedProblemSchema = z.strictObject({
  id: text().meta({ description: 'ID of the record.' }),
  code: problemCodeSchema,
})

export const acceptedSchema = z.strictObject({ accepted: z.literal(true) })
