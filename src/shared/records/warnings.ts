import type * as z from 'zod'
import type { warningSchema } from './schema'

/** A warning about accepted input that the caller may not have meant (docs/contract.md#warnings). */
export type Warning = z.output<typeof warningSchema>

/** One of the values that a warning is about. */
export type WarningExample = NonNullable<Warning['examples']>[number]

/** `1 record`, `2 records`. */
export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The values in the message of a warning: `"a", "b", …`. */
export const namedValues = (examples: readonly WarningExample[], count: number): string =>
  examples
    .slice(0, 3)
    .map(({ value }) => `"${value}"`)
    .join(', ') + (count > 3 ? ', …' : '')
