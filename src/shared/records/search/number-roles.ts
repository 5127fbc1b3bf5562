import { type Amount, type Combination, combinationsOf, comparedQuantity } from '#shared/records/search/quantities'

/** Whether an amount of a text is this one of a record. Without a unit, it is if the number is written alike. */
const isAmount = ({ number, unit }: Amount, known: Amount): boolean =>
  unit === undefined
    ? number === known.number
    : known.unit !== undefined && comparedQuantity(number, unit) === comparedQuantity(known.number, known.unit)

const isCombination = (parts: Combination, known: Combination): boolean =>
  parts.length === known.length &&
  parts.every((part, n) => {
    const other = known[n]
    const hasPer = part.per === undefined || (other?.per !== undefined && isAmount(part.per, other.per))
    return other !== undefined && hasPer && isAmount(part, other)
  })

/**
 * Whether each number of a text is a number of a record in the same role, read with its decimal sign and its unit:
 * `125 mg` is not in `500/125 mg`, `70/30` not in `30/70`, and `5 ml` not in `250 mg/5 ml`. A text without numbers
 * passes. Words are not compared.
 *
 * @param texts of the record: names, aliases, strength, each on its own
 */
export function hasNumbersOf(texts: readonly string[], text: string): boolean {
  const known = texts.flatMap(combinationsOf)
  return combinationsOf(text).every((parts) => known.some((combination) => isCombination(parts, combination)))
}
