import * as z from 'zod'
import { freeText, typeParameter, wholeNumber } from '#http/parameters'
import { DEFAULT_SEARCH_RESULTS, MAX_SEARCH_RESULTS } from '#limits'
import { RECORD_TYPES } from '#records/record-type'
import { anyOutput } from '#records/schema'

export const searchQuery = z.object({
  type: typeParameter,
  q: freeText.meta({ description: 'What somebody is typing; nothing matches a blank one.' }),
  limit: wholeNumber(1, MAX_SEARCH_RESULTS, 'Matches at the most.').default(DEFAULT_SEARCH_RESULTS),
})

export const searchResult = z
  .strictObject({
    type: z.enum(RECORD_TYPES),
    source: z.enum(['workspace', 'provider']).meta({ description: 'Whose catalog was searched.' }),
    items: z.array(anyOutput),
    count: z.int().nonnegative(),
  })
  .meta({ id: 'SearchResult', description: 'Best match first.' })

/** Whether partner search runs on the workspace's own catalog of a type. */
export const searchStatus = z
  .strictObject({
    type: z.enum(RECORD_TYPES),
    enabled: z.boolean(),
    updated_at: z.iso
      .datetime({ precision: 3 })
      .nullable()
      .meta({ description: 'null until it was first set.' }),
  })
  .meta({ id: 'SearchStatus', description: 'Whether partner search runs on the own catalog.' })

export type SearchStatus = z.output<typeof searchStatus>
