import * as z from 'zod'
import { DEFAULT_SEARCH_RESULTS, MAX_SEARCH_MATCHES, MAX_SEARCH_OFFSET, MAX_SEARCH_RESULTS } from '#shared/limits'
import { RECORD_TYPES } from '#shared/records/record-type'
import { anyOutputSchema } from '#shared/records/schema'
import {
  countSchema,
  freeTextSchema,
  searchTextSchema,
  timestampSchema,
  typeParameterSchema,
  wholeMember,
  wholeNumber,
} from '#worker/http/endpoint/values'

const SOURCES = ['workspace', 'provider'] as const
export type Source = (typeof SOURCES)[number]

const Q = { description: 'The text that a user types; an empty text matches nothing.' }

const LIMIT = 'Maximum number of matches to return.'

const OFFSET = 'Number of matches to skip.'

const sourceSchema = z
  .enum(SOURCES, { error: 'must be workspace or provider' })
  .optional()
  .meta({ description: 'Searches this catalog and ignores the search source. Partners get 403.' })

export const searchQuerySchema = z.object({
  type: typeParameterSchema,
  q: freeTextSchema.meta(Q),
  limit: wholeNumber(1, MAX_SEARCH_RESULTS, LIMIT).default(DEFAULT_SEARCH_RESULTS),
  offset: wholeNumber(0, MAX_SEARCH_OFFSET, OFFSET).default(0),
  source: sourceSchema,
})

/** A search as its endpoints get it. */
export type Search = z.output<typeof searchQuerySchema>

/** A search in a body. Unknown properties are rejected, like unknown query parameters. */
export const searchBodySchema = z.strictObject({
  type: typeParameterSchema,
  q: searchTextSchema.meta(Q),
  limit: wholeMember(1, MAX_SEARCH_RESULTS).meta({ description: LIMIT }).default(DEFAULT_SEARCH_RESULTS),
  offset: wholeMember(0, MAX_SEARCH_OFFSET).meta({ description: OFFSET }).default(0),
  source: sourceSchema,
})

/** The text of a search that a user gave up. Unknown properties are rejected. */
export const searchMissBodySchema = z.strictObject({
  type: typeParameterSchema,
  q: searchTextSchema.meta({ description: 'The text in the search box.', example: 'htn' }),
})

export const searchMissResultSchema = z.strictObject({
  kept: z.boolean().meta({ description: 'Whether the text is kept.' }),
})

const matchGroupSchema = z
  .strictObject({
    match: z.enum(['exact', 'beginning', 'misspelt', 'left_out']).meta({
      description:
        '`exact`: the record matches every word. `beginning`: it does, but the number at the end of `q` is only the ' +
        'beginning of a number of the record. `misspelt`: other words were searched, see `query`. `left_out`: a ' +
        'word, a number or a form was ignored, see `left_out`.',
    }),
    count: countSchema,
    query: z.string().nullable().meta({ description: 'The words that were searched; null if `match` is `exact`.' }),
    left_out: z.array(z.string()).meta({ description: 'What was ignored in `q`, such as `12.5 mg`.', example: [] }),
  })
  .meta({ id: 'MatchGroup', description: 'Items of a search that match in the same way.' })

/** Items of a page that match in the same way. */
export type MatchGroup = z.output<typeof matchGroupSchema>

export const searchResultSchema = z
  .strictObject({
    type: z.enum(RECORD_TYPES),
    source: z.enum(SOURCES).meta({ description: 'Whose catalog was searched.' }),
    items: z.array(anyOutputSchema),
    count: countSchema,
    approximate: countSchema.meta({
      description: 'How many items at the end are approximate matches: those of the groups `misspelt` and `left_out`.',
    }),
    groups: z
      .array(matchGroupSchema)
      .meta({ description: 'Groups of items that match in the same way, in the order of the items.' }),
    has_more: z.boolean().meta({
      description:
        'Whether there are items at `offset` + `count`; false if `offset` cannot be larger. At most ' +
        `${MAX_SEARCH_MATCHES} matches can be read.`,
    }),
  })
  .meta({ id: 'SearchResult', description: 'The matches of a search, best first.' })

export const searchStatusBodySchema = z.object({ enabled: z.boolean({ error: 'must be true or false' }) })

/** Whether partner search uses the workspace's own catalog of a type. */
export const searchStatusSchema = z
  .strictObject({
    type: z.enum(RECORD_TYPES),
    enabled: z.boolean(),
    updated_at: timestampSchema.nullable().meta({ description: 'When it was last set; null if it was never set.' }),
  })
  .meta({ id: 'SearchStatus', description: "Whether partner search uses the workspace's own catalog." })

export type SearchStatus = z.output<typeof searchStatusSchema>
