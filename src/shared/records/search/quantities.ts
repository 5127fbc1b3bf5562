import { foldedWords, isNumber } from '#shared/text/fold'

/** Numbers with and without units in names and strengths (docs/contract.md#text-search). */

/** The unit in which quantities of a kind are compared, and how many of it one of the unit is. */
type Unit = readonly [base: string, factor: number]

const UNITS: ReadonlyMap<string, Unit> = new Map(
  (
    [
      ['mg', 1000, 'g', 'gm', 'gms', 'gram', 'grams', 'gramme', 'grammes'],
      ['mg', 1, 'mg', 'mgs', 'milligram', 'milligrams'],
      ['mg', 1e-3, 'mcg', 'mcgs', 'ug', 'μg', 'microgram', 'micrograms'],
      ['mg', 1e-6, 'ng', 'nanogram', 'nanograms'],
      ['ml', 1000, 'l', 'liter', 'liters', 'litre', 'litres'],
      ['ml', 1, 'ml', 'mls', 'cc', 'milliliter', 'milliliters', 'millilitre', 'millilitres'],
      ['unit', 1, 'unit', 'units', 'iu', 'ius', 'usp'],
      ['meq', 1, 'meq', 'meqs', 'milliequivalent', 'milliequivalents'],
      ['mmol', 1, 'mmol', 'mmols', 'millimole', 'millimoles'],
      ['%', 1, '%', 'percent'],
    ] as const
  ).flatMap(([base, factor, ...names]) => names.map((name) => [name, [base, factor]] as const)),
)

/** A number of a text, with its unit if one follows. */
interface Quantity {
  number: string
  unit: Unit | undefined
}

/** Digits that a number has without the noise of floating point. */
const EXACT_DIGITS = 12

/** A number without the noise of floating point, in the form in which folding leaves numbers. */
function plainNumber(value: number): string {
  const text = String(value)
  return text.length <= EXACT_DIGITS ? text : String(Number(value.toPrecision(EXACT_DIGITS)))
}

/** Numbers that JavaScript writes with an exponent are no quantities that anybody types. */
const isPlain = (number: string): boolean => isNumber(number) && Number(number) < 1e15

export const unitNamed = (word: string | undefined): Unit | undefined =>
  word === undefined ? undefined : UNITS.get(word)

/** A quantity in the unit of its kind: `0.05mg` for 50 mcg. */
export const comparedQuantity = (number: string, [base, factor]: Unit): string =>
  plainNumber(Number(number) * factor) + base

function quantitiesOf(words: readonly string[]): Quantity[] {
  const quantities: Quantity[] = []
  for (let n = 0; n < words.length; n++) {
    const number = words[n] ?? ''
    if (isPlain(number)) quantities.push({ number, unit: unitNamed(words[n + 1]) })
  }
  return quantities
}

/** The same amount as bare numbers in other units of mass that people use: 1000 and 1 for a gram. */
function otherNumbers(milligrams: number): string[] {
  const inGrams = milligrams >= 1000 ? [milligrams / 1000] : []
  const inMicrograms = milligrams < 1 ? [milligrams * 1000] : []
  return [milligrams, ...inGrams, ...inMicrograms].map(plainNumber)
}

const PART_SIGNS = /[;+/]/

/**
 * The sum of the parts of a combination, in milligrams: 625 for `500 mg/125 mg`. Null unless each part is one mass, or
 * a number that the mass of another part gives its unit to.
 *
 * @param quantities of the whole text
 */
function sumOfParts(text: string, quantities: readonly Quantity[]): number | null {
  if (quantities.length < 2 || !PART_SIGNS.test(text)) return null
  const masses = quantities.flatMap(({ unit }) => (unit?.[0] === 'mg' ? [unit] : []))
  const [unit] = masses
  const isSum =
    unit !== undefined &&
    quantities.every((quantity) => quantity.unit === undefined || quantity.unit[0] === 'mg') &&
    // `10 mg/1 g` is a concentration.
    masses.every(([, factor]) => factor === unit[1]) &&
    text.split(PART_SIGNS).every((part) => quantitiesOf(foldedWords(part)).length === 1)
  return isSum ? quantities.reduce((sum, { number }) => sum + Number(number) * unit[1], 0) : null
}

/** Marks before the facts about quantities in the search text of a record. */
export const FACT_MARKS = { quantity: '=', bare: '#', derived: '~' } as const

/** The facts by which a search finds the quantities of a text. @param words of the text, folded */
export function quantityFacts(text: string, words: readonly string[]): string[] {
  const facts: string[] = []
  const addMass = (milligrams: number, written: string | null) => {
    facts.push(`${FACT_MARKS.quantity}${plainNumber(milligrams)}mg`)
    for (const number of otherNumbers(milligrams)) if (number !== written) facts.push(FACT_MARKS.derived + number)
  }
  const quantities = quantitiesOf(words)
  for (const { number, unit } of quantities) {
    if (unit === undefined) facts.push(FACT_MARKS.bare + number)
    else if (unit[0] === 'mg') addMass(Number(number) * unit[1], number)
    else facts.push(FACT_MARKS.quantity + comparedQuantity(number, unit))
  }
  const sum = sumOfParts(text, quantities)
  if (sum !== null) addMass(sum, null)
  return facts
}
