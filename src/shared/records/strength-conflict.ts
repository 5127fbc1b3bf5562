import { type Combination, combinationsOf, sumOfParts } from '#shared/records/search/quantities'
import { isReadable, plainNumber } from '#shared/text/numbers'

/** Whether the quantities of a name and of a strength contradict each other (docs/contract.md#warnings). */

/** Kinds of quantities that are compared, by the unit of their values. A volume is only what others are dissolved in. */
const KINDS = ['mg', 'unit', '%', 'meq', 'mmol'] as const

type Kind = (typeof KINDS)[number]

const MILLIGRAMS_PER_PERCENT = 10

/** A salt and its base have different amounts. */
const IS_EQUIVALENT = /\b(?:eq|equiv\w*|elemental|base)\b/i

const kindOf = (unit: readonly [string, number] | undefined): Kind | undefined =>
  KINDS.find((kind) => kind === unit?.[0])

/** Every value that the quantities of one kind may mean: an amount, a sum, a concentration, or that times a volume. */
function valuesOf(combinations: readonly Combination[], kind: Kind): number[] {
  const volumes = volumesOf(combinations)
  return combinations.flatMap((combination) => {
    const { per } = combination[0]
    const sum = kind === 'mg' ? sumOfParts(combination) : null
    const amounts = combination.flatMap(({ number, unit }) => {
      const value = Number(number) * (unit?.[1] ?? 1)
      if (kindOf(unit) === kind) return [value]
      return kind === 'mg' && unit?.[0] === '%' ? [value * MILLIGRAMS_PER_PERCENT] : []
    })
    if (sum !== null) amounts.push(sum)
    const parts = per === undefined ? 1 : Number(per.number) * (per.unit?.[1] ?? 1)
    return amounts.flatMap((amount) => [amount, amount / parts, ...volumes.map((volume) => (amount / parts) * volume)])
  })
}

/** The volumes of a text, in milliliters. */
const volumesOf = (combinations: readonly Combination[]): number[] =>
  combinations
    .flat()
    .flatMap((quantity) => [quantity, ...(quantity.per === undefined ? [] : [quantity.per])])
    .filter(({ unit }) => unit?.[0] === 'ml')
    .map(({ number, unit }) => Number(number) * (unit?.[1] ?? 1))

/** The kinds of the quantities of a text; none if a number of it cannot be read. */
function kindsIn(combinations: readonly Combination[]): Set<Kind> {
  const quantities = combinations.flat()
  const isKnown = quantities.every(({ number, per }) => isReadable(number) && isReadable(per?.number ?? '1'))
  return new Set(isKnown ? quantities.flatMap(({ unit }) => kindOf(unit) ?? []) : [])
}

/** Whether the text stands in the name by itself, as most strengths do. */
function standsIn(strength: string, name: string): boolean {
  const start = name.toLowerCase().indexOf(strength.trim().toLowerCase())
  return (
    start >= 0 && !/[\d.,]$/.test(name.slice(0, start)) && !/^[\p{L}\d.,]/u.test(name.slice(start + strength.trim().length))
  )
}

export function contradicts(strength: string, name: string): boolean {
  if (!/\d/.test(name) || !/\d/.test(strength) || standsIn(strength, name)) return false
  if (IS_EQUIVALENT.test(name) !== IS_EQUIVALENT.test(strength)) return false
  const inName = combinationsOf(name)
  const inStrength = combinationsOf(strength)
  const others = kindsIn(inStrength)
  return [...kindsIn(inName)].some((kind) => {
    if (!others.has(kind)) return false
    const values = new Set(valuesOf(inName, kind).map(plainNumber))
    return values.isDisjointFrom(new Set(valuesOf(inStrength, kind).map(plainNumber)))
  })
}
