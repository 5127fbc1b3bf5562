import * as z from 'zod'
import { freeText, typeParameter, wholeNumber } from '#catalog/queries'
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
