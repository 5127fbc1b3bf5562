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

const Q = { description: 'The text that a person types; a blank text matches nothing.' }

const LIMIT = 'Most matches to return.'

const OFFSET = 'Matches to skip: those of the pages before.'

const sourceSchema = z
  .enum(SOURCES, { error: 'must be workspace or provider' })
  .optional()
  .meta({ description: 'Searches this catalog and ignores the switch. Partners get 403.' })

export const searchQuerySchema = z.object({
  type: typeParameterSchema,
  q: freeTextSchema.meta(Q),
  limit: wholeNumber(1, MAX_SEARCH_RESULTS, LIMIT).default(DEFAULT_SEARCH_RESULTS),
  offset: wholeNumber(0, MAX_SEARCH_OFFSET, OFFSET).default(0),
  source: sourceSchema,
})

/** A search as its endpoints get it. */
export type Search = z.output<typeof searchQuerySchema>

/** A search in a body. Unknown members are refused, as unknown parameters of a query are. */
export const searchBodySchema = z.strictObject({
  type: typeParameterSchema,
  q: searchTextSchema.meta(Q),
  limit: wholeMember(1, MAX_SEARCH_RESULTS).meta({ description: LIMIT }).default(DEFAULT_SEARCH_RESULTS),
  offset: wholeMember(0, MAX_SEARCH_OFFSET).meta({ description: OFFSET }).default(0),
  source: sourceSchema,
})

export const searchResultSchema = z
  .strictObject({
    type: z.enum(RECORD_TYPES),
    source: z.enum(SOURCES).meta({ description: 'Whose catalog was searched.' }),
    items: z.array(anyOutputSchema),
    count: countSchema,
    approximate: countSchema.meta({
      description:
        'How many items at the end match only after one letter of a long word, or two letters of a longer ' +
        'word, were corrected.',
    }),
    has_more: z.boolean().meta({
      description:
        'Whether a page at `offset` + `count` has items; false where `offset` cannot be larger. At most ' +
        `${MAX_SEARCH_MATCHES} matches can be read.`,
    }),
  })
  .meta({ id: 'SearchResult', description: 'Best match first.' })

/** Whether partner search uses the workspace's own catalog of a type. */
export const searchStatusSchema = z
  .strictObject({
    type: z.enum(RECORD_TYPES),
    enabled: z.boolean(),
    updated_at: timestampSchema.nullable().meta({ description: 'null until it is set for the first time.' }),
  })
  .meta({ id: 'SearchStatus', description: "Whether partner search uses the workspace's own catalog." })

export type SearchStatus = z.output<typeof searchStatusSchema>
