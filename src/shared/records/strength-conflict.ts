import { type Combination, combinationsOf, sumOfParts } from '#shared/records/search/quantities'
import { isReadable, plainNumber } from '#shared/text/numbers'

/** Whether the quantities of a name and of a strength contradict each other (docs/contract.md#warnings). */

/** Kinds of quantities to compare, by base unit. A volume only contains other quantities. */
const KINDS = ['mg', 'unit', '%', 'meq', 'mmol'] as const

type Kind = (typeof KINDS)[number]

const MILLIGRAMS_PER_PERCENT = 10

const HAS_DIGIT = /\p{Nd}/u
const PART_OF_NUMBER = /[\p{Nd}.,]/u
const PART_OF_WORD = /[\p{L}\p{Nd}.,]/u

/** A solvent: `Heparin 25,000 units in dextrose 5%`. */
const VEHICLE = /(?<=\S) in .*$/i

/** A salt and its base have different amounts. */
const IS_EQUIVALENT = /\b(?:eq|equiv\w*|elemental|base)\b/i

const kindOf = (unit: readonly [string, number] | undefined): Kind | undefined =>
  KINDS.find((kind) => kind === unit?.[0])

/** 75 for `50%;25%`. */
const sumOfPercentages = (combination: Combination): number =>
  combination.reduce((sum, { number, unit }) => sum + (unit?.[0] === '%' ? Number(number) : 0), 0)

/** All values that quantities of one kind may mean: an amount, a sum, a concentration, or that times a volume. */
function valuesOf(combinations: readonly Combination[], kind: Kind): number[] {
  const volumes = volumesOf(combinations)
  return combinations.flatMap((combination) => {
    const { per } = combination[0]
    const parts = per === undefined ? 1 : Number(per.number) * (per.unit?.[1] ?? 1)
    const readings = (amount: number) => [amount, amount / parts, ...volumes.map((volume) => (amount / parts) * volume)]
    const sum = kind === 'mg' ? sumOfParts(combination) : kind === '%' ? sumOfPercentages(combination) : null
    const values = combination.flatMap(({ number, unit }) => {
      const amount = Number(number) * (unit?.[1] ?? 1)
      if (kindOf(unit) === kind) return readings(amount)
      if (kind === 'mg' && unit?.[0] === '%') return readings(amount * MILLIGRAMS_PER_PERCENT)
      const isPercentage = kind === '%' && unit?.[0] === 'mg' && per?.unit?.[0] === 'ml'
      return isPercentage ? [amount / parts / MILLIGRAMS_PER_PERCENT] : []
    })
    return sum === null ? values : [...values, ...readings(sum)]
  })
}

/** Whether an amount of the kind is in a volume: `40 mg/ml`. */
const isConcentration = (combinations: readonly Combination[], kind: Kind): boolean =>
  combinations.flat().some(({ unit, per }) => kindOf(unit) === kind && per?.unit?.[0] === 'ml')

/** The contents of a bag or a vial do not imply its concentration unless its volume is known. */
function areComparable(one: readonly Combination[], other: readonly Combination[], kind: Kind): boolean {
  const [inOne, inOther] = [isConcentration(one, kind), isConcentration(other, kind)]
  return inOne === inOther || volumesOf(inOne ? other : one).length > 0
}

/** The volumes of a text, in milliliters. */
const volumesOf = (combinations: readonly Combination[]): number[] =>
  combinations
    .flat()
    .flatMap((quantity) => [quantity, ...(quantity.per === undefined ? [] : [quantity.per])])
    .filter(({ unit }) => unit?.[0] === 'ml')
    .map(({ number, unit }) => Number(number) * (unit?.[1] ?? 1))

/** The kinds of the quantities in a text; none if one of its numbers is unreadable. */
function kindsIn(combinations: readonly Combination[]): Set<Kind> {
  const quantities = combinations.flat()
  const isKnown = quantities.every(({ number, per }) => isReadable(number) && isReadable(per?.number ?? '1'))
  return new Set(isKnown ? quantities.flatMap(({ unit }) => kindOf(unit) ?? []) : [])
}

/** Whether the strength is in the name as a whole, as most are. */
function standsIn(strength: string, name: string): boolean {
  const sameCase = name.indexOf(strength)
  const start = sameCase >= 0 ? sameCase : name.toLowerCase().indexOf(strength.toLowerCase())
  const end = start + strength.length
  return start >= 0 && !PART_OF_NUMBER.test(name.charAt(start - 1)) && !PART_OF_WORD.test(name.charAt(end))
}

/** The numbers of a text, also of `Omega 3 500 mg`, where the space may separate thousands or two numbers. */
function readingsOf(text: string): Combination[] {
  const apart = text.replace(/(?<=\d)\s(?=\d)/g, ', ')
  return apart === text ? combinationsOf(text) : [...combinationsOf(text), ...combinationsOf(apart)]
}

/**
 * Whether both have quantities of the same kind, but share no value of that kind.
 *
 * @param name name or display name
 */
export function contradicts(strength: string, name: string): boolean {
  if (!HAS_DIGIT.test(name) || !HAS_DIGIT.test(strength) || standsIn(strength, name)) return false
  if (IS_EQUIVALENT.test(name) !== IS_EQUIVALENT.test(strength)) return false
  const inName = readingsOf(name.replace(VEHICLE, ''))
  const inStrength = readingsOf(strength)
  const others = kindsIn(inStrength)
  return [...kindsIn(inName)].some((kind) => {
    if (!others.has(kind) || !areComparable(inName, inStrength, kind)) return false
    const values = new Set(valuesOf(inName, kind).map(plainNumber))
    return valuesOf(inStrength, kind).every((value) => !values.has(plainNumber(value)))
  })
}
