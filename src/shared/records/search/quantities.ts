import { foldText, isAscii } from '#shared/text/fold'
import { isReadable, plainNumber } from '#shared/text/numbers'
import { SPACED } from '#shared/text/scripts'
import { type Unit, unitNamed } from '#shared/text/units'

/** Numbers with and without units in names and strengths (docs/contract.md#text-search). */

interface Amount {
  /** As folding leaves it. A number that is not `isReadable` equals only a number written in the same way. */
  number: string
  /** Undefined if neither the number nor another part of its combination has a unit. */
  unit: Unit | undefined
}

/** A number of a text. */
interface Quantity extends Amount {
  /** Whether it has no unit of its own: 500 of `500/125 mg`. */
  isBare: boolean
  /** The denominator: 5 ml of `200 mg/5 ml`, and 1 ml (not written) of `40 mg/ml`. */
  per: (Amount & { isWritten: boolean }) | undefined
  /** The sign between it and the previous part; empty for the first. */
  sign: string
}

/** Numbers that belong together, in their order: `500 mg/125 mg`, `70/30`, `1:1000`. Most have one. */
export type Combination = [Quantity, ...Quantity[]]

/** Digits of the longest number that search compares: D1 accepts `LIKE` patterns of 50 bytes, which rank numbers. */
export const LONGEST_NUMBER = 20

/**
 * A number, the next word, which may be its unit, and the word after a `/` that follows.
 *
 * @param letter pattern of a letter @param before pattern of a letter that joins a following number into one word
 */
const quantityPattern = (letter: string, before = letter): RegExp => {
  const word = String.raw`((?:${letter})+(?![\d])|[%‰])`
  const number = String.raw`(?<!${before}|\d|\d[.,])(\d[\d.]*)(?!e[+\-]?\d+(?!${letter}))`
  return new RegExp(
    String.raw`${number}([ \(\-]{0,2}(?:(?:international|usp) )?${word})?((?: ?\/ ?| per | in )${word})?`,
    'gv',
  )
}

const QUANTITY = quantityPattern(String.raw`[\p{L}\p{M}]`, SPACED)
const ASCII_QUANTITY = quantityPattern('[a-z]')

/** Between a number and its denominator. */
const PER = /^ ?(?:\/|per|in) ?$/

/** Between two parts of a combination: a sign, and names of the parts, as in `500 mg amoxicillin/125 mg`. */
const BETWEEN_PARTS = /^[^,;+/&]*(\/) ?$|^[^,;+&]*([;+&])[^,;+&]*$|^ ?([-‐-―:]) ?$/

const DASH = /^[-‐-―]$/

/** Kinds of units of denominators. No part of a combination has one. */
const IS_IN: ReadonlySet<string> = new Set(['ml', 'hour', 'day', 'dose', 'actuation', 'kg', 'cm', 'mm'])

/** The numbers of a text. @param folded as `foldText` leaves it */
function combinationsIn(folded: string): Combination[] {
  const combinations: Combination[] = []
  let last: Combination | undefined
  let end = 0
  const pattern = isAscii(folded) ? ASCII_QUANTITY : QUANTITY
  // `matchAll` would copy the pattern for each text.
  pattern.lastIndex = 0
  for (let match = pattern.exec(folded); match !== null; match = pattern.exec(folded)) {
    const [, number = '', unitPart = '', word, perPart = '', perWord] = match
    if (number.length > LONGEST_NUMBER) continue
    const unit = unitNamed(word)
    const perUnit = unit === undefined && word !== undefined ? undefined : unitNamed(perWord)
    const between = folded.slice(end, match.index)
    end = match.index + number.length
    if (unit !== undefined || perUnit !== undefined) end += unitPart.length
    if (perUnit !== undefined) end += perPart.length
    const mayBePer = unit !== undefined && (number === '1' || IS_IN.has(unit[0]))
    if (mayBePer && last !== undefined && PER.test(between)) {
      setPer(last, { number, unit, isWritten: true })
      continue
    }
    const sign = last === undefined ? undefined : signIn(between)
    const quantity = { number, unit, isBare: unit === undefined, per: undefined, sign: sign ?? '' }
    if (last === undefined || sign === undefined) {
      last = [quantity]
      combinations.push(last)
    } else last.push(quantity)
    if (perUnit !== undefined) setPer(last, { number: '1', unit: perUnit, isWritten: false })
  }
  for (const combination of combinations) if (combination.length > 1) shareUnit(combination)
  return combinations
}

/** The sign between two parts of a combination; undefined if they are not parts of one. */
function signIn(between: string): string | undefined {
  const [, slash, sign, other] = BETWEEN_PARTS.exec(between) ?? []
  return slash ?? sign ?? other
}

/** Sets the denominator of all parts so far. */
function setPer(combination: Combination, per: NonNullable<Quantity['per']>): void {
  for (const quantity of combination) quantity.per ??= per
}

function shareUnit(combination: Combination): void {
  const shared = combination.find(({ unit }) => unit !== undefined)?.unit
  if (combination.every(({ sign }) => sign !== ':')) for (const quantity of combination) quantity.unit ??= shared
}

/**
 * The numbers of a name or a strength with their units, by combination. `100 mg/125 mg` is one combination of two
 * parts, `40 mg/ml 5 ml` two combinations of one part each. If a quantity `isReadable`, its value in the base unit
 * `unit[0]` is its number times `unit[1]`.
 */
export const combinationsOf = (text: string): Combination[] => combinationsIn(foldText(text))

/** A quantity in its base unit: `0.05mg` for 50 mcg. An unreadable quantity stays as written. */
export const comparedQuantity = (number: string, [base, factor]: Unit): string =>
  isReadable(number)
    ? plainNumber(Number(number) * factor) + base
    : `${number}${factor === 1 ? '' : `×${factor}`}${base}`

/** The same amount as bare numbers in the usual units of mass: 1000 and 1 for a gram. */
function otherNumbers(milligrams: number): string[] {
  const inGrams = milligrams >= 1000 ? [milligrams / 1000] : []
  const inMicrograms = milligrams < 1 ? [milligrams * 1000] : []
  return [milligrams, ...inGrams, ...inMicrograms].map(plainNumber)
}

/**
 * The sum of the parts of a combination, in milligrams: 625 for `500 mg/125 mg`. Null unless each part is a mass in the
 * same unit: `10 mg/1 g` may be a concentration.
 */
export function sumOfParts(combination: Combination): number | null {
  const [{ unit: [base, factor] = [] }] = combination
  const isSum =
    combination.length > 1 &&
    base === 'mg' &&
    factor !== undefined &&
    combination.every(
      ({ number, unit, sign }) =>
        isReadable(number) && unit?.[0] === base && unit[1] === factor && sign !== ':' && !DASH.test(sign),
    )
  return isSum ? combination.reduce((sum, { number }) => sum + Number(number) * factor, 0) : null
}

/** Prefixes of the facts about quantities in a record's search text. */
export const FACT_MARKS = { quantity: '=', bare: '#', derived: '~' } as const

/** The facts by which search finds the quantities of a text. @param folded as `foldText` leaves it */
export function quantityFacts(folded: string): string[] {
  const facts: string[] = []
  const addMass = (milligrams: number, written: string | null) => {
    facts.push(`${FACT_MARKS.quantity}${plainNumber(milligrams)}mg`)
    for (const number of otherNumbers(milligrams)) if (number !== written) facts.push(FACT_MARKS.derived + number)
  }
  const add = ({ number, unit }: Amount) => {
    if (unit === undefined) facts.push(FACT_MARKS.bare + number)
    else if (unit[0] === 'mg' && isReadable(number)) addMass(Number(number) * unit[1], number)
    else facts.push(FACT_MARKS.quantity + comparedQuantity(number, unit))
  }
  for (const combination of combinationsIn(folded)) {
    // A ratio is not an amount.
    const isRatio = combination.some(({ sign }) => sign === ':')
    for (const { number, unit, isBare } of combination) {
      if (!isBare) add({ number, unit })
      else if (!isRatio) add({ number, unit: undefined })
    }
    const [{ per }] = combination
    // In a mass per mass (`10 mg/1 g`), only the first is an amount.
    if (per?.isWritten && per.unit?.[0] !== 'mg') add(per)
    const sum = sumOfParts(combination)
    if (sum !== null) addMass(sum, null)
  }
  return facts
}
