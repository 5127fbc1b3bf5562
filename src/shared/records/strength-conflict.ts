import { type Combination, combinationsOf, FACT_MARKS, sumOfParts } from '#shared/records/search/quantities'
import type { ReadTexts } from '#shared/records/search/read-texts'
import { isReadable, plainNumber } from '#shared/text/numbers'

/** Whether the quantities of a name and of a strength contradict each other (docs/contract.md#warnings). */

/** Kinds of quantities to compare, by base unit. A volume only contains other quantities. */
const KINDS = ['mg', 'unit', '%', 'meq', 'mmol'] as const

type Kind = (typeof KINDS)[number]

const MILLIGRAMS_PER_PERCENT = 10

/** Digits of other scripts are among what is not ASCII. */
const MAY_HAVE_DIGIT = /[\d\u0080-\uffff]/
const PART_OF_NUMBER = /[\p{Nd}.,]/u
const PART_OF_WORD = /[\p{L}\p{Nd}.,]/u

/** A solvent: `Heparin 25,000 units in dextrose 5%`. */
const VEHICLE = /(?<=\S) in .*$/i
const HAS_VEHICLE = / in /i

/** A space that may separate thousands or two numbers: `Omega 3 500 mg`. */
const BLANK_IN_NUMBERS = /(?<=\d)\s(?=\d)/g
const HAS_BLANK_IN_NUMBERS = /\d\s\d/

/** A salt and its base have different amounts. */
const IS_EQUIVALENT = /\b(?:eq|equiv\w*|elemental|base)\b/i

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
      if (unit?.[0] === kind) return readings(amount)
      if (kind === 'mg' && unit?.[0] === '%') return readings(amount * MILLIGRAMS_PER_PERCENT)
      const isPercentage = kind === '%' && unit?.[0] === 'mg' && per?.unit?.[0] === 'ml'
      return isPercentage ? [amount / parts / MILLIGRAMS_PER_PERCENT] : []
    })
    return sum === null ? values : [...values, ...readings(sum)]
  })
}

/** Whether an amount of the kind is in a volume: `40 mg/ml`. */
const isConcentration = (combinations: readonly Combination[], kind: Kind): boolean =>
  combinations.flat().some(({ unit, per }) => unit?.[0] === kind && per?.unit?.[0] === 'ml')

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

const KIND_IN_FACT = new RegExp(`^${FACT_MARKS.quantity}\\d.*?(${KINDS.join('|')})$`)

/** The kind of a quantity in a fact (`quantityFacts`); undefined for other facts. */
const kindOf = (fact: string): string | undefined => KIND_IN_FACT.exec(fact)?.[1]

/**
 * Quick filter: whether the facts of two texts rule out a contradiction. They do if the texts share an amount of each
 * kind that both have.
 */
const agree = (one: readonly string[], other: readonly string[]): boolean =>
  other.every((fact) => {
    const kind = kindOf(fact)
    if (kind === undefined || one.includes(fact)) return true
    const isOfKind = (another: string): boolean => kindOf(another) === kind
    return !one.some(isOfKind) || other.some((another) => isOfKind(another) && one.includes(another))
  })

/** The kinds of the quantities in a text; none if one of its numbers is unreadable. */
function kindsIn(combinations: readonly Combination[]): ReadonlySet<Kind> {
  const quantities = combinations.flat()
  const isKnown = quantities.every(({ number, per }) => isReadable(number) && isReadable(per?.number ?? '1'))
  return new Set(isKnown ? quantities.flatMap(({ unit }) => KINDS.find((kind) => kind === unit?.[0]) ?? []) : [])
}

/** Whether the strength is in the name as a whole, as most are. Case counts. */
function standsIn(strength: string, name: string): boolean {
  const start = name.indexOf(strength)
  const end = start + strength.length
  return start >= 0 && !PART_OF_NUMBER.test(name.charAt(start - 1)) && !PART_OF_WORD.test(name.charAt(end))
}

/** The numbers of a text in each possible reading. */
const readingsOf = (text: string): Combination[] =>
  HAS_BLANK_IN_NUMBERS.test(text)
    ? [...combinationsOf(text), ...combinationsOf(text.replace(BLANK_IN_NUMBERS, ', '))]
    : combinationsOf(text)

/**
 * Whether both have quantities of the same kind, but share no value of that kind.
 *
 * @param name name or display name
 * @param texts cache of the texts of the request
 */
export function contradicts(strength: string, name: string, texts: ReadTexts): boolean {
  if (!MAY_HAVE_DIGIT.test(name) || standsIn(strength, name)) return false
  if (!HAS_VEHICLE.test(name) && agree(texts.of(name).facts, texts.of(strength).facts)) return false
  if (standsIn(strength.toLowerCase(), name.toLowerCase())) return false
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
