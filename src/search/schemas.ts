import * as z from 'zod'
import { freeText, typeParameter, wholeNumber } from '#http/endpoint/parameters'
import { DEFAULT_SEARCH_RESULTS, MAX_SEARCH_RESULTS } from '#limits'
import { RECORD_TYPES } from '#records/record-type'
import { anyOutput } from '#records/schema'

const SOURCES = ['workspace', 'provider'] as const
export type Source = (typeof SOURCES)[number]

export const searchQuery = z.object({
  type: typeParameter,
  q: freeText.meta({ description: 'The text that a person types; a blank text matches nothing.' }),
  limit: wholeNumber(1, MAX_SEARCH_RESULTS, 'Most matches to return.').default(DEFAULT_SEARCH_RESULTS),
  source: z
    .enum(SOURCES, { error: 'must be workspace or provider' })
    .optional()
    .meta({ description: 'Searches this catalog and ignores the switch. Partners get 403.' }),
})

export const searchResult = z
  .strictObject({
    type: z.enum(RECORD_TYPES),
    source: z.enum(SOURCES).meta({ description: 'Whose catalog was searched.' }),
    items: z.array(anyOutput),
    count: z.int().nonnegative(),
    approximate: z.int().nonnegative().meta({
      description:
        'How many items at the end match only after one letter of a long word, or two letters of a longer word, were corrected.',
    }),
  })
  .meta({ id: 'SearchResult', description: 'Best match first.' })

/** Whether partner search uses the workspace's own catalog of a type. */
export const searchStatus = z
  .strictObject({
    type: z.enum(RECORD_TYPES),
    enabled: z.boolean(),
    updated_at: z.iso
      .datetime({ precision: 3 })
      .nullable()
      .meta({ description: 'null until it is set for the first time.' }),
  })
  .meta({ id: 'SearchStatus', description: 'Whether partner search uses the own catalog.' })

export type SearchStatus = z.output<typeof searchStatus>
